import type { Task } from '../plan/data/task.ts';
import type { VerifyRun } from './evidence.ts';

/** What trying a Verify command before any work says about it (R-PROBE-1). */
export type ProbeResult =
  /** It passes although nothing was done, so it proves nothing about the task. */
  | 'passes-already'
  /** A program, script or folder that it needs is not there, and no task up to this one makes it. */
  | 'not-found'
  | 'bad-syntax'
  | 'times-out'
  /** It fails, as it has to before the work. */
  | 'as-wanted';

/** A Verify command that was tried. */
export interface Probed {
  readonly task: Pick<Task, 'id' | 'index' | 'title'>;
  /** Line of the task in the plan, from 1. */
  readonly line: number;
  readonly command: string;
  readonly result: ProbeResult;
  /** What is not there, where that is known. */
  readonly missing?: string;
  /** What it printed last. */
  readonly output: string;
  /** Absent where it did not exit. */
  readonly exitCode?: number;
  readonly durationMs: number;
}

const NOT_EXECUTABLE = 126;
const NOT_FOUND = 127;

/** What bash says of what is not there; the first group is its name. */
const MISSING: readonly RegExp[] = [
  /^\S*bash: (?:line \d+: )?cd: (.+): No such file or directory$/m,
  /^\S*bash: (?:line \d+: )?(.+): (?:command not found|No such file or directory)$/m,
];
const MISSING_SCRIPT = /^npm (?:error|ERR!) Missing script: "(.+)"$/m;
const SCRIPTS_FILE = 'package.json';
const SYNTAX = /^\S*bash: (?:-c: )?(?:line \d+: )?(?:syntax error|unexpected EOF)/m;

/** The tasks whose command is tried: those that are open and have one. */
export function tasksToProbe(tasks: readonly Task[]): readonly Task[] {
  return tasks.filter(({ checked, verifyCommand }) => !checked && verifyCommand !== null);
}

/**
 * Judges one run of a command in a tree in which nothing was done yet (R-PROBE-1). `tasks` are those of the plan: what they
 * make up to this one may be missing now, and a task that only verifies may pass already.
 */
export function judgeProbe(task: Task, run: VerifyRun, tasks: readonly Task[]): Probed {
  const { id, index, title, box, verifyCommand } = task;
  const judged = resultOf(task, run, tasks);
  return {
    task: { id, index, title },
    line: box.line,
    command: verifyCommand ?? '',
    ...judged,
    output: run.output,
    ...(run.exitCode !== undefined && { exitCode: run.exitCode }),
    durationMs: run.durationMs,
  };
}

function resultOf(task: Task, run: VerifyRun, tasks: readonly Task[]): Pick<Probed, 'result' | 'missing'> {
  if (run.how === 'timed-out') return { result: 'times-out' };
  if (run.how === 'not-started') return { result: 'not-found' };
  if (run.how !== 'exited') return { result: 'as-wanted' };
  if (run.exitCode === 0) return { result: task.verify ? 'as-wanted' : 'passes-already' };
  if (SYNTAX.test(run.output)) return { result: 'bad-syntax' };
  const script = MISSING_SCRIPT.exec(run.output)?.[1];
  const missing = script ?? MISSING.map((pattern) => pattern.exec(run.output)?.[1]).find((name) => name !== undefined);
  const lacks = run.exitCode === NOT_FOUND || run.exitCode === NOT_EXECUTABLE || missing !== undefined;
  const made = script === undefined ? missing : SCRIPTS_FILE;
  if (!lacks || (made !== undefined && isMadeBy(tasks.slice(0, task.index + 1), made))) return { result: 'as-wanted' };
  return { result: 'not-found', ...(missing !== undefined && { missing }) };
}

/** Whether *Files* of an open task names it, or something in it. */
function isMadeBy(tasks: readonly Task[], missing: string): boolean {
  const name = missing.replace(/^\.\//, '').replace(/\/+$/, '');
  return tasks
    .filter(({ checked }) => !checked)
    .flatMap(({ files }) => files)
    .some((path) => path === name || path.startsWith(`${name}/`) || path.endsWith(`/${name}`));
}
