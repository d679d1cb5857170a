import * as z from 'zod/mini';
import { DIALECTS } from '../core/plan/data/dialect.ts';
import { RESEARCH_FILE } from '../core/spec-files.ts';
import {
  choice,
  command,
  count,
  dollars,
  duration,
  environment,
  headings,
  message,
  named,
  price,
  size,
  text,
  texts,
  toggle,
  variables,
} from './kinds.ts';

/** Where a setting belongs, and who may make it. */
export interface SettingScope {
  /** Heading under which help lists it. */
  readonly group?: string;
  /** `file`: only a file can hold it; it has no option and no variable. `person`: anything but a repository's file, as it decides what a repository may do to the person (R-SEC-1). */
  readonly from?: 'file' | 'person';
}

/** The scope of each setting that is not inside a group of the file. */
export const scopes = z.registry<SettingScope>();

const agents = group('Agents', {
  agent: text(
    'Coding agent to use: one that "specloop agents" lists, or a name under agents: of a settings file.',
    'NAME',
  ),
  fallback: texts(
    'Agents that go on, in this order, while another is at a usage limit; without them the run waits.',
    'NAME',
  ),
  agentCommand: command(
    'Program to use as the agent: it reads the prompt from stdin and prints its answer to stdout. A JSON array of arguments, or one text split like shell words. A relative path is resolved from the current folder, or from the file that names it. Its usage limits are recognised only if it reports them in the file that SPECLOOP_REPORT_FILE names.',
  ),
  agentAcp: command(
    'Program to use as the agent that speaks the Agent Client Protocol over stdin and stdout, such as "gemini --acp". Written like agentCommand.',
  ),
  model: text('Model for the agent to use.', 'NAME'),
});

/** Agents that a settings file names. */
const namedAgents = z
  .record(
    z.string().check(z.regex(/^[A-Za-z0-9][\w-]*$/)),
    optionals({
      command: command('Program of this agent, called as with agentCommand.'),
      acp: command('Program of this agent, called as with agentAcp.'),
      agent: text('Known agent that this one is called like.', 'NAME'),
      model: text('Model for this agent to use.', 'NAME'),
      args: texts('More arguments for its program.', 'ARG'),
      env: environment('More variables for its environment.'),
      price: optionals(
        {
          input: price('US dollars per million tokens that the model reads.'),
          output: price('US dollars per million tokens that the model writes.'),
        },
        'Prices to estimate the cost from, if the agent reports tokens and no cost.',
      ),
    }),
    { error: named('a group of agents by name', 'cannot name an agent: use letters, digits, - and _') },
  )
  .check(z.describe('Agents by a name of your own. Each has exactly one of command, acp and agent.'));

const roles = optionals(
  {
    executor: role('executor'),
    verifier: role('verifier'),
    reviewer: role('reviewer'),
    researcher: role('researcher'),
    'product-manager': role('product-manager'),
    architect: role('architect'),
    planner: role('planner'),
  },
  'Settings for one role: the executor works on tasks, the verifier on [VERIFY] tasks, the reviewer reviews. The researcher, product-manager, architect and planner draft research, requirements, design and tasks.',
);

const limits = group('Limits', {
  maxTaskIterations: count('Stop after this many failed attempts of one task.'),
  maxGlobalIterations: count(
    'Stop after this many attempts of all tasks together. Default: 100, or three times the number of tasks if that is more.',
  ),
  stallAfter: count('Stop after this many identical failures in a row that changed no file.'),
  maxCost: dollars('Stop after spending this much (if the agent reports its cost).'),
  maxTokens: count('Stop after using this many tokens (if the agent reports them).'),
  maxTime: duration('Stop after this time, once the current task ends.'),
  maxWait: duration('Wait at most this long for a usage limit to end; then stop.'),
  taskTimeout: duration('Time limit of one attempt.'),
  idleTimeout: duration('End an agent that prints nothing for this long.'),
  verifyTimeout: duration('Time limit of one Verify command.'),
  maxPrompt: size(
    'Longest prompt of an agent. The newest notes are kept, and what is left out is named; the task is never cut.',
  ),
});

const failures = group('Failed tasks', {
  optional: toggle('Also run optional tasks: starred, struck through, or below a heading such as Future.'),
  recoveryMode: toggle('Add a fix task for a failed task, then try the task again.'),
  maxFixTasksPerOriginal: count('Stop after this many fix tasks for one task.'),
  maxFixTaskDepth: count('Maximum depth of fixes of fixes.'),
  keepFailedChanges: toggle('Leave the changes of a failed attempt in the working tree for the next attempt.'),
});

