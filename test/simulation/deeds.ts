import type { Role } from '../../src/core/agent/role.ts';
import type { Task } from '../../src/core/plan/data/task.ts';
import type { AgentEnd, AgentOutcome } from '../../src/ports/agent.ts';
import { type MemoryHands, memoryHands } from '../memory/hands.ts';
import type { MemoryRepository, MemoryTree } from '../memory/repository.ts';
import { changesOf } from '../memory/status.ts';
import { putFile, removePath } from '../memory/tree.ts';
import { askFor, type CheckName } from './checks.ts';
import { requestFor } from './requests.ts';
import type { DirtyFile } from './scenario.ts';

/** Where an agent is at work, and on what. */
export interface Stage {
  readonly repository: MemoryRepository;
  readonly dir: string;
  /** The user's own tree. */
  readonly home: string;
  readonly tree: MemoryTree;
  readonly hands: MemoryHands;
  /** Folder of the spec, relative to the root. */
  readonly spec: string;
  readonly role: Role;
  /** The task as the agent was given it. */
  readonly task: Task;
  /** Which answer on this task it is, from 1. */
  readonly nth: number;
  /** Unlike any other call of an agent. */
  readonly call: number;
  readonly bookkeeping: 'coordinator' | 'agent';
  readonly now: () => string;
  /** What a person writes in their own tree meanwhile. */
  readonly personWrites: (path: string, text: string) => void;
  /** Told of the text that the agent leaves in the file of its task. */
  readonly made: (text: string) => void;
  /** What the user had uncommitted before the run. */
  readonly dirty: readonly DirtyFile[];
  /** Tells that a task must not be recorded on what this agent did after all. */
  readonly spoil: () => void;
  /** Leaves a process that writes this text into the file of the task as soon as the work was proved. */
  readonly lurk: (text: string) => void;
}

/** What one agent process does: steps between which it may be killed, and how it leaves. */
export interface Deed {
  readonly steps: readonly ((stage: Stage) => void)[];
  readonly leave: (stage: Stage) => Partial<AgentOutcome>;
  /**
   * Whether a coordinator may record the task on this answer, provided that its Verify command passes:
   * the agent gave its role's signal, admitted nothing and touched nothing that is not its own.
   */
  readonly isSound: boolean;
}

/** Where the work of a task goes: its Verify command looks there; of a step, its document. */
export function workFile({ task }: Pick<Stage, 'task'>): string {
  return task.step === undefined ? `work/${task.id}.txt` : (task.files[0] ?? '');
}

export function stageOf(stage: Omit<Stage, 'tree' | 'hands'>): Stage {
  const { repository, dir } = stage;
  return { ...stage, tree: repository.tree(dir), hands: memoryHands(repository, dir) };
}

const POSITIVE: Readonly<Record<Role, string>> = {
  executor: 'TASK_COMPLETE',
  verifier: 'VERIFICATION_PASS',
  reviewer: 'REVIEW_PASS',
  researcher: 'DRAFT_COMPLETE',
  'product-manager': 'DRAFT_COMPLETE',
  architect: 'DRAFT_COMPLETE',
  planner: 'DRAFT_COMPLETE',
};

function make(stage: Stage, text: string): void {
  putFile(stage.tree.files, workFile(stage), text);
  stage.made(text);
}

const half = (stage: Stage) => make(stage, `half of call ${stage.call}\n`);
const whole = (stage: Stage) => make(stage, `done: task ${stage.task.id}, answer ${stage.nth}\n`);
const wrong = (stage: Stage) => make(stage, `wrong: task ${stage.task.id}, answer ${stage.nth}\n`);
/** The last part of a split task completes the whole. */
const wholeOfSplit = ({ tree, task, nth }: Stage): void => {
  const original = /^(.+)\.9$/.exec(task.id)?.[1];
  if (original !== undefined && !/^\d+$/.test(original))
    putFile(tree.files, `work/${original}.txt`, `done: all parts, answer ${nth}\n`);
};
/** Whoever merges has both sides' lines in the files that are in conflict. */
const resolveConflicts = ({ tree, task }: Stage): void => {
  if (!task.title.startsWith('Merge')) return;
  for (const [path, text] of tree.files) {
    const without = text.replaceAll(/^(?:<{7}|={7}|>{7}).*\n/gm, '');
    if (without !== text) putFile(tree.files, path, without);
  }
};
/** Text that others are to rewrite, so that it need not outlast them. */
const rewritable = (rest: string) => (stage: Stage) =>
  putFile(stage.tree.files, workFile(stage), `done: task ${stage.task.id}, answer ${stage.nth}\n${rest}\n`);
