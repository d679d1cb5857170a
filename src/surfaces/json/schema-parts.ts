import { z } from 'zod';
import { DIALECTS } from '../../core/plan/data/dialect.ts';

export const count = z.int().min(0);
export const ordinal = z.int().min(1);
const ms = z.number().min(0).describe('Milliseconds.');
const texts = z.array(z.string());
const planningRole = z.enum(['researcher', 'product-manager', 'architect', 'planner']);
const commit = z.string().describe('Id of a commit.');
export const instant = z.string().meta({ format: 'date-time' }).describe('ISO 8601 in UTC.');
export { commit, ms, texts };

const step = z
  .object({
    artifact: z.enum(['research', 'requirements', 'design', 'tasks']),
    file: z.string().describe("Name of the document in the spec's folder."),
    role: planningRole,
    gate: z.boolean().describe('Whether a person approves the draft before the next step.'),
  })
  .meta({ id: 'Step', description: 'What a step of planning drafts, in place of doing a task.' });

const task = z
  .object({
    key: z.string().describe('Unique in the plan: the id, with #2, #3 added for a repeated one.'),
    id: z.string(),
    title: z.string(),
    checked: z.boolean().describe('Whether its box is ticked.'),
    parallel: z.boolean(),
    verify: z.boolean().describe('Whether it goes to the verifier.'),
    files: texts,
    filesKnown: z.boolean().describe('Whether the field Files says anything.'),
    verifyKind: z.enum(['command', 'prose', 'manual', 'none']),
    verifyCommand: z.string().nullable(),
    commitKind: z.enum(['message', 'none', 'missing']),
    commit: z.string().nullable().describe('The commit message of the plan.'),
    phase: z.string().optional(),
    fixes: z.string().optional().describe('Id of the task that this one repairs.'),
    dependsOn: texts.optional().describe('Ids of tasks that have to be done first.'),
    optional: z.literal(true).optional().describe('Left out unless it is asked for.'),
    touches: texts.optional().describe('What it says it touches, in plans of other tools.'),
    stretch: count
      .optional()
      .describe('In plans of other tools: only neighbours with the same number run in parallel.'),
    from: z.string().optional().describe('What on the forge it was made from.'),
    step: step.optional(),
    isOfLifecycle: z.literal(true).optional().describe('Done by the lifecycle of the pull request, not by an agent.'),
  })
  .meta({ id: 'Task', description: 'A task of the plan.' });

export const tasks = z.array(task).describe('The whole plan, in its order.');

const pullRequestPolicy = z
  .object({
    intervalMs: ms,
    limitMs: ms,
    maxCycles: ordinal,
    maxFixesPerCheck: count,
    base: z.string().optional(),
    isDraft: z.boolean(),
    reviewers: texts,
    labels: texts,
    resolves: z.boolean(),
    noChecks: z.enum(['wait', 'accept']),
    noChecksWaitMs: ms,
    bots: texts,
  })
  .meta({ id: 'PullRequestPolicy', description: 'How the pull request is brought to its end.' });

/** A command of the project, and what it is for. */
export const projectCommand = z.object({
  kind: z.enum(['lint', 'types', 'unit', 'e2e', 'build']),
  command: z.string(),
  from: z.string().describe('Path of the file that names it.'),
});

/** What came of running it once. */
export const measuredCommand = projectCommand.extend({
  how: z.enum(['exited', 'timed-out', 'killed', 'not-started']),
  exitCode: z.int().optional(),
  durationMs: ms,
  lastLine: z.string().optional().describe('The last line that it printed, of one that did not pass.'),
});

