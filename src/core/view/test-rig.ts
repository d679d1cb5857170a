import type { PlannedTask } from '../plan/data/planned-task.ts';
import { defaultPolicy, type Policy } from '../policy.ts';
import type { Answer } from '../run/data/answer.ts';
import { nothingCarried } from '../run/data/carried.ts';
import type { Envelope, RunEvent } from '../run/data/event.ts';
import type { RunState } from '../run/data/state.ts';
import { evolve } from '../run/evolve.ts';
import type { Evidence, VerifyRun } from '../verify/evidence.ts';

/** One event of a made-up run, with the state after it. */
export interface Step {
  readonly envelope: Envelope;
  readonly after: RunState;
}

/** The events of a run of the spec `demo`, ten seconds apart from noon on, each with the state after it. */
export function steps(...events: readonly (RunEvent | readonly RunEvent[])[]): readonly Step[] {
  let state: RunState | undefined;
  return envelopes(...events).map((envelope) => {
    state = evolve(state, envelope.event);
    return { envelope, after: state };
  });
}

/** The last event of such a run, with the state after it. */
export function lastStep(...events: readonly (RunEvent | readonly RunEvent[])[]): Step {
  const step = steps(...events).at(-1);
  if (step === undefined) throw new Error('A run has at least one event.');
  return step;
}

export function envelopes(...events: readonly (RunEvent | readonly RunEvent[])[]): readonly Envelope[] {
  return events.flat().map((event, index) => ({
    v: 1,
    seq: index + 1,
    at: instant(index * 10),
    spec: 'demo',
    run: '20260101T120000Z-4f3a9c',
    event,
  }));
}

/** The instant so many seconds after noon. */
export function instant(seconds: number): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  return `2026-01-01T${two(12 + seconds / 3600)}:${two((seconds / 60) % 60)}:${two(seconds % 60)}.000Z`;
}

/** A task with the Verify command `npm test`. */
export function task(id: string, more: Partial<PlannedTask> = {}): PlannedTask {
  return {
    key: id,
    id,
    title: `Add part ${id}`,
    checked: false,
    parallel: false,
    verify: false,
    files: ['src/a.ts'],
    filesKnown: true,
    verifyKind: 'command',
    verifyCommand: 'npm test',
    commitKind: 'message',
    commit: `feat: part ${id}`,
    ...more,
  };
}

/** A run is started and prepared. */
export function begun(tasks: readonly PlannedTask[], policy: Partial<Policy> = {}): readonly RunEvent[] {
  return [
    {
      type: 'run-started',
      policy: { ...defaultPolicy(tasks.length), ...policy },
      tasks,
      agents: 'fake',
      carried: nothingCarried,
      globalIteration: 0,
    },
    { type: 'effect-started', effect: { do: 'prepare' } },
    { type: 'run-prepared', branch: 'feat/demo', head: 'c0ffee0123456789', foreign: [], notes: [] },
  ];
}

export const claim: Answer = { signal: 'positive', excerpt: 'All parts are in place.\nTASK_COMPLETE' };

export const delegated = (key: string, attempt = 1): RunEvent => ({
  type: 'effect-started',
  effect: { do: 'delegate', task: key, attempt, role: 'executor', base: 'c0ffee0123456789' },
});

export const returned = (key: string, more: Partial<Extract<RunEvent, { type: 'agent-returned' }>> = {}): RunEvent => ({
  type: 'agent-returned',
  task: key,
  attempt: 1,
  how: 'completed',
  message: '',
  answer: claim,
  usage: {},
  durationMs: 8000,
  ...more,
});

export const checking = (key: string, attempt = 1): RunEvent => ({
  type: 'effect-started',
  effect: { do: 'check', task: key, attempt },
});

/** Measurements in which all is well, the Verify command's exit code aside. */
export function evidence(verify: Partial<VerifyRun> = {}, more: Partial<Evidence> = {}): Evidence {
  return {
    repository: { branch: 'feat/demo', head: 'c0ffee0123456789', keepsHistory: true },
    plan: { violations: [], additions: [], ownTicked: false },
    stateFileTouched: false,
    changedFiles: ['src/a.ts'],
    changedFilesTotal: 1,
    outOfScope: [],
    protectedFiles: [],
    concerns: [],
    uncommittedSpecFiles: [],
    verify: [{ command: 'npm test', how: 'exited', exitCode: 0, output: '3 passed', durationMs: 1500, ...verify }],
    ...more,
  };
}

export const checked = (key: string, found = evidence(), attempt = 1): RunEvent => ({
  type: 'task-checked',
  task: key,
  attempt,
  evidence: found,
});

export const settingAside = (key: string, attempt = 1): RunEvent => ({
  type: 'effect-started',
  effect: { do: 'set-aside', task: key, attempt, keepChanges: false },
});

export const setAside = (
  key: string,
  attempt = 1,
  more: Partial<Extract<RunEvent, { type: 'work-set-aside' }>> = {},
): RunEvent => ({
  type: 'work-set-aside',
  task: key,
  attempt,
  kept: { ref: `refs/specloop/kept/demo/r/${key}/${attempt}`, treeId: `tree${attempt}` },
  repaired: [],
  ...more,
});

export const committing = (key: string, attempt = 1): RunEvent => ({
  type: 'effect-started',
  effect: { do: 'commit', task: key, attempt },
});

const committed = (key: string, commit = '4f1c9abdeadbeef0', attempt = 1): RunEvent => ({
  type: 'task-committed',
  task: key,
  attempt,
  commit,
  head: commit,
});

/** An attempt from its start to its commit. */
export const recorded = (key: string, attempt = 1): readonly RunEvent[] => [
  delegated(key, attempt),
  returned(key, { attempt }),
  checking(key, attempt),
  checked(key, evidence(), attempt),
  committing(key, attempt),
  committed(key, '4f1c9abdeadbeef0', attempt),
];

/** An attempt whose Verify command fails, from its start until its work is set aside. */
export const rejected = (key: string, attempt = 1, output = '1 failed'): readonly RunEvent[] => [
  delegated(key, attempt),
  returned(key, { attempt }),
  checking(key, attempt),
  checked(key, evidence({ exitCode: 1, output }), attempt),
  settingAside(key, attempt),
  setAside(key, attempt),
];

/** Two neighbours begin together, and both are recorded. */
export function batch(one: string, other: string): readonly RunEvent[] {
  const apart = evidence({}, { repository: { head: 'c0ffee0123456789', keepsHistory: true } });
  const done = (key: string): readonly RunEvent[] => [
    returned(key),
    checking(key),
    checked(key, apart),
    committing(key),
    committed(key),
  ];
  return [
    { type: 'effect-started', effect: { do: 'open-batch', members: [one, other], base: 'c0ffee0123456789' } },
    { type: 'batch-opened', members: [one, other], base: 'c0ffee0123456789' },
    delegated(one),
    delegated(other),
    ...done(one),
    ...done(other),
    { type: 'effect-started', effect: { do: 'close-batch' } },
  ];
}

/** The batch is over; the second neighbour broke what the first one's Verify command checks. */
export const broken = (task: string, victim: string): RunEvent => ({
  type: 'batch-closed',
  broken: [{ task, victim, command: 'npm test', output: '1 failed' }],
  head: 'c3',
});
