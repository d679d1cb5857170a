import * as z from 'zod/mini';
import { choice, command, count, dollars, duration, message, text, texts, toggle, variables } from './kinds.ts';

/** Where a setting belongs, and who may make it. */
export interface SettingScope {
  /** Heading under which help lists it. */
  readonly group?: string;
  /** `file`: only a file can hold it; it has no option and no variable. `person`: anything but a repository's file, as it decides what a repository may do to the person (R-SEC-1). */
  readonly from?: 'file' | 'person';
}

/** The standing of each leaf that is not inside a group of the file. */
export const standings = z.registry<SettingScope>();

const agents = group('Agents', {
  agent: text('Coding agent that works on the tasks.', 'NAME'),
  agentCommand: command(
    'Program that is the agent: it gets the prompt on stdin, and what it prints on stdout is its answer. A JSON array of arguments, or one text split like shell words. A relative program is found from where the command is given, or from the file that names it. Its usage limits are not recognised.',
  ),
  model: text('Model that the agent is asked to use.', 'NAME'),
});

const roles = optionals(
  { executor: role('executor'), verifier: role('verifier'), reviewer: role('reviewer') },
  'What differs for the executor, who works on tasks, the verifier, who works on [VERIFY] tasks, or the reviewer.',
);

const limits = group('Limits', {
  maxTaskIterations: count('Failed attempts of one task before the run stops.'),
  maxGlobalIterations: count(
    'Attempts of all tasks together before the run stops. Default: the larger of 100 and three times the number of tasks.',
  ),
  stallAfter: count('Equal failures in a row, without a change in the tree, before the run stops.'),
  maxCost: dollars('Spending at which the run stops, as far as the agent tells it.'),
  maxTokens: count('Tokens at which the run stops, as far as the agent tells them.'),
  maxTime: duration('Time after which the run stops, at the end of a task.'),
  taskTimeout: duration('Longest attempt at a task.'),
  idleTimeout: duration('Longest silence of an agent.'),
  verifyTimeout: duration('Longest run of a Verify command.'),
});

const failures = group('Failed tasks', {
  recoveryMode: toggle('Give a failed task a fix task, and try it again once that is done.'),
  maxFixTasksPerOriginal: count('Fix tasks of one task before the run stops.'),
  maxFixTaskDepth: count('How deep fixes of fixes may go.'),
  keepFailedChanges: toggle('Leave the changes of a failed attempt in the tree for the next one.'),
});

const parallel = group('Parallel tasks', {
  jobs: count('Agents at work at the same time, on tasks marked [P]. Default: 5, or fewer on a small machine.'),
  isolation: choice(['worktree', 'shared'], 'Give parallel tasks a git worktree each, or let them share one tree.'),
  parallelOverlap: choice(
    ['separate', 'allow'],
    'Keep tasks whose Files overlap apart, or allow them to run at the same time.',
  ),
});

const worktree = optionals(
  {
    copy: texts('Ignored files that a fresh worktree gets a copy of, as globs.', 'GLOB'),
    setup: command('Command that makes a fresh worktree ready, such as "npm ci". Runs only in a trusted workspace.'),
  },
  'How fresh worktrees are made ready: those of parallel tasks, and of a spec (--worktree).',
);

const checks = group('Checks', {
  bookkeeping: choice(['coordinator', 'agent'], 'Who ticks the box, writes the progress and commits.'),
  review: choice(
    ['auto', 'always', 'strict', 'off'],
    'When a reviewer looks at the work: when it is due, after every task, when due and stopping for a person if findings are left, or never.',
  ),
  scope: choice(
    ['off', 'warn', 'enforce'],
    'What happens to changes outside of the Files of a task: nothing, a warning, or the attempt is rejected.',
  ),
  baseline: toggle(
    'Run the test command once before the first task, so that what failed before is not blamed on a task.',
  ),
  testCommand: text(
    'Command that runs the tests of the project, for the baseline and the final check; bash reads it, in a trusted workspace only.',
    'SHELL',
  ),
  admissions: fileOnly(
    texts('Words that are an admission of failure in an answer that claims success, in place of the built-in ones.'),
  ),
  doubts: fileOnly(
    texts(
      'Words that are a sign of something missing beside a claim of success, so that a reviewer looks, in place of the built-in ones.',
    ),
  ),
  protect: fileOnly(texts('Files that no task may change, as globs.', 'GLOB')),
});

const commits = optionals(
  {
    spec: message('The files of the spec, before the first task.', ['spec']),
    task: message('The record of a task whose Commit is None.', ['spec', 'task', 'index']),
    fix: message('A fix task that is added to the plan.', ['spec', 'task']),
    plan: message('A change of the plan that an agent asked for.', ['spec', 'task', 'change']),
    reopen: message('Boxes that are opened again after a batch.', ['spec', 'tasks']),
    progress: message('The progress file, where a run ends before all is done.', ['spec']),
    final: message('The progress file, where all is done.', ['spec']),
  },
  "Messages of specloop's own commits, for repositories whose hooks want a ticket or a form. The messages of tasks are in the plan.",
);

