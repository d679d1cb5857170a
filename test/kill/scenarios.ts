import type { AgentScript, ScriptStep } from '../../src/testing/scripted-agent.ts';

/** A run that ends the same however often it is killed on the way. */
export interface Scenario {
  readonly name: string;
  /** Files of the spec before its run, by their names. */
  readonly files: Readonly<Record<string, string>>;
  /** What is called, again after each kill, without the agent. */
  readonly command: readonly string[];
  readonly script: AgentScript;
  /** `undone`: what the run made is taken away again. */
  readonly end: 'complete' | 'undone';
  /** In a batch, a member that a kill cut off is recorded behind its neighbours, as any member that failed (R-PAR-5). */
  readonly isOrdered: boolean;
}

const DONE: ScriptStep = { print: 'It is done.\n\nTASK_COMPLETE\n' };
/** Long enough for a kill to find an agent at work. */
const WORK: ScriptStep = { sleepMs: 40 };

const task = (id: string, file: string, markers = '') => `- [ ] ${id} ${markers}Write ${file}
  - **Do**: Write \`${file}\`
  - **Files**: \`${file}\`
  - **Done when**: It is there
  - **Verify**: \`grep -q right ${file}\`
  - **Commit**: \`feat: write ${file}\`
`;

const write = (file: string, word = 'right'): readonly ScriptStep[] => [
  WORK,
  { write: { [file]: `${word}\n` } },
  WORK,
  DONE,
];

/** A first attempt that a kill finds with half a file, and with a server in a session of its own. */
const writeUntidily = (file: string, word = 'right'): readonly ScriptStep[] => [
  { write: { [`${file}.half`]: 'r\n' } },
  { child: { lifeMs: 120_000, ownSession: true } },
  { sleepMs: 200 },
  { remove: `${file}.half` },
  ...write(file, word),
];

/** A claim that Verify rejects, a check by a verifier, and a reviewer at the end. */
const retry: Scenario = {
  name: 'one task after the other, with a rejected claim',
  files: {
    'tasks.md': `# Tasks\n\n## Phase 1\n\n${task('1.1', 'a.txt')}\n${task('1.2', 'b.txt')}
- [ ] 1.3 [VERIFY] Look at both
  - **Verify**: \`grep -q right a.txt b.txt\`
  - **Commit**: None

${task('1.4', 'c.txt')}`,
  },
  command: ['implement', 'demo'],
  script: {
    '1.1': [writeUntidily('a.txt'), write('a.txt')],
    '1.2': [writeUntidily('b.txt', 'wrong'), write('b.txt')],
    '1.4': [write('c.txt')],
  },
  end: 'complete',
  isOrdered: true,
};

/** The agent fails for as long as the fix is not there, however often it is started. */
const fix: Scenario = {
  name: 'a task that needs a fix task',
  files: { 'tasks.md': `# Tasks\n\n${task('1.1', 'a.txt')}\n${task('1.2', 'b.txt')}` },
  command: ['implement', 'demo', '--recovery-mode', '--review', 'off'],
  script: {
    '1.1': [write('a.txt')],
    '1.2': [[WORK, { run: ['test', '-f', 'fixed.txt'] }, ...write('b.txt')]],
    '1.2.1': [writeUntidily('fixed.txt'), write('fixed.txt')],
  },
  end: 'complete',
  isOrdered: true,
};

/** Three tasks at the same time, each in a worktree, between two that run alone. */
const batch: Scenario = {
  name: 'a batch in worktrees',
  files: {
    'tasks.md': `# Tasks\n\n${task('1.1', 'a.txt')}\n${['b', 'c', 'd'].map((name, n) => task(`1.${n + 2}`, `${name}.txt`, '[P] ')).join('\n')}\n${task('1.5', 'e.txt')}`,
  },
  command: ['implement', 'demo', '--jobs', '3', '--review', 'off'],
  script: {
    '1.1': [write('a.txt')],
    '1.2': [writeUntidily('b.txt'), write('b.txt')],
    '1.3': [[WORK, WORK, ...write('c.txt')]],
    '1.4': [writeUntidily('d.txt'), write('d.txt')],
    '1.5': [write('e.txt')],
  },
  end: 'complete',
  isOrdered: false,
};

