import { z } from 'zod';
import { commit, count, measuredCommand, ordinal, questions, texts } from './schema-parts.ts';

const sha256 = z.string().describe('SHA-256 of the content, without front matter.');

/** What a run of planning was started with. */
export const planning = z
  .object({
    spec: z.string(),
    path: z.string(),
    operand: z.string().optional().describe('What is typed for the spec, where its name does not lead to it.'),
    goal: z.string(),
    goalClass: z.enum(['trivial', 'bug-fix', 'refactor', 'mid-sized', 'greenfield']),
    workflow: z.enum(['poc-first', 'tdd', 'reproduce-first']),
    skipped: z.array(z.enum(['research', 'requirements', 'design', 'tasks'])).optional(),
    tasksSize: z.enum(['fine', 'coarse']).optional(),
    isQuick: z.literal(true).optional().describe('Without gates, then execution.'),
    before: z
      .object({ branch: z.string(), head: commit, uncommitted: texts, currentSpec: z.string().optional() })
      .optional()
      .describe('How the tree was before, where a failure takes away what the run made.'),
    measured: z.array(measuredCommand).optional().describe('What the quality commands did in an earlier run.'),
    decisions: texts.optional().describe('What was decided before; it is not asked again.'),
  })
  .meta({ id: 'Planning', description: 'What a run that drafts the documents of a spec was started with.' });

/** What a person is asked for. */
export const wanted = z
  .union([z.object({ gate: z.object({ artifact: z.string(), file: z.string(), sha256 }) }), z.object({ questions })])
  .meta({
    id: 'Wanted',
    description: "The draft that waits for a person's approval, or the questions that wait for answers.",
  });

const problem = z.object({
  severity: z.enum(['error', 'finding', 'warning']),
  code: z.string(),
  file: z.string(),
  line: count,
  message: z.string(),
  hint: z.string(),
});

const ofAttempt = { task: z.string().describe('Key of the step.'), attempt: ordinal };

/** The events of drafts. */
export const planningEvents = [
  z.object({
    type: z.literal('questions-asked'),
    ...ofAttempt,
    notes: texts.optional(),
    questions,
    kept: z.object({ ref: z.string(), treeId: z.string(), commit: commit.optional() }).optional(),
    repaired: texts,
  }),
  z.object({
    type: z.literal('draft-checked'),
    ...ofAttempt,
    sha256: sha256.optional(),
    problems: z.array(problem),
    advisesAgainst: z.literal(true).optional().describe('It says that the goal should not be met.'),
    scope: z
      .object({ lines: texts, isKept: z.literal(true).optional().describe('A person wrote it.') })
      .optional()
      .describe('The scope that holds once it is recorded.'),
    notes: texts.optional(),
    untried: count
      .optional()
      .describe('Verify commands of the plan that were not tried, as no person has trusted them.'),
    elsewhere: texts.optional().describe('Other paths that were changed.'),
    violations: texts.optional().describe('What was done to the repository or the books.'),
  }),
  z.object({
    type: z.literal('draft-recorded'),
    ...ofAttempt,
    notes: texts.optional(),
    left: z.object({ paths: texts, kept: z.string().optional() }).optional(),
    sha256,
    inputs: z.record(z.string(), z.string()).describe('The documents it was made from, with their content.'),
    commit: commit.optional(),
    head: commit,
  }),
  z.object({ type: z.literal('drafts-removed'), kept: texts.describe('The refs that keep them.'), restored: texts }),
] as const;
