import { describe, expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import type { Envelope, RunEvent } from '../../core/run/data/event.ts';
import { begun, claim, envelopes, recorded, rejected, returned, task } from '../../core/view/test-rig.ts';
import { envelopeJsonSchema, envelopeSchema } from './schema.ts';

type Mutable<T> = T extends (infer Item)[] | readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<T[Key]> }
    : T;

/** Events that no ordinary run has, one of each type. */
const rare: readonly RunEvent[] = [
  {
    type: 'run-resumed',
    head: 'c1',
    recorded: { task: '1.1', commit: 'c1' },
    tasks: [task('1.1')],
    foreign: ['notes.txt'],
    outOfTime: { limitMs: 1 },
  },
  returned('1.1', { usage: { costUsd: 0.1, inputTokens: 1, outputTokens: 2 }, resetsAt: '2026-01-01T12:00:00.000Z' }),
  returned('1.1', {
    answer: {
      ...claim,
      admission: 'x',
      report: { error: 'e', attemptedFix: 'f', status: 's' },
      request: { malformed: 'no JSON' },
    },
  }),
  returned('1.1', {
    answer: {
      ...claim,
      request: { type: 'SPLIT_TASK', originalTaskId: '1.1', reasoning: 'big', proposedTasks: ['- [ ] 1.1.1 A'] },
    },
  }),
  { type: 'check-cancelled', task: '1.1', attempt: 1 },
  {
    type: 'task-reviewed',
    task: '1.1',
    attempt: 1,
    how: 'completed',
    message: '',
    usage: {},
    durationMs: 1,
    round: 1,
    verdict: 'fail',
    findings: { code: ['a'], spec: [] },
    excerpt: '',
  },
  { type: 'work-held', task: '1.1', attempt: 1, commit: 'c1', head: 'c1' },
  { type: 'commit-refused', task: '1.1', attempt: 1, output: 'no' },
  { type: 'commit-refused', task: '1.1', attempt: 1, output: 'no', cause: 'unfit' },
  { type: 'commit-blocked', task: '1.1', attempt: 1, cause: 'signing', subject: 's', output: 'no' },
  { type: 'commit-blocked', cause: 'own', subject: 's', output: 'no' },
  { type: 'commit-slow', runs: 'hooks' },
  { type: 'work-reported', task: '1.1', attempt: 1, driver: 'library' },
  {
    type: 'fix-planned',
    task: '1.1',
    attempt: 1,
    inserted: { at: 1, tasks: [task('1.1.1', { fixes: '1.1', phase: 'Phase 1' })] },
    error: 'e',
    head: 'c1',
  },
  {
    type: 'plan-modified',
    task: '1.1',
    attempt: 1,
    request: 'ADD_FOLLOWUP',
    inserted: { at: 1, tasks: [] },
    reason: 'r',
    head: 'c1',
  },
  { type: 'modification-refused', task: '1.1', attempt: 1, reason: 'r' },
  { type: 'effect-started', effect: { do: 'wait', task: '1.1', attempt: 1, pause: { forMs: 60_000 } } },
  {
    type: 'effect-started',
    effect: {
      do: 'plan-fix',
      task: '1.1',
      attempt: 1,
      fix: '1.1.1',
      failure: { layer: 'verify', text: 't', attemptedFix: 'f' },
    },
  },
  { type: 'waited', task: '1.1', attempt: 1 },
  { type: 'time-ran-out', limitMs: 1000 },
  { type: 'stop-requested', signal: 'SIGTERM' },
  { type: 'run-finished', result: 'stuck', reason: 'r', head: 'c1' },
  { type: 'run-halted', result: 'interrupted', reason: 'r' },
];

describe('the schema of the events (R-UX-2, R-API-6)', () => {
  test('describes every envelope whole: nothing is refused and no field is unknown', () => {
    for (const envelope of envelopes(begun([task('1.1')]), rejected('1.1'), recorded('1.1', 2), rare)) {
      expect(envelopeSchema.parse(envelope)).toEqual(envelope);
    }
  });

  test('describes every event that the program can write', () => {
    expectTypeOf<Mutable<Envelope>>().toExtend<z.infer<typeof envelopeSchema>>();
    expectTypeOf<z.infer<typeof envelopeSchema>['event']['type']>().toEqualTypeOf<RunEvent['type']>();
  });

  test('refuses what is no envelope', () => {
    const [envelope] = envelopes(begun([task('1.1')]));
    expect(envelopeSchema.safeParse({ ...envelope, v: 2 }).success).toBe(false);
    expect(envelopeSchema.safeParse({ ...envelope, seq: 0 }).success).toBe(false);
    expect(envelopeSchema.safeParse({ ...envelope, event: { type: 'task-invented' } }).success).toBe(false);
  });

  test('is published as it is (update with: npx vitest run src/surfaces/json -u)', async () => {
    await expect(`${JSON.stringify(envelopeJsonSchema(), null, 2)}\n`).toMatchFileSnapshot(
      '../../../schemas/events.schema.json',
    );
  });
});
