import type { AgentPolicy } from '../../src/core/agent/agent-policy.ts';
import type { Role } from '../../src/core/agent/role.ts';
import type { Policy } from '../../src/core/policy.ts';
import type { Accident, Errno } from './accident.ts';
import { Chance } from './chance.ts';
import { type DeedName, HARMLESS_APART } from './deeds.ts';
import type { DirtyFile, Scenario } from './scenario.ts';
import { DESIGN } from './world.ts';

type Weights = Partial<Readonly<Record<DeedName, number>>>;

/** Answers after which a task goes on: each only costs an attempt. */
const SETBACKS: Weights = {
  'wrong work': 4,
  'no signal': 4,
  'no signal, a person added a task': 2,
  'a report of failure': 3,
  contradiction: 2,
  'both verdicts': 1,
  'signal in a sentence': 1,
  'signal in a fence': 1,
  'exit code 1': 2,
  'timed out': 2,
  'fell silent': 1,
  crashed: 1,
  refused: 1,
  overflow: 1,
  'usage limit': 2,
  'usage limit with a reset': 2,
  overloaded: 2,
  'asked a person': 2,
  'was denied a tool': 1,
  'work that a hook refuses': 2,
  'ticked another box': 3,
  'changed a title': 2,
  'made its check easy': 3,
  'emptied the plan': 2,
  'removed the plan': 2,
  'wrote the state file': 2,
  'switched the branch': 2,
  'detached HEAD': 2,
  'rewrote a commit': 2,
  'dropped a commit': 2,
  'left a merge half done': 2,
  'asked without a signal': 1,
  'asked for a prerequisite': 3,
  'left something undone': 2,
  'its check rewrites it each time': 2,
  'its check removes it': 2,
  'its check commits': 2,
  'its check switches the branch': 2,
  'work that a hook breaks': 1,
  'good, a process of it breaks the work': 1,
  'good, reset what the user had changed': 2,
};

/** Answers that may complete a task. */
const SUCCESSES: Weights = {
  good: 10,
  'good, ticked its own box': 2,
  'good, committed by itself': 2,
  'good, a stray file': 1,
  'good, a person added a task': 1,
  'good, a person edits a file': 1,
  'good, nothing left undone': 1,
  'good, in words of doubt': 1,
  'good, its check formats it': 1,
  'good, its check litters': 1,
  'good, a process of it lives on': 1,
  'work that a hook repairs': 1,
  'asked to split': 1,
  'asked for a follow-up': 1,
  'asked for nonsense': 1,
  'asked for a taken id': 1,
};

const VERIFIER_SETBACKS: Weights = {
  'negative verdict': 4,
  'no signal': 2,
  'both verdicts': 1,
  'usage limit': 1,
  contradiction: 1,
};
const REVIEW_SETBACKS: Weights = {
  'review failed': 4,
  'no verdict': 2,
  'usage limit': 1,
  'review passed, changed files': 2,
};
const REVIEW_SUCCESSES: Weights = {
  'review passed, a person added a task': 1,
  'review passed': 6,
  'review passed, changed files': 1,
  'review blamed the spec': 1,
};

const SEVERAL_AGENTS: AgentPolicy = {
  roles: { executor: 'first', verifier: 'first', reviewer: 'second' },
  fallback: ['third', 'second'],
};

/** The scenario of a seed; with batches, neighbours may be at work at the same time. */
export function scenarioOf(seed: number, { batches }: { readonly batches: boolean }): Scenario {
  const chance = new Chance('scenario', seed);
  const isAmple = chance.happens(0.7);
  const policy = {
    ...policyOf(chance, isAmple),
    ...(batches ? batchPolicyOf(chance, isAmple) : {}),
    ...(new Chance('agents', seed).happens(0.3) ? { agents: SEVERAL_AGENTS } : {}),
  };
  // Agents that keep the books commit the plan: where it is in no commit yet, a crash makes their tick look like a person's.
  const specCommitted = chance.happens(0.7) || (policy.bookkeeping === 'agent' && policy.commitSpec === false);
  const isLeftOut = !specCommitted && policy.commitSpec === false;
  const design: readonly DirtyFile[] = isLeftOut ? [{ path: DESIGN, text: 'The design.\n', staged: false }] : [];
  return {
    name: `seed ${seed}`,
    plan: planText(chance, batches ? 0.7 : 0),
    ...(chance.happens(0.4)
      ? { stateText: '{"phase": "tasks", "myNotes": {"deep": [1, 2.50]}, "awaiting": 1}\n' }
      : {}),
    policy,
    dirty: [...(chance.happens(0.3) ? dirtyFiles(chance) : []), ...design],
    onDefaultBranch: chance.happens(0.15),
    ...refusalOf(chance, { isOfAgents: policy.bookkeeping === 'agent' }),
    specCommitted,
    deed: deedsOf(seed, { trouble: chance.pick([0, 0.2, 0.5, 0.8]), isAmple, policy }),
    // What a run with kept changes leaves is the user's own at the next one.
    reruns: isAmple || policy.keepFailedChanges ? 0 : chance.below(3),
    isAmple,
    // Some agents are many times slower than others.
    stepMs: (call) => (batches ? 100 * 4 ** new Chance('delay', seed, call).below(7) : 20_000),
  };
}

