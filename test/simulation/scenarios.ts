import type { Role } from '../../src/core/agent/role.ts';
import { listSteps } from '../../src/core/planning/list-steps.ts';
import { commitSubject, stepFor } from '../../src/core/planning/steps.ts';
import type { DeedName } from './deeds.ts';
import type { Scenario } from './scenario.ts';
import { sessionOf } from './session.ts';

interface Line {
  readonly id: string;
  readonly title?: string;
  readonly verify?: string;
  readonly commit?: string;
}

/** A plan as people write it, one task a line of `tasks`. */
export function planOf(...tasks: readonly (string | Line)[]): string {
  const lines = tasks.map((task) => (typeof task === 'string' ? { id: task } : task)).map(blockOf);
  return `# Tasks\n\n## Phase 1: Build\n\n${lines.join('\n')}`;
}

function blockOf({ id, title = 'Build the part', verify, commit }: Line): string {
  return [
    `- [ ] ${id} ${title} ${id}`,
    '  - **Do**: build it',
    `  - **Files**: \`work/${id}.txt\``,
    '  - **Done when**: the part is there',
    `  - **Verify**: ${verify ?? `\`grep -q done work/${id}.txt\``}`,
    `  - **Commit**: ${commit ?? `\`feat: part ${id}\``}`,
    '',
  ].join('\n');
}

/** By role and task, as `executor 1.1`, the answers one after the other; the last goes on. Who is not named does well. */
type Script = Readonly<Record<string, readonly [DeedName, ...DeedName[]]>>;

export function scripted(script: Script): Scenario['deed'] {
  return (role: Role, task: string, nth: number) => {
    const answers = script[`${role} ${task}`] ?? [role === 'reviewer' ? 'review passed' : 'good'];
    return answers[Math.min(nth, answers.length) - 1] ?? answers[0];
  };
}

const base = { dirty: [], specCommitted: true, reruns: 0, isAmple: true } as const;

/** Everything goes well, in the ways that things go well. */
export const plain: Scenario = {
  ...base,
  onDefaultBranch: true,
  name: 'plain',
  isHonest: true,
  plan: planOf('1.1', { id: '1.2', commit: 'None' }, { id: '1.3', title: '[VERIFY] Check the part' }),
  policy: { review: 'off' },
  specCommitted: false,
  stateText: '{"phase": "tasks", "myNotes": {"deep": [1, 2.50]}, "awaitingApproval": true}\n',
  deed: scripted({ 'executor 1.2': ['good, committed by itself'] }),
};

/** Attempts fail in all ways before they succeed, and their work is kept; the user has files of their own. */
export const retries: Scenario = {
  ...base,
  name: 'retries',
  plan: planOf('1.1', '1.2', '1.3'),
  policy: { review: 'off', maxTaskIterations: 8 },
  dirty: [
    { path: 'README.md', text: 'mine\n', staged: true },
    { path: 'draft/mine.txt', text: 'my draft\n', staged: false },
    { path: 'src/a.ts', text: undefined, staged: false },
  ],
  deed: scripted({
    'executor 1.1': ['wrong work', 'ticked another box', 'good'],
    'executor 1.2': ['usage limit', 'no signal', 'work that a hook refuses', 'good, ticked its own box'],
    'executor 1.3': ['good, a person added a task', 'timed out', 'switched the branch', 'emptied the plan', 'good'],
  }),
};

/** A task breaks, so does its fix, and the fix of the fix. */
export const recovery: Scenario = {
  ...base,
  name: 'recovery',
  isHonest: true,
  plan: planOf('1.1', '1.2'),
  policy: { review: 'off', recoveryMode: true, maxTaskIterations: 8 },
  deed: scripted({
    'executor 1.1': ['a report of failure', 'wrong work', 'good'],
    'executor 1.1.1': ['a report of failure', 'good'],
    'executor 1.2': ['exit code 1', 'good'],
  }),
};

/** Agents ask for other plans, with and without right. */
export const modifications: Scenario = {
  ...base,
  name: 'modifications',
  isHonest: true,
  plan: planOf('1.1', '1.2', '1.3', '1.4'),
  policy: { review: 'off', maxTaskIterations: 8 },
  deed: scripted({
    'executor 1.1': ['asked for a prerequisite', 'good'],
    'executor 1.2': ['asked to split'],
    'executor 1.2.9': ['good, but only its part', 'good'],
    'executor 1.3': ['asked for nonsense', 'good'],
    'executor 1.4': ['asked without a signal', 'asked for a follow-up'],
  }),
};

/** Reviewers find something, say nothing, and meddle. */
export const reviews: Scenario = {
  ...base,
  name: 'reviews',
  plan: planOf('1.1', '1.2', '1.3'),
  policy: { review: 'always', maxTaskIterations: 8 },
  deed: scripted({
    'reviewer 1.1': ['review failed', 'review passed'],
    'reviewer 1.2': ['no verdict', 'review passed, changed files'],
    'reviewer 1.3': ['review blamed the spec', 'usage limit', 'review passed'],
    'executor 1.3': ['good, committed by itself'],
  }),
};

/** Three tasks side by side: the slowest is the first, one fails, one asks for a task of its own; then one more alone. */
export const batch: Scenario = {
  ...base,
  name: 'batch',
  isHonest: true,
  plan: planOf(
    { id: '1.1', title: '[P] Build the part' },
    { id: '1.2', title: '[P] Build the part' },
    { id: '1.3', title: '[P] Build the part' },
    '1.4',
  ),
  policy: { review: 'off', maxTaskIterations: 8, jobs: 3, isolation: 'worktree' },
  dirty: [{ path: 'draft/mine.txt', text: 'my draft\n', staged: false }],
  deed: scripted({
    'executor 1.1': ['good, committed by itself'],
    'executor 1.2': ['wrong work', 'good, ticked its own box'],
    'executor 1.3': ['asked for a follow-up'],
  }),
  stepMs: (call) => (call === 1 ? 60_000 : 1_000 * call),
};

/** Members of a batch ask for all changes of the plan. */
export const changingBatch: Scenario = {
  ...base,
  name: 'changing batch',
  plan: planOf(...['1.1', '1.2', '1.3'].map((id) => ({ id, title: '[P] Build the part' }))),
  policy: { review: 'off', maxTaskIterations: 8, jobs: 3, isolation: 'worktree' },
  deed: scripted({
    'executor 1.1': ['asked for a prerequisite', 'good'],
    'executor 1.2': ['asked to split'],
    'executor 1.3': ['asked for a follow-up'],
  }),
};

const dirty = [
  { path: 'README.md', text: 'mine\n', staged: true },
  { path: 'draft/mine.txt', text: 'my draft\n', staged: false },
] as const;

/** Verify commands do more than to pass, and processes write to work that was proved. */
export const proofs: Scenario = {
  ...base,
  name: 'proofs',
  plan: planOf('1.1', '1.2'),
  policy: { review: 'off', maxTaskIterations: 8 },
  dirty,
  deed: scripted({
    'executor 1.1': ['its check commits', 'its check removes it', 'good, its check formats it'],
    'executor 1.2': [
      'good, reset what the user had changed',
      'good, a process of it breaks the work',
      'good, a process of it lives on',
    ],
  }),
};

/** Hooks repair work, and the plan waits for a person who makes git sign. */
export const hooks: Scenario = {
  ...base,
  name: 'hooks',
  isHonest: true,
  plan: planOf('1.1', { id: '1.2', commit: 'None' }),
  policy: { review: 'off', maxTaskIterations: 8 },
  dirty,
  deed: scripted({
    'executor 1.1': ['work that a hook breaks', 'work that a hook repairs'],
  }),
  refusal: { from: 3, by: 'signing' },
};

/** The commit of a change to the plan that an agent asked for is refused once. */
export const refusedChange: Scenario = {
  ...base,
  name: 'refused change',
  isHonest: true,
  plan: planOf('1.1', '1.2'),
  policy: { review: 'off', maxTaskIterations: 8 },
  dirty,
  deed: scripted({ 'executor 1.2': ['asked for a prerequisite', 'good'] }),
  refusal: { from: 3, by: 'signing' },
};

/** Agents say that something is missing, change nothing, and are in doubt. */
export const claims: Scenario = {
  ...base,
  name: 'claims',
  isHonest: true,
  plan: planOf({ id: '1.1', verify: '`true`' }, '1.2'),
  policy: { review: 'auto', maxTaskIterations: 8 },
  deed: scripted({
    'executor 1.1': ['idle', 'idle'],
    'executor 1.2': ['left something undone', 'good, in words of doubt'],
    'reviewer 1.2': ['review failed', 'no verdict', 'no verdict', 'review passed'],
  }),
};

/** What befalls single tasks, in tasks side by side. */
export const meddlingBatch: Scenario = {
  ...base,
  name: 'meddling batch',
  plan: planOf({ id: '1.1', title: '[P] Build the part' }, { id: '1.2', title: '[P] Build the part' }),
  policy: { review: 'off', maxTaskIterations: 8, jobs: 2, isolation: 'worktree' },
  dirty,
  deed: scripted({
    'executor 1.1': ['good, reset what the user had changed'],
    'executor 1.2': ['its check commits', 'good, a process of it lives on'],
  }),
  refusal: { from: 3, by: 'message' },
  stepMs: (call) => (call === 1 ? 60_000 : 1_000 * call),
};

/** All that a Verify command is known to do, one task after the other. */
export const checks: Scenario = {
  ...base,
  name: 'checks',
  plan: planOf('1.1', '1.2', '1.3', '1.4', '1.5'),
  policy: { review: 'off', maxTaskIterations: 3 },
  dirty,
  isWithoutHooks: true,
  deed: scripted({
    'executor 1.1': ['good, reset what the user had changed', 'good'],
    'executor 1.2': ['its check removes it', 'good, its check formats it'],
    'executor 1.3': ['its check switches the branch', 'its check commits', 'good'],
    'executor 1.4': ['good, a process of it breaks the work', 'good, a process of it lives on'],
    'executor 1.5': ['its check rewrites it each time', 'good, its check litters'],
  }),
};

/** Verify commands write beside the work, and rewrite it, so that one that is cut off leaves something to put back. */
export const litter: Scenario = {
  ...base,
  name: 'litter',
  plan: planOf('1.1', '1.2', '1.3'),
  policy: { review: 'off', maxTaskIterations: 6 },
  dirty,
  deed: scripted({
    'executor 1.1': ['good, its check litters'],
    'executor 1.2': ['good, its check formats it'],
    'executor 1.3': ['good, its check litters'],
  }),
};

/** What commands do, in tasks side by side. */
export const checksInBatch: Scenario = {
  ...base,
  name: 'checks in a batch',
  plan: planOf(...['1.1', '1.2', '1.3', '1.4'].map((id) => ({ id, title: '[P] Build the part' }))),
  policy: { review: 'off', maxTaskIterations: 3, jobs: 4, isolation: 'worktree' },
  dirty,
  deed: scripted({
    'executor 1.1': ['good, a process of it breaks the work', 'good, a process of it lives on'],
    'executor 1.2': ['good, its check formats it'],
    'executor 1.3': ['its check switches the branch', 'its check commits', 'good'],
    'executor 1.4': ['its check rewrites it each time', 'good, its check litters'],
  }),
};

/** Agents take from the user, and change what judges their work; alone in the tree. */
export const meddlers: Scenario = {
  ...base,
  name: 'meddlers',
  plan: planOf('1.1', '1.2'),
  policy: { review: 'off', maxTaskIterations: 4 },
  deed: scripted({
    'executor 1.1': ['took a branch and the stash', 'hid changes from git', 'good'],
    'executor 1.2': ['changed hooks and settings', 'good'],
  }),
};

/** The same beside others at work. */
export const meddlersInBatch: Scenario = {
  ...base,
  name: 'meddlers in a batch',
  plan: planOf(...['1.1', '1.2', '1.3'].map((id) => ({ id, title: '[P] Build the part' }))),
  policy: { review: 'off', maxTaskIterations: 4, jobs: 3, isolation: 'worktree' },
  deed: scripted({
    'executor 1.1': ['took a branch and the stash', 'good'],
    'executor 1.2': ['changed hooks and settings', 'good'],
    'executor 1.3': ['hid changes from git', 'good'],
  }),
};

const DRAFTS = [
  { step: stepFor('research', false), isDone: false, commit: commitSubject('demo', 'research') },
  { step: stepFor('requirements', true), isDone: false, commit: commitSubject('demo', 'requirements') },
] as const;

/** Topics of research are looked into in parallel, one of them in vain, and merged. */
export const topics: Scenario = {
  ...base,
  name: 'topics',
  plan: planOf('1.1'),
  drafts: listSteps({
    ...{ spec: 'demo', needed: ['research', 'requirements'], there: [], from: 'research', gates: 'each' },
    topics: ['code', 'outside', 'tooling'],
  }),
  policy: { maxTaskIterations: 9, jobs: 2 },
  deed: scripted({
    'researcher research:code': ['good, a stray file', 'good'],
    'researcher research:outside': ['no signal', 'exit code 1', 'exit code 1', 'exit code 1'],
    'researcher research:tooling': ['good, committed by itself'],
  }),
};

/** Documents are drafted, in all ways that go wrong at first, up to a gate; the user has files of their own. */
export const drafting: Scenario = {
  ...base,
  name: 'drafting',
  onDefaultBranch: true,
  plan: planOf('1.1'),
  drafts: DRAFTS,
  policy: {
    maxTaskIterations: 9,
    review: 'always',
    reproduction: { command: 'test -f work/defect.txt', when: 'before' },
    measures: [{ kind: 'unit', command: 'test -f work/defect.txt', from: 'package.json' }],
  },
  dirty: [{ path: 'README.md', text: 'my words\n', staged: false }],
  deed: scripted({
    'researcher research': ['wrong work', 'asked questions', 'good, committed by itself', 'good'],
    'product-manager requirements': [
      'good, a stray file',
      'no signal',
      'usage limit',
      'emptied the plan',
      'good, reset what the user had changed',
      'good',
    ],
    'reviewer requirements': ['no verdict', 'review failed', 'review passed'],
  }),
};

/** The second document is never right: what was made is taken away, and what the user had is there. */
export const undoing: Scenario = {
  ...base,
  name: 'undoing',
  plan: planOf('1.1'),
  specCommitted: true,
  drafts: DRAFTS.map((listed) => ({ ...listed, step: { ...listed.step, gate: false } })),
  isUndone: true,
  policy: { maxTaskIterations: 2, review: 'off' },
  dirty: [{ path: 'README.md', text: 'my words\n', staged: false }],
  deed: scripted({
    'researcher research': ['good'],
    'product-manager requirements': ['wrong work', 'good, a stray file', 'wrong work'],
  }),
};

/** Drafts of sessions, which lose answers, and of the process that takes over from them. */
export const draftingInSessions: Scenario = {
  ...drafting,
  name: 'drafting in sessions',
  policy: { maxTaskIterations: 9, review: 'off' },
  deed: scripted({
    'researcher research': ['good'],
    'product-manager requirements': ['wrong work', 'good, a stray file', 'good'],
  }),
  session: sessionOf(7),
};