const parallel = group('Parallel tasks', {
  jobs: count(
    'Number of agents to run in parallel on tasks marked [P]. Default: 5, or the number of processors if that is less.',
  ),
  isolation: choice(
    ['worktree', 'shared'],
    'Run each parallel task in its own git worktree, or all in one working tree.',
  ),
  parallelOverlap: choice(
    ['separate', 'allow'],
    'Run tasks whose Files overlap one after the other, or allow them to run in parallel.',
  ),
});

const worktree = optionals(
  {
    copy: texts('Ignored files to copy into a new worktree, as globs.', 'GLOB'),
    setup: command('Command to run in a new worktree, such as "npm ci". It has to be trusted.'),
  },
  'How new worktrees are set up: those of parallel tasks, and of a spec (--worktree).',
);

const checks = group('Checks', {
  bookkeeping: choice(
    ['coordinator', 'agent'],
    'Who ticks the box, writes the progress file and commits: specloop, or the agent.',
  ),
  review: choice(
    ['auto', 'always', 'strict', 'off'],
    'When to review the work: when a review is due, after every task, when due and stop if findings are left, or never.',
  ),
  scope: choice(
    ['off', 'warn', 'enforce'],
    'What to do about changes outside the Files of a task: nothing, warn, or reject the attempt.',
  ),
  baseline: toggle(`If no test command is set, look for one in ${RESEARCH_FILE} and package.json.`),
  testCommand: text(
    'Command that runs the tests of the project: before the first task, after each phase and at the end. Tests that fail already are not blamed on a task. Run by bash; it has to be trusted.',
    'SHELL',
  ),
  admissions: fileOnly(
    texts('Phrases that count as an admission of failure next to a claim of success. Replaces the built-in list.'),
  ),
  doubts: fileOnly(texts('Phrases next to a claim of success that make a review due. Replaces the built-in list.')),
  protect: fileOnly(texts('Files that tasks must not change, as globs.', 'GLOB')),
  headings: fileOnly(headings('Other headings that validate accepts for the sections of a spec.')),
});

const commits = optionals(
  {
    spec: message('Commit of the spec before the first task.', ['spec']),
    task: message('Commit of a task whose Commit is None.', ['spec', 'task', 'index']),
    fix: message('Commit that adds a fix task to the plan.', ['spec', 'task']),
    plan: message('Commit of a change of the plan that an agent asked for.', ['spec', 'task', 'change']),
    reopen: message('Commit that reopens tasks after a batch.', ['spec', 'tasks']),
    progress: message('Commit of the progress file when a run stops early.', ['spec']),
    final: message('Commit of the progress file when all tasks are done.', ['spec']),
  },
  "Messages of specloop's own commits, for repositories whose hooks require a ticket or a format. The messages of tasks are in the plan.",
);

const pr = optionals(
  {
    interval: duration('First wait before the checks are looked at; later waits are longer. Default: 3m.'),
    limit: duration('Stop when the pull request is not done after this time. Default: 48h.'),
    maxCycles: count('Stop after looking at the checks this often. Default: 20.'),
    maxFixesPerCheck: count('Stop after this many fix tasks for one check. Default: 5.'),
    base: text('Branch to merge into. Default: the default branch of the repository.', 'BRANCH'),
    draft: toggle('Open the pull request as a draft.'),
    reviewers: texts('Users, or teams as org/team, to ask for a review.', 'NAME'),
    labels: texts('Labels of the pull request.', 'NAME'),
    resolve: toggle('Resolve a review thread with the answer to it.'),
    noChecks: choice(
      ['wait', 'accept'],
      'What to do if no check appears: wait for one, then accept that there is none, or accept it at once. Default: wait.',
    ),
    noChecksWait: duration('How long to wait for a first check. Default: 10m.'),
    bots: texts('Bots whose review comments become tasks. Those of other bots are left alone.', 'NAME'),
  },
  'How the pull request is brought to green checks and answered reviews after the last task.',
);