/** A commit that agents make themselves is not held up. */
function refusalOf(chance: Chance, { isOfAgents }: { readonly isOfAgents: boolean }): Pick<Scenario, 'refusal'> {
  if (isOfAgents || !chance.happens(0.25)) return {};
  const by = chance.pick(['signing', 'message', 'reference', 'work'] as const);
  return { refusal: { from: chance.between(1, 12), by } };
}

function batchPolicyOf(chance: Chance, isAmple: boolean): Partial<Policy> {
  const isolation = isAmple || chance.happens(0.5) ? 'worktree' : 'shared';
  return { jobs: chance.between(2, 4), isolation, bookkeeping: 'coordinator', keepFailedChanges: false };
}

function policyOf(chance: Chance, isAmple: boolean): Partial<Policy> {
  return {
    review: chance.pick(['off', 'off', 'auto', 'always', 'strict']),
    recoveryMode: chance.happens(0.3),
    scope: chance.pick(['off', 'warn']),
    bookkeeping: chance.happens(0.15) ? 'agent' : 'coordinator',
    commitSpec: chance.happens(0.9),
    answers: [{ answer: 'This way.' }],
    ...(isAmple
      ? { maxTaskIterations: 20, maxFixTasksPerOriginal: 6 }
      : {
          maxTaskIterations: chance.between(1, 5),
          maxGlobalIterations: chance.between(3, 40),
          keepFailedChanges: chance.happens(0.3),
          maxFixTasksPerOriginal: chance.between(1, 3),
          maxFixTaskDepth: chance.between(1, 3),
          stallAfter: chance.between(2, 4),
          scope: chance.pick(['off', 'warn', 'enforce']),
        }),
  };
}

/** In a tree that is shared, what one agent does to plan and branch befalls all. */
const IN_COMPANY: ReadonlySet<DeedName> = new Set([
  'wrong work',
  'no signal',
  'a report of failure',
  'contradiction',
  'exit code 1',
  'timed out',
  'usage limit',
]);

/** What an agent answers is decided by seed, role and task alone, so that it is the same in every life. */
function deedsOf(
  seed: number,
  {
    trouble,
    isAmple,
    policy,
  }: { readonly trouble: number; readonly isAmple: boolean; readonly policy: Partial<Policy> },
): Scenario['deed'] {
  return (role: Role, task: string, nth: number): DeedName => {
    const chance = new Chance('deed', seed, role, task);
    const setbacks = chance.happens(trouble) ? chance.between(1, isAmple ? 2 : 4) : 0;
    const isSetback = nth <= setbacks;
    const answer = new Chance('answer', seed, role, task, Math.min(nth, setbacks + 1));
    if (role === 'reviewer') return reviewOf(answer, isSetback, policy);
    if (role === 'verifier' && isSetback) return answer.weighted(VERIFIER_SETBACKS);
    if (!isSetback && !isAmple && policy.jobs !== undefined && answer.happens(0.2))
      return 'good, in a file that others write too';
    if (!isSetback && policy.isolation === 'shared') return 'good';
    if (!isSetback) return role === 'verifier' || policy.bookkeeping === 'agent' ? 'good' : successOf(answer, task);
    if (!isAmple && answer.happens(0.03)) return 'unauthenticated';
    const setback = !isAmple && answer.happens(0.1) ? 'idle' : answer.weighted(SETBACKS);
    const isOut =
      // The commit of an agent passes the hooks as well.
      (policy.bookkeeping === 'agent' && setback === 'work that a hook breaks') ||
      (policy.isolation === 'shared' && !IN_COMPANY.has(setback)) ||
      (policy.isolation === 'worktree' && HARMLESS_APART.has(setback));
    return isOut ? 'no signal' : setback;
  };
}

/** Where agents keep the books, a plan that somebody else changes has to wait for a commit. */
function reviewOf(chance: Chance, isSetback: boolean, { bookkeeping }: Partial<Policy>): DeedName {
  const deed = chance.weighted(isSetback ? REVIEW_SETBACKS : REVIEW_SUCCESSES);
  return bookkeeping === 'agent' && deed === 'review passed, a person added a task' ? 'review passed' : deed;
}

