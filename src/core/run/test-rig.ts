import type { PlannedTask } from '../plan/data/planned-task.ts';
import { defaultPolicy, type Policy } from '../policy.ts';
import type { Evidence } from '../verify/evidence.ts';
import type { Answer } from './data/answer.ts';
import { nothingCarried } from './data/carried.ts';
import type { Effect } from './data/effect.ts';
import type { RunEvent } from './data/event.ts';
import type { RunState } from './data/state.ts';
import { evolve, fold } from './evolve.ts';
import { next } from './next.ts';

export const plannedTask = (id: string, more: Partial<PlannedTask> = {}): PlannedTask => ({
  key: id,
  id,
  title: `Task ${id}`,
  checked: false,
  parallel: false,
  verify: false,
  files: [],
  filesKnown: false,
  verifyKind: 'command',
  verifyCommand: 'npm test',
  commitKind: 'message',
  commit: `feat: ${id}`,
  ...more,
});

export const started = (tasks: readonly PlannedTask[], policy: Partial<Policy> = {}): RunEvent[] => [
  {
    type: 'run-started',
    policy: { ...defaultPolicy(tasks.length), ...policy },
    tasks,
    agents: 'fake',
    carried: nothingCarried,
    globalIteration: 0,
  },
  { type: 'effect-started', effect: { do: 'prepare' } },
  { type: 'run-prepared', branch: 'feat/demo', head: 'c0', foreign: [], notes: [] },
];

/** Where an attempt works that is in no batch. */
export const lane = { kind: 'tree' } as const;
export const yes: Answer = { signal: 'positive', excerpt: 'TASK_COMPLETE' };
export const fine = (head = 'c0', more: Partial<Evidence> = {}): Evidence => ({
  repository: { branch: 'feat/demo', head, keepsHistory: true },
  plan: { violations: [], additions: [], ownTicked: false },
  stateFileTouched: false,
  changedFiles: ['a.ts'],
  changedFilesTotal: 1,
  outOfScope: [],
  protectedFiles: [],
  concerns: [],
  uncommittedSpecFiles: [],
  verify: [{ command: 'npm test', how: 'exited', exitCode: 0, output: '', durationMs: 1 }],
  ...more,
});
export const delegated = (task: string, attempt = 1, base = 'c0'): RunEvent => ({
  type: 'effect-started',
  effect: { do: 'delegate', task, attempt, role: 'executor', base },
});
export const returned = (task: string, attempt = 1, answer: Answer = yes): RunEvent => ({
  type: 'agent-returned',
  task,
  attempt,
  how: 'completed',
  message: '',
  answer,
  usage: {},
  durationMs: 1,
});
export const checking = (task: string, attempt = 1): RunEvent => ({
  type: 'effect-started',
  effect: { do: 'check', task, attempt },
});
export const checked = (task: string, evidence = fine(), attempt = 1): RunEvent => ({
  type: 'task-checked',
  task,
  attempt,
  evidence,
});
export const committing = (task: string, attempt = 1): RunEvent => ({
  type: 'effect-started',
  effect: { do: 'commit', task, attempt },
});
export const committed = (task: string, commit: string, attempt = 1): RunEvent => ({
  type: 'task-committed',
  task,
  attempt,
  commit,
  head: commit,
});
export const settingAside = (task: string, attempt = 1): RunEvent => ({
  type: 'effect-started',
  effect: { do: 'set-aside', task, attempt, keepChanges: false },
});
export const setAside = (task: string, attempt = 1, kept?: { ref: string; treeId: string }): RunEvent => ({
  type: 'work-set-aside',
  task,
  attempt,
  repaired: [],
  ...(kept ? { kept } : {}),
});
export const silent: Answer = { signal: 'none', excerpt: 'Hm.' };
/** One attempt that gave no signal, its work set aside. */
export const failedAttempt = (task: string, attempt: number, kept?: { ref: string; treeId: string }): RunEvent[] => [
  delegated(task, attempt),
  returned(task, attempt, silent),
  settingAside(task, attempt),
  setAside(task, attempt, kept),
];

/** Starts all that `next` names and returns it with the state after it. */
export function begin(state: RunState): { readonly state: RunState; readonly effects: readonly Effect[] } {
  const effects: Effect[] = [];
  let now = state;
  for (let effect = next(now); effect; effect = next(now)) {
    effects.push(effect);
    now = evolve(now, { type: 'effect-started', effect });
    if (effect.do === 'open-batch')
      now = evolve(now, { type: 'batch-opened', members: effect.members, base: effect.base });
  }
  return { state: now, effects };
}
/** Folds the events one by one, starting what follows each, and tells what was started last. */
export function play(tasks: readonly PlannedTask[], policy: Partial<Policy>, ...events: readonly RunEvent[]) {
  const before = fold(started(tasks, policy));
  if (!before) throw new Error('no state');
  let played = begin(before);
  for (const event of events) played = begin(evolve(played.state, event));
  return played;
}
/** Effects as `commit 1.1`. */
export const names = (effects: readonly Effect[]) =>
  effects.map((effect) => `${effect.do} ${'task' in effect ? effect.task : ''}`.trim());