const asking = (check: CheckName) => (stage: Stage) =>
  make(stage, `done: task ${stage.task.id}, answer ${stage.nth}\n${askFor(check)}\n`);
const work = [half, whole];
const workWhole = [...work, wholeOfSplit, resolveConflicts];

function edit({ tree, spec }: Stage, change: (text: string) => string | undefined): void {
  const path = `${spec}/tasks.md`;
  const text = change(tree.files.get(path) ?? '');
  if (text === undefined) removePath(tree.files, path);
  else putFile(tree.files, path, text);
}

const box = (id: string) => new RegExp(`\\[[ xX]\\] ${id.replaceAll('.', '\\.')} `);
const tickOf = (stage: Stage) => edit(stage, (text) => text.replace(box(stage.task.id), `[x] ${stage.task.id} `));
/** Ticks the last open box that is not the task's own; without one, a task of the agent's making. */
const tickNext = (stage: Stage) =>
  edit(stage, (text) => {
    const others = [...text.matchAll(/\[ \] (\S+) /g)]
      .map((match) => match[1] ?? '')
      .filter((id) => id !== stage.task.id);
    const other = others.at(-1);
    if (other === undefined) return `${text}\n- [x] 8.8 Build what nobody asked for\n`;
    return text.replace(box(other), `[x] ${other} `);
  });
/** People look at the tree that is theirs, not at worktrees. */
const personAdds = (stage: Stage) => edit({ ...stage, tree: stage.repository.tree(stage.home) }, withAddedTask);
/** In a tree that an agent works in, a person's edit can't be told from its work. */
const personEdits = (stage: Stage): void => {
  if (stage.dir !== stage.home) stage.personWrites(`mine-${stage.task.id}.txt`, 'my own words\n');
};
/** Puts the user's tree back to the last commit, as `git reset --hard` does; where the agent works there, that is its own doing. */
const resetTheUsers = ({ repository, home, dir, dirty, spoil }: Stage): void => {
  const tree = repository.tree(home);
  const head = repository.headFilesOf(tree);
  // What was the user's at first may be committed by now.
  const theirs = dirty.filter(({ path }) => tree.files.get(path) !== head.get(path));
  for (const { path } of theirs) {
    const text = head.get(path);
    if (text === undefined) removePath(tree.files, path);
    else putFile(tree.files, path, text);
  }
  memoryHands(repository, home).stage(theirs.map(({ path }) => path));
  if (theirs.length > 0 && dir === home) spoil();
};
/** Things of the user's that all trees share. */
const clearStash = ({ repository }: Stage): void => {
  repository.stash = [];
};
const removeBranch = ({ repository }: Stage) => void repository.refs.delete('refs/heads/precious');
const emptyHook = ({ repository }: Stage) => void repository.gitFiles.set('.git/hooks/pre-commit', '');
const leadHooksElsewhere = ({ repository }: Stage) =>
  void repository.gitFiles.set('.git/config', '[core]\n\thooksPath = /dev/null\n');
const hideChanges = ({ repository, home }: Stage) =>
  void repository.flags.set(home, [{ path: 'README.md', flag: 'skip-worktree' }]);
const commitAll = (stage: Stage) => void stage.hands.commitAll(`agent: task ${stage.task.id}`);

/** In the seeds' way the agent marks, logs and commits (R-DEL-5). */
const books = (stage: Stage): void => {
  if (stage.bookkeeping !== 'agent') return;
  tickOf(stage);
  const changes = changesOf(stage.repository, stage.tree).map(({ path }) => path);
  const own = changes.filter((path) => path.startsWith('work/') || path === `${stage.spec}/tasks.md`);
  stage.hands.commitOnly(own, stage.task.commit ?? `agent: task ${stage.task.id}`);
};

const say = (answer: string) => (): Partial<AgentOutcome> => ({ how: 'completed', answer });
const claim = ({ role }: Stage): Partial<AgentOutcome> => ({
  how: 'completed',
  answer: `Did it.\n\n${POSITIVE[role]}\n`,
});
const ends = (how: AgentEnd, message: string) => (): Partial<AgentOutcome> => ({ how, answer: '', message });
const sound = (...steps: Deed['steps']): Deed => ({ steps, leave: claim, isSound: true });
const lie = (...steps: Deed['steps']): Deed => ({ steps: [...work, ...steps], leave: claim, isSound: false });
const fails = (leave: Deed['leave'], steps: Deed['steps'] = work): Deed => ({ steps, leave, isSound: false });
const asks = (kind: Parameters<typeof requestFor>[0], isSound: boolean, steps: Deed['steps'] = work): Deed => ({
  steps,
  leave: (stage) => ({ how: 'completed', answer: requestFor(kind, stage.task) }),
  isSound,
});