const asks = (type: 'SPLIT_TASK' | 'ADD_FOLLOWUP', id: string, ...proposed: readonly string[]): ScriptStep => ({
  print: `TASK_MODIFICATION_REQUEST\n${JSON.stringify({ type, originalTaskId: id, reasoning: 'It showed.', proposedTasks: proposed })}\n\n`,
});

/** One task turns out to be too big, another one shows more work; every attempt asks for the same. */
const changes: Scenario = {
  name: 'a plan that agents change',
  files: { 'tasks.md': `# Tasks\n\n${task('1.1', 'a.txt')}\n${task('1.2', 'b.txt')}\n${task('1.3', 'c.txt')}` },
  command: ['implement', 'demo', '--review', 'off'],
  script: {
    '1.1': [
      [asks('SPLIT_TASK', '1.1', task('1.1.1', 'part.txt'), task('1.1.2', 'rest.txt')), ...writeUntidily('a.txt')],
      [asks('SPLIT_TASK', '1.1', task('1.1.1', 'part.txt'), task('1.1.2', 'rest.txt')), ...write('a.txt')],
    ],
    '1.1.1': [write('part.txt')],
    '1.1.2': [write('rest.txt')],
    '1.2': [[asks('ADD_FOLLOWUP', '1.2', task('1.2.1', 'more.txt')), ...write('b.txt')]],
    '1.2.1': [writeUntidily('more.txt'), write('more.txt')],
    '1.3': [write('c.txt')],
  },
  end: 'complete',
  isOrdered: true,
};

const DRAFTED: ScriptStep = { print: 'Written.\n\nDRAFT_COMPLETE\n' };

const draft = (file: string, text: string): readonly ScriptStep[] => [
  WORK,
  { write: { [`specs/demo/${file}`]: text } },
  WORK,
  DRAFTED,
];

const RESEARCH = `# Research

## Executive Summary
A file is missing.

## Codebase Analysis
There is no code yet.

## Recommendations
Write it.

## Open Questions
None.

## Scope
- **Target**: the files
- **Actions**: write them
- **Bounds**: \`a.txt\`, \`b.txt\`
- **Deliverable**: two files
- **Complete when**: the checks pass
- **Escalate when**: another file has to change
`;
const DRAFTED_PLAN = `# Tasks\n\n## Phase 1\n\n${task('1.1', 'a.txt')}\n${task('1.2', 'b.txt')}`;

/** Documents without a gate, one of them wrong at first, another one half written when a kill finds it; then their tasks. */
const quick: Scenario = {
  name: 'a spec that is planned and run at once',
  files: {},
  command: ['new', 'demo', 'Fix two files', '--quick'],
  script: {
    research: [[{ write: { 'specs/demo/research.md': '# Res' } }, { sleepMs: 200 }, ...draft('research.md', RESEARCH)]],
    tasks: [[{ write: { 'stray.txt': 'r\n' } }, ...draft('tasks.md', DRAFTED_PLAN)], draft('tasks.md', DRAFTED_PLAN)],
    '1.1': [writeUntidily('a.txt'), write('a.txt')],
    '1.2': [write('b.txt')],
  },
  end: 'complete',
  isOrdered: true,
};

/** The second document never becomes a plan: all that was made goes, up to the file that the goal came from. */
const undone: Scenario = {
  name: 'a spec that cannot be planned',
  files: { 'plan.md': 'Fix two files\n' },
  command: ['new', 'demo', '--quick', '--max-task-iterations', '2', '--review', 'off'],
  script: { research: [draft('research.md', RESEARCH)], tasks: [draft('tasks.md', '# Tasks\n\nLater.\n')] },
  end: 'undone',
  isOrdered: true,
};

export const scenarios: readonly Scenario[] = [retry, fix, batch, changes, quick, undone];
