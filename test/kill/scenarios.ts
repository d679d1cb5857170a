import type { AgentScript, ScriptStep } from '../../src/testing/scripted-agent.ts';

/** A run that ends the same however often it is killed on the way. */
export interface Scenario {
  readonly name: string;
  readonly plan: string;
  readonly script: AgentScript;
  readonly options: readonly string[];
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
  plan: `# Tasks\n\n## Phase 1\n\n${task('1.1', 'a.txt')}\n${task('1.2', 'b.txt')}
- [ ] 1.3 [VERIFY] Look at both
  - **Verify**: \`grep -q right a.txt b.txt\`
  - **Commit**: None

${task('1.4', 'c.txt')}`,
  script: {
    '1.1': [writeUntidily('a.txt'), write('a.txt')],
    '1.2': [writeUntidily('b.txt', 'wrong'), write('b.txt')],
    '1.4': [write('c.txt')],
  },
  options: [],
  isOrdered: true,
};

/** The agent fails for as long as the fix is not there, however often it is started. */
const fix: Scenario = {
  name: 'a task that needs a fix task',
  plan: `# Tasks\n\n${task('1.1', 'a.txt')}\n${task('1.2', 'b.txt')}`,
  script: {
    '1.1': [write('a.txt')],
    '1.2': [[WORK, { run: ['test', '-f', 'fixed.txt'] }, ...write('b.txt')]],
    '1.2.1': [writeUntidily('fixed.txt'), write('fixed.txt')],
  },
  options: ['--recovery-mode', '--review', 'off'],
  isOrdered: true,
};

/** Three tasks at the same time, each in a worktree, between two that run alone. */
const batch: Scenario = {
  name: 'a batch in worktrees',
  plan: `# Tasks\n\n${task('1.1', 'a.txt')}\n${['b', 'c', 'd'].map((name, n) => task(`1.${n + 2}`, `${name}.txt`, '[P] ')).join('\n')}\n${task('1.5', 'e.txt')}`,
  script: {
    '1.1': [write('a.txt')],
    '1.2': [writeUntidily('b.txt'), write('b.txt')],
    '1.3': [[WORK, WORK, ...write('c.txt')]],
    '1.4': [writeUntidily('d.txt'), write('d.txt')],
    '1.5': [write('e.txt')],
  },
  options: ['--jobs', '3', '--review', 'off'],
  isOrdered: false,
};

const asks = (type: 'SPLIT_TASK' | 'ADD_FOLLOWUP', id: string, ...proposed: readonly string[]): ScriptStep => ({
  print: `TASK_MODIFICATION_REQUEST\n${JSON.stringify({ type, originalTaskId: id, reasoning: 'It showed.', proposedTasks: proposed })}\n\n`,
});

/** One task turns out to be too big, another one shows more work; every attempt asks for the same. */
const changes: Scenario = {
  name: 'a plan that agents change',
  plan: `# Tasks\n\n${task('1.1', 'a.txt')}\n${task('1.2', 'b.txt')}\n${task('1.3', 'c.txt')}`,
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
  options: ['--review', 'off'],
  isOrdered: true,
};

export const scenarios: readonly Scenario[] = [retry, fix, batch, changes];