/** One that only a person can answer, and one that the author is to look up. */
function questionsOf({ task, nth }: Stage): string {
  const of = (kind: string) => ({
    id: `${task.id}-${kind}-${nth}`,
    ask: `Which ${kind} of ${task.id}, in answer ${nth}?`,
    why: 'It matters.',
    changes: 'scope',
    kind,
  });
  return `I need to know.\n\nQUESTIONS\n${JSON.stringify([of('fact'), of('decision')])}\n`;
}

const report = ({ task }: Stage): Partial<AgentOutcome> => ({
  how: 'completed',
  answer: `Task ${task.id}: ${task.title} FAILED\n- Error: the ${task.id} parts do not fit\n- Attempted fix: bent them\n- Status: blocked\n`,
});

/** Everything that an agent is known, or feared, to do. */
export const DEEDS = {
  good: sound(...workWhole, books),
  'good, but only its part': sound(...work, books),
  'good, ticked its own box': sound(...workWhole, tickOf, books),
  'good, committed by itself': sound(half, commitAll, whole, wholeOfSplit, commitAll, books),
  'good, a stray file': sound(
    ...workWhole,
    (stage) => putFile(stage.tree.files, `stray-${stage.task.id}.txt`, `stray of ${stage.task.id}\n`),
    books,
  ),
  'good, a person added a task': sound(half, personAdds, whole, wholeOfSplit, books),
  'good, in a file that others write too': sound(
    ...workWhole,
    (stage) => putFile(stage.tree.files, 'index.txt', `last was ${stage.task.id}\n`),
    books,
  ),
  'good, a person edits a file': sound(...workWhole, personEdits, books),
  'good, reset what the user had changed': sound(...workWhole, resetTheUsers, books),
  'good, a process of it lives on': {
    steps: [...workWhole, books],
    leave: (stage) => {
      stage.lurk(`done: swapped after answer ${stage.nth}\n`);
      return claim(stage);
    },
    isSound: true,
  },
  'good, a process of it breaks the work': {
    steps: [...workWhole, books],
    leave: (stage) => {
      stage.lurk(`broken after answer ${stage.nth}\n`);
      return claim(stage);
    },
    isSound: true,
  },
  'good, its check formats it': sound(rewritable(askFor('formats')), books),
  'good, its check litters': sound(asking('litters'), books),
  'its check rewrites it each time': sound(rewritable(askFor('churns')), books),
  'its check removes it': sound(rewritable(askFor('removes')), books),
  'its check commits': sound(asking('commits'), books),
  'its check switches the branch': sound(asking('switches'), books),
  'work that a hook repairs': sound(rewritable('UNTIDY'), books),
  'work that a hook breaks': sound(rewritable('UGLY'), books),
  'good, nothing left undone': {
    steps: [...workWhole, books],
    leave: ({ role }) => say(`Did it.\n\nLeft undone: none\n\n${POSITIVE[role]}\n`)(),
    isSound: true,
  },
  'good, in words of doubt': {
    steps: [...workWhole, books],
    leave: ({ role }) => say(`Did it. I stubbed out the network call for now.\n\n${POSITIVE[role]}\n`)(),
    isSound: true,
  },
  'left something undone': fails(({ role }) => say(`Left undone: the second part\n\n${POSITIVE[role]}\n`)()),
  idle: sound(books),
  'wrong work': sound(half, wrong, books),
  'work that a hook refuses': sound(half, (stage) => make(stage, `done: FORBIDDEN, answer ${stage.nth}\n`)),
  'no signal, a person added a task': fails(say('Still at it.'), [half, personAdds]),
  'no signal': fails(say('I am working on it.')),
  'negative verdict': fails(say('VERIFICATION_FAIL\n')),
  'a report of failure': fails(report, [half]),
  'both verdicts': fails(say('VERIFICATION_PASS\n\nVERIFICATION_FAIL\n')),
  'signal in a sentence': fails(say('I will print TASK_COMPLETE or VERIFICATION_PASS when it is done.')),
  'signal in a fence': fails(say('```\nTASK_COMPLETE\nVERIFICATION_PASS\n```\n')),
  contradiction: fails((stage) => ({
    how: 'completed',
    answer: `This requires manual steps.\n\n${POSITIVE[stage.role]}\n`,
  })),
  'exit code 1': fails((stage) => ({ ...claim(stage), how: 'failed', message: 'The agent exited with code 1.' })),
  'timed out': fails(ends('timed-out', 'The agent was stopped at its time limit.'), [half]),
  'fell silent': fails(ends('silent', 'The agent was stopped because it printed nothing.'), []),
  crashed: fails(ends('crashed', 'The agent was killed by SIGSEGV.'), [half]),
  refused: fails(ends('refused', 'The model declined.'), []),
  overflow: fails(ends('context-overflow', 'The prompt is too long.'), [half]),
  'usage limit': fails(ends('rate-limited', 'Usage limit reached.'), [half]),
  'usage limit with a reset': fails(
    ({ now }) => ({
      how: 'rate-limited',
      answer: '',
      message: 'Usage limit reached.',
      resetsAt: new Date(Date.parse(now()) + 3_600_000).toISOString(),
    }),
    [half],
  ),
  overloaded: fails(ends('overloaded', 'The service is overloaded.'), [half]),
  'asked a person': fails(
    ({ call }) => ({ how: 'completed', answer: `I need to know.\n\nNEEDS_INPUT\nWhich way, in call ${call}?\n` }),
    [half],
  ),
  'asked questions': fails((stage) => ({ how: 'completed', answer: questionsOf(stage) }), [half]),
  'was denied a tool': fails(
    ({ call }) => ({ how: 'completed', answer: `I may not go on, in call ${call}.`, denials: ['Bash'] }),
    [half],
  ),
  unauthenticated: fails(ends('unauthenticated', 'Not signed in.'), []),
  'ticked another box': lie(tickNext),
  'changed a title': lie((stage) => edit(stage, (text) => text.replace(/Build the (\w+)/, 'Skip the $1'))),
  'made its check easy': {
    steps: [(stage) => edit(stage, withEasyChecks)],
    leave: claim,
    isSound: false,
  },
  'emptied the plan': lie((stage) => edit(stage, () => '')),
  'removed the plan': lie((stage) => edit(stage, () => undefined)),
  'wrote the state file': lie((stage) =>
    putFile(stage.tree.files, `${stage.spec}/.ralph-state.json`, '{"taskIndex": 99'),
  ),
  'switched the branch': lie((stage) => stage.hands.branchOff(`agent-${stage.task.id}-${stage.nth}`), commitAll),
  'detached HEAD': lie((stage) => stage.hands.detach(), commitAll),
  'rewrote a commit': lie((stage) => void stage.hands.amend('rewritten')),
  'dropped a commit': lie((stage) => {
    const { parent } = stage.repository.commit(stage.repository.headOf(stage.tree) ?? '');
    if (parent !== undefined) stage.repository.moveHead(stage.tree, parent);
  }),
  'left a merge half done': lie((stage) => {
    stage.tree.operation = 'merge';
  }),
  'took a branch and the stash': lie(removeBranch, clearStash),
  'changed hooks and settings': lie(emptyHook, leadHooksElsewhere),
  'hid changes from git': lie(hideChanges),
  'asked to split': asks('SPLIT_TASK', true, []),
  'asked for a follow-up': asks('ADD_FOLLOWUP', true),
  'asked for a prerequisite': asks('ADD_PREREQUISITE', false, [half]),
  'asked for nonsense': asks('malformed', true),
  'asked for a taken id': asks('taken', true),
  'asked without a signal': asks('unsigned', false),
  'review passed': { steps: [], leave: claim, isSound: true },
  'review passed, changed files': { steps: [wrong, (stage) => edit(stage, () => '')], leave: claim, isSound: true },
  'review passed, a person added a task': {
    steps: [personAdds],
    leave: claim,
    isSound: true,
  },
  'review failed': fails(say('## Issues\n\n- Code: the parts do not fit\n\nREVIEW_FAIL\n'), []),
  'review blamed the spec': fails(say('## Issues\n\n- [spec] The design is silent about parts\n\nREVIEW_FAIL\n'), []),
  'no verdict': fails(say('Looks interesting.'), []),
} satisfies Readonly<Record<string, Deed>>;

export type DeedName = keyof typeof DEEDS;

/** What rejects no member of a batch: there is neither state file nor branch, and what all trees share may be another's doing. */
export const HARMLESS_APART: ReadonlySet<DeedName> = new Set([
  'wrote the state file',
  'detached HEAD',
  'took a branch and the stash',
  'changed hooks and settings',
  'hid changes from git',
]);

export function deedOf(name: DeedName): Deed {
  return DEEDS[name];
}

/** Every check passes, and where there is none, less is asked for. */
function withEasyChecks(text: string): string {
  const easy = text.replaceAll(/(Verify\*\*:) `(?:test|grep)[^`]*`/g, '$1 `true`');
  return easy === text ? text.replace('the part', 'no part') : easy;
}

function withAddedTask(text: string): string {
  if (text.includes('Build the annex')) return text;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = ['- [ ] 9.1 Build the annex', '  - **Verify**: `true`', ''].join(eol);
  return text.endsWith('\n') ? `${text}${lines}` : `${text}${eol}${lines}`;
}
