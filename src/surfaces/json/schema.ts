import { z } from 'zod';
import {
  answer,
  carried,
  commit,
  count,
  evidence,
  failure,
  inserted,
  instant,
  measuredCommand,
  modificationType,
  ms,
  noticed,
  ordinal,
  outcome,
  pause,
  policy,
  projectCommand,
  questions,
  tasks,
  texts,
} from './schema-parts.ts';
import { planning, planningEvents, wanted } from './schema-planning.ts';
import { pullRequestEvents, pullRequestSteps } from './schema-pull-request.ts';

/** Which attempt at which task something is about. */
const ofAttempt = { task: z.string().describe('Key of the task.'), attempt: ordinal };

const ofSomeAttempt = { task: ofAttempt.task.optional(), attempt: ordinal.optional() };

const agentReport = {
  how: z
    .enum([
      'completed',
      'failed',
      'rate-limited',
      'overloaded',
      'over-budget',
      'unauthenticated',
      'context-overflow',
      'refused',
      'timed-out',
      'silent',
      'crashed',
      'cancelled',
      'not-found',
    ])
    .describe('How the process of the agent ended.'),
  message: z.string().describe('Why it did not complete; empty when it did.'),
  usage: z.object({
    inputTokens: count.optional(),
    outputTokens: count.optional(),
    costUsd: z.number().optional(),
    isCostEstimated: z
      .literal(true)
      .optional()
      .describe('The agent told no cost; it was computed from tokens and the price in the settings.'),
  }),
  durationMs: ms,
  resetsAt: instant.optional(),
  endedAt: instant.optional(),
  agent: z.string().optional().describe('Name of the agent, where the run has several for the role.'),
};

const lane = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('tree') }),
    z.object({ kind: z.literal('worktree'), base: commit }),
    z.object({
      kind: z.literal('shared'),
      members: texts,
      tip: commit,
      holdsOthers: z.boolean(),
      progressFile: z.string(),
    }),
  ])
  .meta({
    id: 'Lane',
    description: "Where an attempt works: the user's tree, a worktree, or the user's tree with others of its batch.",
  });

/** The attempt that an effect deals with, and where it works; runs of earlier versions do not say where. */
const inLane = { ...ofAttempt, lane: lane.optional() };

const testPoint = z.enum(['baseline', 'phase', 'end']);

const effect = z
  .discriminatedUnion('do', [
    z.object({ do: z.literal('prepare') }),
    z.object({
      do: z.literal('delegate'),
      agent: z.string().optional(),
      ...inLane,
      role: z.enum(['executor', 'verifier', 'reviewer', 'researcher', 'product-manager', 'architect', 'planner']),
      base: commit,
    }),
    z.object({ do: z.literal('check'), ...inLane }),
    z.object({ do: z.literal('review'), ...inLane, round: ordinal, agent: z.string().optional() }),
    z.object({ do: z.literal('commit'), ...inLane }),
    z.object({ do: z.literal('check-draft'), ...inLane }),
    z.object({ do: z.literal('record-draft'), ...inLane }),
    z.object({ do: z.literal('roll-back') }),
    z.object({ do: z.literal('hold'), ...inLane }),
    z.object({ do: z.literal('set-aside'), ...inLane, keepChanges: z.boolean() }),
    z.object({ do: z.literal('plan-fix'), ...ofAttempt, fix: z.string(), failure }),
    z.object({ do: z.literal('modify'), ...inLane }),
    z.object({ do: z.literal('open-batch'), members: texts, base: commit }),
    z.object({ do: z.literal('close-batch') }),
    z.object({ do: z.literal('test'), when: testPoint, command: z.string(), known: texts }),
    z.object({ do: z.literal('reproduce'), when: z.enum(['before', 'after']), command: z.string() }),
    z.object({ do: z.literal('measure'), commands: z.array(projectCommand) }),
    z.object({ do: z.literal('wait'), ...ofSomeAttempt, pause }),
    pullRequestSteps,
    z.object({
      do: z.literal('finish'),
      result: z.enum([...outcome.options, 'interrupted']),
      reason: z.string(),
      wants: z.union([z.object({ gate: z.object({ artifact: z.string() }) }), z.object({ questions })]).optional(),
    }),
  ])
  .meta({ id: 'Effect', description: 'Something that the coordinator began to do.' });

const left = z
  .object({ paths: texts, kept: z.string().optional() })
  .optional()
  .describe('What commit hooks, or commands on the merged tree, left uncommitted: put back, and kept under a ref.');