export const policy = z
  .object({
    bookkeeping: z.enum(['coordinator', 'agent']),
    maxTaskIterations: ordinal,
    maxGlobalIterations: ordinal,
    stallAfter: ordinal,
    recoveryMode: z.boolean(),
    dialect: z.enum(DIALECTS).optional().describe('How the plan is read, where a person named it.'),
    withOptional: z.boolean().optional().describe('Whether optional tasks are run too.'),
    maxFixTasksPerOriginal: count,
    maxFixTaskDepth: count,
    maxModifications: count,
    holdsAddedCommands: z.boolean().optional(),
    trustCommand: z.string().optional(),
    review: z.enum(['auto', 'always', 'strict', 'off']),
    maxReviewRounds: count,
    scope: z.enum(['off', 'warn', 'enforce']),
    keepFailedChanges: z.boolean(),
    jobs: ordinal,
    isolation: z.enum(['worktree', 'shared']),
    parallelOverlap: z.enum(['separate', 'allow']),
    commitSpec: z.boolean(),
    testCommand: z.string().optional(),
    workdir: z
      .string()
      .optional()
      .describe(
        "Folder in which agents and commands run, relative to the repository's root; absent or empty for the root.",
      ),
    pullRequest: pullRequestPolicy.optional(),
    maxCostUsd: z.number().optional(),
    maxTokens: z.number().optional(),
    maxTimeMs: ms.optional(),
    maxWaitMs: ms.optional(),
    agents: z
      .object({ roles: z.record(z.string(), z.string()), fallback: texts })
      .optional()
      .describe('Names of the agents, where others go on for one at a usage limit.'),
    answers: z
      .array(
        z.object({
          question: z.string().optional(),
          task: z.string().optional(),
          match: z.string().optional(),
          answer: z.string(),
        }),
      )
      .optional()
      .describe('Answers to questions that agents may ask.'),
    reproduction: z
      .object({ command: z.string(), when: z.enum(['before', 'after']) })
      .optional()
      .describe('The command that shows the defect of a bug fix.'),
    measures: z
      .array(projectCommand)
      .optional()
      .describe('The quality commands that are run once before the documents.'),
    assumes: z.literal(true).optional().describe('Recommendations are taken in place of answers.'),
  })
  .meta({ id: 'Policy', description: 'The choices and limits that the run is bound by.' });

export const carried = z
  .object({
    fixes: z.record(z.string(), z.object({ attempts: count, fixTaskIds: texts, lastError: z.string() })),
    modifications: z.record(
      z.string(),
      z.object({ count, modifications: z.array(z.object({ type: z.string(), tasks: texts, reason: z.string() })) }),
    ),
    unnamed: z.object({ id: z.string(), commit }).optional(),
    tests: z.object({ baseline: texts, unseen: z.string() }).optional(),
  })
  .meta({ id: 'Carried', description: 'Counts that a new run takes over from the one before.' });

export const failure = z
  .object({
    layer: z
      .enum([
        'agent',
        'interrupted',
        'signal',
        'contradiction',
        'integrity',
        'bookkeeping',
        'change',
        'verify',
        'scope',
        'draft',
        'review',
        'commit',
        'merge',
        'regression',
      ])
      .describe('The check that the attempt did not pass.'),
    text: z.string(),
    error: z.string().optional(),
    attemptedFix: z.string().optional(),
  })
  .meta({ id: 'Failure', description: 'Why an attempt failed.' });

export const pause = z
  .union([
    z.object({ until: instant }),
    z.object({ untilMs: ms, why: z.enum(['pull-request', 'usage-limit']) }),
    z.object({
      forMs: ms,
      why: z
        .enum(['ended-at-once', 'service-failed'])
        .optional()
        .describe('What is waited for when it is no usage limit.'),
    }),
  ])
  .meta({ id: 'Pause', description: 'How long the run waits: for a usage limit, or for what else is said.' });

export const modificationType = z.enum(['SPLIT_TASK', 'ADD_PREREQUISITE', 'ADD_FOLLOWUP']);

export const questions = z.array(
  z
    .object({
      id: z.string(),
      ask: z.string(),
      why: z.string(),
      changes: z.enum(['scope', 'behaviour', 'design', 'cost']),
      kind: z.enum(['decision', 'fact']),
      options: z.array(z.object({ label: z.string(), consequence: z.string() })).optional(),
      recommended: z.string().optional(),
    })
    .meta({ id: 'Question', description: 'A question to a person.' }),
);