const start = group('Start and output', {
  workdir: text(
    'Folder to run agents, Verify commands and tests in, relative to the root of the repository (`.`). Default: the nearest package (a folder with package.json, go.mod or similar) above the specs, or the root.',
    'DIR',
  ),
  specsDirs: fileOnly(
    texts(
      'Folders that contain specs, relative to the current folder. A name that exists in two of them is refused.',
      'DIR',
    ).check(z.minLength(1, { error: 'a list of at least one folder' })),
  ),
  dialect: choice(
    ['auto', ...DIALECTS],
    'How the plans are written: found by their place and content, as by specloop (ralph-specum), by spec-kit, Kiro or OpenSpec, or as a plain checklist.',
  ),
  commitSpec: toggle('Commit uncommitted files of the spec before the first task.'),
  allowDirty: toggle('Start even with uncommitted changes. They are left alone.'),
  allowDefaultBranch: toggle('Allow working on the default branch.'),
  quiet: toggle('Print only failures and the end of the run.'),
});

const planning = group('Planning', {
  gates: choice(
    ['each', 'final', 'none'],
    'Where planning stops for your approval: after each document, after the last one, or nowhere.',
  ),
  research: count(
    'Agents to research at the same time, each a topic: this code, and what others know. With 1, one agent does all of it.',
  ),
  measure: toggle(
    'While planning, run what checks, tests and builds the project, and the Verify commands of the drafted plan, once, in a worktree that is thrown away. They have to be trusted.',
  ),
  approvals: choice(
    ['advisory', 'required'],
    'What implement does about documents that are stale or not approved: warn, or refuse to start.',
  ),
});

const safety = group('Safety', {
  passEnv: personal(
    variables(
      'Environment variables to pass to agents and Verify commands, in addition to the usual ones. A name may end in *.',
    ),
  ),
  containment: personal(
    choice(
      ['marker', 'namespace'],
      'How to find and end the processes that agents start: by marks in their environment, or by a process namespace.',
    ),
  ),
  sandbox: personal(
    choice(
      ['off', 'auto', 'strict'],
      'Run agents and commands in a sandbox that can write only to the working tree and sees no credentials: never, if available, or required.',
    ),
  ),
  sandboxNetwork: personal(
    choice(['allow', 'deny'], 'Whether Verify commands in the sandbox can use the network. Agents always can.'),
  ),
  sandboxWrite: personal(texts('Folders and files that are visible and writable in the sandbox.', 'PATH')),
});

/** Every setting, with what it takes. A file may leave out any of them. */
export const settingsFile = optionals({
  ...agents,
  agents: namedAgents,
  roles,
  ...limits,
  ...failures,
  ...parallel,
  worktree,
  ...checks,
  commits,
  pr,
  ...start,
  ...planning,
  ...safety,
});

/** The settings that a file, the environment or the command line makes; times in milliseconds. */
export type SettingsFile = z.output<typeof settingsFile>;

/** What holds where nothing else is said, written as in a file. */
export const defaults = {
  maxTaskIterations: 5,
  stallAfter: 3,
  maxWait: '6h',
  taskTimeout: '30m',
  idleTimeout: '10m',
  verifyTimeout: '10m',
  maxPrompt: '200kB',
  optional: false,
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
  dialect: 'auto',
  commitSpec: true,
  allowDirty: false,
  allowDefaultBranch: false,
  quiet: false,
  gates: 'each',
  research: 2,
  measure: true,
  approvals: 'advisory',
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
      agent: text(`Agent for the ${name}.`, 'NAME'),
      command: command(`Program to use as the agent for the ${name}.`),
      model: text(`Model for the ${name} to use.`, 'NAME'),
      taskTimeout: duration(`Time limit of one attempt of the ${name}.`),
      idleTimeout: duration(`End the ${name} if it prints nothing for this long.`),
    },
    `Settings for the ${name}.`,
  );
}

/** A group of settings, each of which may be left out. */
function optionals<Shape extends z.core.$ZodShape>(shape: Shape, description = '') {
  const group = z.partial(z.strictObject(shape, { error: aGroup }));
  return description === '' ? group : group.check(z.describe(description));
}

function group<Shape extends Readonly<Record<string, z.ZodMiniType>>>(heading: string, shape: Shape): Shape {
  for (const schema of Object.values(shape)) scopes.add(schema, { ...scopes.get(schema), group: heading });
  return shape;
}

function fileOnly<Schema extends z.ZodMiniType>(schema: Schema): Schema {
  scopes.add(schema, { from: 'file' });
  return schema;
}

function personal<Schema extends z.ZodMiniType>(schema: Schema): Schema {
  scopes.add(schema, { from: 'person' });
  return schema;
}

function aGroup(issue: { readonly code?: string }): string | undefined {
  return issue.code === 'unrecognized_keys' ? undefined : 'a group of settings';
}