const start = group('Start and output', {
  workdir: text(
    "Folder in which agents, Verify commands and the tests run, relative to the repository's root, which is `.` itself. Default: the nearest package (a folder with package.json, go.mod or the like) that the folder of specs lies in, else the root.",
    'DIR',
  ),
  specsDirs: fileOnly(
    texts(
      'Folders whose sub-folders are specs, relative to where the command runs. A name that is in two of them is ambiguous.',
      'DIR',
    ).check(z.minLength(1, { error: 'a list of at least one folder' })),
  ),
  commitSpec: toggle('Commit the files of the spec that are not committed before the first task.'),
  allowDirty: toggle('Start although you have uncommitted changes; they are neither committed nor lost.'),
  allowDefaultBranch: toggle('Work on the default branch.'),
  quiet: toggle('Tell only failures and the end of the run.'),
});

const safety = group('Safety', {
  passEnv: personal(
    variables('Variables that agents and Verify commands get in addition to the usual ones; a name may end in *.'),
  ),
  containment: personal(
    choice(
      ['marker', 'namespace'],
      'How what agents start is found and ended: by marks, or by a process name space of the kernel.',
    ),
  ),
  sandbox: personal(
    choice(
      ['off', 'auto', 'strict'],
      'Whether agents and commands run in a sandbox, where they write only to the working tree and see no credentials: never, where it works, or not without one.',
    ),
  ),
  sandboxNetwork: personal(
    choice(
      ['allow', 'deny'],
      'Whether Verify commands in the sandbox reach the network. Agents do, as their models are there.',
    ),
  ),
  sandboxWrite: personal(
    texts('Folders and files that can be seen and written in the sandbox, whatever is in them.', 'PATH'),
  ),
});

/** Every setting, with what it takes. A file may leave out any of them. */
export const settingsFile = optionals({
  ...agents,
  roles,
  ...limits,
  ...failures,
  ...parallel,
  worktree,
  ...checks,
  commits,
  ...start,
  ...safety,
});

/** The settings that a file, the environment or the command line makes; times in milliseconds. */
export type SettingsFile = z.output<typeof settingsFile>;

/** What holds where nothing else is said, written as in a file. */
export const defaults = {
  maxTaskIterations: 5,
  stallAfter: 3,
  taskTimeout: '30m',
  idleTimeout: '10m',
  verifyTimeout: '10m',
  recoveryMode: false,
  maxFixTasksPerOriginal: 3,
  maxFixTaskDepth: 3,
  keepFailedChanges: false,
  isolation: 'worktree',
  parallelOverlap: 'separate',
  bookkeeping: 'coordinator',
  review: 'auto',
  scope: 'warn',
  baseline: false,
  protect: [],
  specsDirs: ['specs'],
  commitSpec: true,
  allowDirty: false,
  allowDefaultBranch: false,
  quiet: false,
  passEnv: [],
  containment: 'marker',
  sandbox: 'off',
  sandboxNetwork: 'allow',
  sandboxWrite: [],
} as const satisfies z.input<typeof settingsFile>;

/** All settings of a run; times in milliseconds. What has no default may be absent. */
export type Settings = SettingsFile & { [Key in keyof typeof defaults]-?: NonNullable<SettingsFile[Key]> };

function role(name: string) {
  return optionals(
    {
      agent: text(`Agent of the ${name}.`, 'NAME'),
      command: command(`Program that is the agent of the ${name}, in place of a named one.`),
      model: text(`Model that the agent of the ${name} is asked to use.`, 'NAME'),
      taskTimeout: duration(`Longest attempt of the ${name}.`),
      idleTimeout: duration(`Longest silence of the ${name}.`),
    },
    `What holds for the ${name} alone.`,
  );
}

/** A group of settings, each of which may be left out. */
function optionals<Shape extends z.core.$ZodShape>(shape: Shape, description = '') {
  const group = z.partial(z.strictObject(shape, { error: aGroup }));
  return description === '' ? group : group.check(z.describe(description));
}

function group<Shape extends Readonly<Record<string, z.ZodMiniType>>>(heading: string, shape: Shape): Shape {
  for (const schema of Object.values(shape)) standings.add(schema, { ...standings.get(schema), group: heading });
  return shape;
}

function fileOnly<Schema extends z.ZodMiniType>(schema: Schema): Schema {
  standings.add(schema, { from: 'file' });
  return schema;
}

function personal<Schema extends z.ZodMiniType>(schema: Schema): Schema {
  standings.add(schema, { from: 'person' });
  return schema;
}

function aGroup(issue: { readonly code?: string }): string | undefined {
  return issue.code === 'unrecognized_keys' ? undefined : 'a group of settings';
}