const event = z
  .discriminatedUnion('type', [
    of('run-started', {
      policy,
      tasks,
      agents: z.string(),
      carried,
      globalIteration: count,
      driver: z.string().optional().describe('Who drives the run; absent if specloop runs the agents itself.'),
      planning: planning.optional(),
    }),
    of('run-resumed', {
      head: commit,
      recorded: z.object({ task: z.string(), commit }).optional(),
      tasks: tasks.optional(),
      policy: policy.optional(),
      foreign: texts.optional(),
      driver: z.string().optional(),
      answers: z
        .array(
          z.object({
            task: z.string(),
            answer: z.string(),
            question: z.string().optional(),
            basis: z.literal('assumed').optional(),
          }),
        )
        .optional()
        .describe('What a person answered to the questions of tasks.'),
      outOfTime: z.object({ limitMs: ms }).optional().describe('The time that its driver may take is over already.'),
    }),
    of('run-prepared', {
      branch: z.string(),
      head: commit,
      foreign: texts,
      notes: texts,
      byHand: texts.optional(),
      tasks: tasks.optional(),
    }),
    of('effect-started', {
      effect,
      holder: z
        .object({ driver: z.string(), token: z.string(), until: z.string() })
        .optional()
        .describe('Who carries it out, if it is not the process that started it.'),
    }),
    of('work-reported', {
      ...ofAttempt,
      driver: z.string(),
      by: z.literal('helper').optional().describe('The answer came from the agent itself; else its driver relayed it.'),
    }),
    of('agent-returned', {
      ...ofAttempt,
      ...agentReport,
      answer,
      noticed: noticed.optional(),
      denials: texts.optional().describe('Tools that the agent was not allowed to use.'),
      learned: texts.optional().describe('What it noted for later tasks by a tool.'),
      promptBytes: count.optional(),
    }),
    of('task-checked', { ...ofAttempt, evidence, tasks: tasks.optional() }),
    of('check-cancelled', {
      ...ofAttempt,
      moved: texts.optional().describe('Files that changed after they were proved.'),
    }),
    of('work-lost', ofAttempt),
    of('batch-opened', { members: texts, base: commit }),
    of('merge-conflicted', { ...ofAttempt, paths: texts }),
    of('merge-rejected', { ...ofAttempt, command: z.string(), output: z.string() }),
    of('batch-closed', {
      notes: texts.optional(),
      broken: z.array(z.object({ task: z.string(), command: z.string(), output: z.string(), victim: z.string() })),
      head: commit,
      foreign: texts.optional(),
      left,
    }),
    of('tests-run', {
      notes: texts.optional(),
      when: testPoint,
      failures: texts,
      output: z.string(),
      durationMs: ms,
      noticed: noticed.optional(),
    }),
    of('tests-cancelled', {}),
    of('reproduction-run', {
      notes: texts.optional(),
      when: z.enum(['before', 'after']),
      command: z.string(),
      exitCode: z.int().optional(),
      how: z.enum(['exited', 'timed-out', 'killed', 'not-started']),
      output: z.string().describe('The end of what it printed.'),
      durationMs: ms,
      noticed: noticed.optional(),
    }),
    of('reproduction-cancelled', {}),
    of('commands-measured', {
      notes: texts.optional(),
      measured: z.array(measuredCommand).describe('What the quality commands of the project did, run once.'),
      noticed: noticed.optional(),
    }),
    of('measuring-cancelled', {}),
    of('task-reviewed', {
      notes: texts.optional(),
      ...ofAttempt,
      ...agentReport,
      round: ordinal,
      verdict: z.enum(['pass', 'fail', 'none']),
      findings: z.object({ code: texts, spec: texts }),
      doubts: texts.optional().describe('Sentences of a pass that say that not all was looked at.'),
      excerpt: z.string(),
      noticed: noticed.optional(),
    }),
    of('work-held', { notes: texts.optional(), ...ofAttempt, commit, head: commit, tasks: tasks.optional() }),
    of('task-committed', {
      notes: texts.optional(),
      ...ofAttempt,
      left,
      commit,
      head: commit,
      tasks: tasks.optional(),
      repaired: texts.optional(),
    }),
    of('commit-refused', { ...ofAttempt, output: z.string(), cause: z.enum(['work', 'unfit']).optional() }),
    of('commit-blocked', {
      ...ofSomeAttempt,
      cause: z.enum(['message', 'signing', 'reference', 'own', 'stop']),
      subject: z.string(),
      output: z.string(),
    }),
    of('commit-slow', { ...ofSomeAttempt, runs: z.enum(['hooks', 'signing']) }),
    of('work-set-aside', {
      notes: texts.optional(),
      ...ofAttempt,
      kept: z.object({ ref: z.string(), treeId: z.string(), commit: commit.optional() }).optional(),
      repaired: texts,
      tasks: tasks.optional(),
    }),
    of('fix-planned', { ...ofAttempt, inserted, error: z.string(), head: commit, tasks: tasks.optional() }),
    of('plan-modified', {
      notes: texts.optional(),
      ...ofAttempt,
      request: modificationType,
      inserted,
      reason: z.string(),
      head: commit,
      tasks: tasks.optional(),
    }),
    of('modification-refused', { ...ofAttempt, reason: z.string() }),
    of('waited', ofSomeAttempt),
    ...pullRequestEvents,
    ...planningEvents,
    of('time-ran-out', { limitMs: ms }),
    of('stop-requested', { signal: z.enum(['SIGINT', 'SIGTERM', 'SIGHUP']) }),
    of('run-finished', {
      notes: texts.optional(),
      result: outcome,
      reason: z.string(),
      head: commit,
      left,
      wants: wanted.optional(),
    }),
    of('run-halted', { result: z.enum(['interrupted', 'fault']), reason: z.string() }),
  ])
  .meta({ id: 'Event', description: 'Something that happened. Types that a reader does not know are to be skipped.' });

/** One line of the journal, of `--json` and of the dashboard's stream (R-API-6). */
export const envelopeSchema = z
  .object({
    v: z.literal(1).describe('Version of the format; a change that breaks readers makes it 2.'),
    seq: ordinal.describe('Counts from 1 within a run, without a gap.'),
    at: instant,
    spec: z.string(),
    run: z.string(),
    event,
  })
  .meta({ title: 'specloop events', description: 'One line of the event stream of a run.' });

/** The published JSON Schema of an envelope. Fields that it does not name are allowed: later versions may add some. */
export function envelopeJsonSchema(): object {
  return z.toJSONSchema(envelopeSchema, {
    io: 'input',
    override({ jsonSchema }) {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    },
  });
}

function of<const Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), ...shape });
}
