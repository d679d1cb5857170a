import type { Task } from './task.ts';

const SECTION = /\b(?:pr|pull[ -]request)[ -]life[ -]?cycle\b/i;
const SPEAKS_OF =
  /\b(?:pr|prs|pull[ -]requests?|ci|checks|pipelines?|reviews?|reviewers?|review[ -]comments?|push|pushes|pushing|pushed)\b/i;
/** What an agent has to look at, wherever it is listed. */
const SPEAKS_OF_WORK =
  /\b(?:acs?|acceptance|criteri(?:a|on)|check-?lists?|goals?|regressions?|evidence|local|locally|quality)\b/i;
const GH_COMMAND = /^\s*gh(?:\s|$)/;

/** Whether a phase is the one that brings a pull request to its end (R-ADV-4). */
export function isLifecyclePhase(phase: string | undefined): boolean {
  return phase !== undefined && SECTION.test(phase);
}

/**
 * Whether the lifecycle does a task itself, instead of an agent: one of its section that speaks of a pull request, CI,
 * checks, a review or pushing, and whose Verify is no command, or one of gh (R-PR-9).
 */
export function isLifecycleTask(task: Pick<Task, 'phase' | 'title' | 'verifyCommand' | 'fixes' | 'block'>): boolean {
  if (!isLifecyclePhase(task.phase) || task.fixes !== undefined || originOf(task) !== undefined) return false;
  if (!SPEAKS_OF.test(task.title) || SPEAKS_OF_WORK.test(task.title)) return false;
  return task.verifyCommand === null || GH_COMMAND.test(task.verifyCommand);
}

const ORIGIN = /^[ \t]*- \*\*From\*\*: `((?:check|thread|review|base) [^`\r\n]{1,300})`[ \t]*\r?$/m;

/** What on the forge a task of the lifecycle was made from, as the plan says it; `undefined` for any other task. */
export function originOf({ block }: Pick<Task, 'block'>): string | undefined {
  return ORIGIN.exec(block)?.[1];
}
