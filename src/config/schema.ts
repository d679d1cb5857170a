import { z } from 'zod';
import { choice, command, count, dollars, duration, text, texts, toggle } from './kinds.ts';

/** How a setting is reached from the command line, and who may make it. */
export interface Reach {
  /** The option of `implement`; the variable is made from the key (`SPECLOOP_MAX_COST`). */
  readonly flag?: string;
  /** `person`: never taken from a repository's file, as it decides what a repository may do to the person (R-SEC-1). */
  readonly by?: 'person';
}

export const reaches = z.registry<Reach>();

const folder = texts(
  'Folders whose sub-folders are specs, relative to where the command runs. A name that is in two of them is ambiguous.',
  'DIR',
);

const role = (whose: string) =>
  z
    .strictObject(
      {
        agent: text(`Agent of ${whose}.`, 'NAME'),
        command: command(`Program that is the agent of ${whose}, in place of a named one.`),
        model: text(`Model that the agent of ${whose} is asked to use.`, 'NAME'),
        taskTimeout: duration(`Longest attempt of ${whose}.`),
        idleTimeout: duration(`Longest silence of ${whose}.`),
      },
      { error: aGroup },
    )
    .partial()
    .describe(`What holds for ${whose} alone.`);

const roles = z
  .strictObject(
    {
      executor: role('the executor, who works on tasks'),
      verifier: role('the verifier, who works on [VERIFY] tasks'),
      reviewer: role('the reviewer, who reviews the work'),
    },
    { error: aGroup },
  )
  .partial()
  .describe('Agents by role, where they differ from the common one.');

const worktree = z
  .strictObject(
    {
      copy: texts('Ignored files that a fresh worktree gets a copy of, as globs.', 'GLOB'),
      setup: command('Command that makes a fresh worktree ready, such as "npm ci". Runs only in a trusted workspace.'),
    },
    { error: aGroup },
  )
  .partial()
  .describe('How the worktrees of parallel tasks are made ready.');

/** Every setting, with what it takes. A file may leave out any of them. */
export const settingsFile = z
  .strictObject(
    {
      agent: flag('--agent', text('Coding agent that works on the tasks.', 'NAME')),
      agentCommand: flag(
        '--agent-command',
        command(
          'Program that is the agent: it gets the prompt on stdin, and what it prints on stdout is its answer. A JSON array of arguments, or one text split like shell words.',
        ),
      ),
      model: flag('--model', text('Model that the agent is asked to use.', 'NAME')),
      roles,

      maxTaskIterations: flag('--max-task-iterations', count('Failed attempts of one task before the run stops.')),
      maxGlobalIterations: flag(
        '--max-global-iterations',
        count(
          'Attempts of all tasks together before the run stops. Default: the larger of 100 and three times the number of tasks.',
        ),
      ),
      stallAfter: flag(
        '--stall-after',
        count('Equal failures in a row, without a change in the tree, before the run stops.'),
      ),
      maxCost: flag('--max-cost', dollars('Spending at which the run stops, as far as the agent tells it.')),
      maxTokens: flag('--max-tokens', count('Tokens at which the run stops, as far as the agent tells them.')),
      maxTime: flag('--max-time', duration('Time after which the run stops, at the end of a task.')),
      taskTimeout: flag('--task-timeout', duration('Longest attempt at a task.')),
      idleTimeout: flag('--idle-timeout', duration('Longest silence of an agent.')),
      verifyTimeout: flag('--verify-timeout', duration('Longest run of a Verify command.')),

      recoveryMode: flag(
        '--recovery-mode',
        toggle('Give a failed task a fix task, and try it again once that is done.'),
      ),
      maxFixTasksPerOriginal: flag(
        '--max-fix-tasks-per-original',
        count('Fix tasks of one task before the run stops.'),
      ),
      maxFixTaskDepth: flag('--max-fix-task-depth', count('How deep fixes of fixes may go.')),
      keepFailedChanges: flag(
        '--keep-failed-changes',
        toggle('Leave the changes of a failed attempt in the tree for the next one.'),
      ),

      jobs: flag(
        '--jobs',
        count('Agents at work at the same time, on tasks marked [P]. Default: 5, or fewer on a small machine.'),
      ),
      isolation: flag(
        '--isolation',
        choice(['worktree', 'shared'], 'Give parallel tasks a git worktree each, or let them share one tree.'),
      ),
      parallelOverlap: flag(
        '--parallel-overlap',
        choice(['separate', 'allow'], 'Keep tasks whose Files overlap apart, or allow them to run at the same time.'),
      ),
      worktree,

      bookkeeping: flag(
        '--bookkeeping',
        choice(['coordinator', 'agent'], 'Who ticks the box, writes the progress and commits.'),
      ),
      review: flag(
        '--review',
        choice(
          ['auto', 'always', 'strict', 'off'],
          'When a reviewer looks at the work: when it is due, after every task, when due and stopping for a person if findings are left, or never.',
        ),
      ),
      scope: flag(
        '--scope',
        choice(
          ['off', 'warn', 'enforce'],
          'What happens to changes outside of the Files of a task: nothing, a warning, or the attempt is rejected.',
        ),
      ),
      baseline: flag(
        '--baseline',
        toggle('Run the test command once before the first task, so that what failed before is not blamed on a task.'),
      ),
      testCommand: flag(
        '--test-command',
        text(
          'Command that runs the tests of the project, for the baseline and the final check. Runs only in a trusted workspace.',
          'CMD',
        ),
      ),
      admissions: texts(
        'Words that are an admission of failure beside a claim of success, in place of the built-in ones.',
      ),
      protect: texts('Files that no task may change, as globs.', 'GLOB'),

      specsDirs: folder,
      commitSpec: flag(
        '--commit-spec',
        toggle('Commit the files of the spec that are not committed before the first task.'),
      ),
      allowDirty: flag(
        '--allow-dirty',
        toggle('Start beside uncommitted changes of yours; they are neither committed nor lost.'),
      ),
      allowDefaultBranch: flag('--allow-default-branch', toggle('Work on the default branch.')),
      quiet: flag('--quiet', toggle('Tell only failures and the end of the run.')),

      passEnv: person(
        '--pass-env',
        texts(
          "Variables that agents and Verify commands get beside the usual ones; a name may end in *. Not from a repository's file.",
          'NAME',
        ),
      ),
      containment: person(
        '--containment',
        choice(
          ['marker', 'namespace'],
          "How what agents start is found and ended: by marks, or by a process name space of the kernel. Not from a repository's file.",
        ),
      ),
    },
    { error: aGroup },
  )
  .partial();

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
} as const satisfies z.input<typeof settingsFile>;

/** All settings of a run; times in milliseconds. What has no default may be absent. */
export type Settings = SettingsFile & { [Key in keyof typeof defaults]-?: NonNullable<SettingsFile[Key]> };

function flag<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  reaches.add(schema, { flag: name });
  return schema;
}

function person<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  reaches.add(schema, { flag: name, by: 'person' });
  return schema;
}

function aGroup(issue: { readonly code?: string }): string | undefined {
  return issue.code === 'unrecognized_keys' ? undefined : 'a group of settings';
}