/** A task that was born of a request asks for nothing more, or a plan might grow without end. */
function successOf(chance: Chance, task: string): DeedName {
  const deed = chance.weighted(SUCCESSES);
  return deed.startsWith('asked') && task.split('.').length > 2 ? 'good' : deed;
}

function dirtyFiles(chance: Chance): readonly DirtyFile[] {
  const all: readonly DirtyFile[] = [
    { path: 'README.md', text: 'mine\n', staged: chance.happens(0.5) },
    { path: 'draft/mine.txt', text: 'my draft\n', staged: chance.happens(0.3) },
    { path: 'src/a.ts', text: undefined, staged: chance.happens(0.3) },
  ];
  return all.filter(() => chance.happens(0.7));
}

/** A plan of one to eight tasks, in the shapes that people write. */
function planText(chance: Chance, parallel: number): string {
  const count = chance.pick([1, 2, 2, 3, 3, 3, 4, 5, 6, 8]);
  const lines = ['# Tasks', '', '## Phase 1: Build', ''];
  for (let n = 1; n <= count; n++) {
    if (n > 1 && chance.happens(0.15)) lines.push(`## Phase ${n}: Go on`, '');
    const id = n === 1 || chance.happens(0.9) ? `1.${n}` : `${n}.1.1`;
    lines.push(...taskLines(chance, { id, mayBeVerify: n > 1, isParallel: chance.happens(parallel) }));
    if (chance.happens(0.7)) lines.push('');
  }
  if (chance.happens(0.15)) {
    lines.push('', '## Phase 9: End to end', '');
    for (const id of ['VE1', 'VE2', 'VE3'])
      lines.push(...taskLines(chance, { id, mayBeVerify: true, isParallel: false }));
  }
  const text = lines.join('\n') + (chance.happens(0.9) ? '\n' : '');
  const ends = chance.happens(0.15) ? text.replaceAll('\n', '\r\n') : text;
  return chance.happens(0.1) ? `\uFEFF${ends}` : ends;
}

interface Line {
  readonly id: string;
  readonly mayBeVerify: boolean;
  readonly isParallel: boolean;
}

function taskLines(chance: Chance, { id, mayBeVerify, isParallel }: Line): readonly string[] {
  const isVerify = id.startsWith('VE') || (mayBeVerify && chance.happens(0.15));
  const file = `work/${id}.txt`;
  const verify = chance.weighted({ grep: 6, test: 2, both: 1, prose: 1, manual: 1, none: 1 });
  const commands = {
    grep: `  - **Verify**: \`grep -q done ${file}\``,
    test: `  - **Verify**: \`test -f ${file}\``,
    both: `  - **Verify**: \`test -f ${file} && grep -q done ${file}\``,
    prose: '  - **Verify**: the part looks as it should',
    manual: '  - **Verify**: manual',
    none: undefined,
  };
  const commit = chance.weighted({ message: 6, none: 2, missing: 1 });
  const commits = { message: `  - **Commit**: \`feat: part ${id}\``, none: '  - **Commit**: None', missing: undefined };
  return [
    `- [ ] ${id} ${isParallel ? '[P] ' : ''}${isVerify ? '[VERIFY] Check' : 'Build'} the part ${id}`,
    '  - **Do**: build it',
    chance.happens(0.8) ? `  - **Files**: \`${file}\`` : undefined,
    '  - **Done when**: the part is there',
    commands[verify],
    commits[commit],
  ].filter((line) => line !== undefined);
}

/** What befalls the life of a seed, which without accidents has this many calls. */
export function accidentsOf(seed: number, calls: number): readonly Accident[] {
  const chance = new Chance('accidents', seed);
  const count = chance.weighted({ '1': 5, '2': 3, '3': 2 });
  return Array.from({ length: Number(count) }, () => accident(chance, calls)).sort((one, other) => one.at - other.at);
}

function accident(chance: Chance, calls: number): Accident {
  const at = chance.between(1, Math.ceil(calls * 1.2));
  switch (chance.weighted({ crash: 7, stop: 1, fault: 2 })) {
    case 'crash':
      return { at, what: 'crash', step: chance.pick([0, 1, 2, 'after', 'after']) };
    case 'stop':
      return { at, what: 'stop', signal: chance.pick(['SIGINT', 'SIGTERM', 'SIGHUP']) };
    case 'fault':
      return {
        at,
        what: 'fault',
        errno: chance.pick<Errno>(['ENOSPC', 'EIO', 'EACCES']),
        lasts: chance.happens(0.4),
        step: chance.pick([0, 0, 1]),
      };
  }
}