export const answer = z
  .object({
    signal: z.enum(['positive', 'negative', 'none']).describe('What the agent claims.'),
    missing: z.string().optional().describe('Why a word of the answer is no signal.'),
    question: z.string().optional().describe('What a person is asked before the work can go on.'),
    questions: z
      .union([questions, z.object({ malformed: z.string() })])
      .optional()
      .describe('What the author of a document asks a person.'),
    admission: z.string().optional().describe('Words that admit a failure.'),
    undone: z.string().optional().describe('What the answer says is left undone.'),
    doubts: texts.optional().describe('Sentences that are signs of something missing.'),
    report: z.object({ error: z.string(), attemptedFix: z.string(), status: z.string() }).optional(),
    request: z
      .union([
        z.object({ type: modificationType, originalTaskId: z.string(), reasoning: z.string(), proposedTasks: texts }),
        z.object({ malformed: z.string() }),
      ])
      .optional()
      .describe('A request to change the plan.'),
    excerpt: z.string().describe('The end of the answer.'),
  })
  .meta({ id: 'Answer', description: "What an agent's final answer says. A claim, not a fact." });

export const evidence = z
  .object({
    repository: z.object({
      branch: z.string().optional(),
      head: z.string(),
      operation: z.string().optional().describe('A git operation that is left half done.'),
      keepsHistory: z.boolean().describe('Whether the commits from before the attempt are all still there.'),
    }),
    plan: z.object({ violations: texts, additions: texts, ownTicked: z.boolean() }),
    stateFileTouched: z.boolean(),
    usersChanges: texts.optional(),
    changedFiles: texts.describe('The first of them when there are many.'),
    changedFilesTotal: count,
    rewritten: texts.optional().describe('Files that were written again as they were, where nothing else was changed.'),
    outOfScope: texts,
    outOfScopeTotal: count.optional().describe('How many there are, where the list is shortened.'),
    protectedFiles: texts.describe('Changed files that are protected.'),
    concerns: texts.describe('Changes to what judges the work, in words.'),
    violations: texts
      .optional()
      .describe("What the Verify command did to that which judges it or is the user's; it was put back."),
    uncommittedSpecFiles: texts,
    verify: z.array(
      z.object({
        command: z.string(),
        exitCode: z.int().optional(),
        how: z.enum(['exited', 'timed-out', 'killed', 'not-started']),
        output: z.string().describe('The end of what it printed.'),
        durationMs: ms,
        limitMs: ms.optional().describe('The time limit, in milliseconds, of one that timed out.'),
        notPassed: texts.optional().describe('Variables of the user that it may have missed, of one that failed.'),
      }),
    ),
    unrecordable: z
      .array(
        z.object({
          path: z.string(),
          why: z.enum([
            'ignored',
            'repository',
            'link',
            'link-to-ignored',
            'submodule',
            'empty-folder',
            'special-file',
          ]),
          by: z.string(),
        }),
      )
      .optional()
      .describe('What can be in no commit although the task is about it.'),
    uncovered: texts.optional().describe('Files that are no longer ignored; they are left out.'),
    proof: z
      .object({
        moved: z
          .object({ branch: z.string().optional(), head: z.string(), operation: z.string().optional() })
          .optional()
          .describe('Where the Verify command moved the tree.'),
        gone: texts.optional().describe('Files of the work that it removed.'),
        rewritten: texts.optional().describe('Files of the work that it rewrote, proved once more.'),
        unsettled: texts.optional().describe('Files of the work that it rewrites each time.'),
        putBack: texts.optional().describe('Tracked files that it changed; put back.'),
        setAside: texts.optional().describe('New files that it wrote; removed.'),
        kept: z.string().optional().describe('The ref that keeps those.'),
      })
      .optional()
      .describe('What the Verify command did to the tree.'),
  })
  .meta({ id: 'Evidence', description: 'What the coordinator measured itself once the agent had left.' });

export const noticed = z
  .object({
    violations: texts.describe("What would have changed a verdict or lost something of the user's; it was put back."),
    concerns: texts.describe('What is worth a look.'),
  })
  .meta({ id: 'Noticed', description: "What was noticed around the work of that which judges it or is the user's." });

export const outcome = z.enum(['completed', 'stuck', 'limit', 'waiting', 'abandoned']);

export const inserted = z
  .object({ at: count.describe('Position of the first one in the plan.'), tasks: z.array(task) })
  .meta({ id: 'Inserted', description: 'Tasks that were added to the plan in one step.' });
