import { appendToSection, findSection, sectionBody } from '../progress/sections.ts';
import { fenced } from '../text/fence.ts';
import { oneLine, sanitise } from '../text/sanitise.ts';

/** Before the fix, or after it. */
export type RealityPoint = 'before' | 'after';

/** What the command that shows a defect did (R-BUG-1). */
export interface RealityCheck {
  readonly when: RealityPoint;
  readonly command: string;
  /** Exit code; absent if it did not exit by itself. */
  readonly exitCode?: number;
  readonly how: 'exited' | 'timed-out' | 'killed' | 'not-started';
  /** Last part of what it printed. */
  readonly output: string;
}

/** What a progress file tells of the check before the fix. */
export interface KnownReality {
  readonly command: string;
  /** Whether the defect was seen. */
  readonly isReproduced: boolean;
  /** A person goes on although it was not. */
  readonly isAccepted: boolean;
}

const SECTIONS = { before: 'Reality Check (BEFORE)', after: 'Reality Check (AFTER)' } as const;
const LINES_MAX = 20;
const LINE_CHARS_MAX = 300;
const NAME_CHARS_MAX = 80;
const ACCEPTED = '- Accepted by ';
/** bash exits with these where there is no such program, or it cannot be run. */
const NOT_RUN: ReadonlySet<number | undefined> = new Set([126, 127]);

/** Whether the command failed by itself: one that passes, or that is not there, shows no defect. */
export function showsDefect({ exitCode, how }: Pick<RealityCheck, 'exitCode' | 'how'>): boolean {
  return how === 'timed-out' || (how === 'exited' && exitCode !== 0 && !NOT_RUN.has(exitCode));
}

/** Whether the command could not be run at all, and so says nothing of the defect. */
export function isNotRun({ exitCode, how }: Pick<RealityCheck, 'exitCode' | 'how'>): boolean {
  return how === 'not-started' || (how === 'exited' && NOT_RUN.has(exitCode));
}

/** How the command ended, for people. */
export function realityText({ exitCode, how }: Pick<RealityCheck, 'exitCode' | 'how'>): string {
  if (how !== 'exited')
    return how === 'timed-out' ? 'timed out' : how === 'killed' ? 'was killed' : 'could not be started';
  return `exit code ${exitCode}${NOT_RUN.has(exitCode) ? ', the command was not found or cannot be run' : ''}`;
}

/** The progress file with a check in it, in place of an earlier one (R-BUG-1). */
export function withRealityCheck(progress: string, check: RealityCheck): string {
  const name = SECTIONS[check.when];
  const lines = sanitise(check.output, { charsPerLineMax: LINE_CHARS_MAX }).trimEnd().split('\n').slice(-LINES_MAX);
  const body = [
    `- Command: ${asSpan(check.command)}`,
    `- Result: ${realityText(check)}`,
    `- Defect shown: ${isNotRun(check) ? 'unknown' : showsDefect(check) ? 'yes' : 'no'}`,
    ...(check.output.trim() === '' ? [] : ['- Output, the last lines:', '', fenced(lines.join('\n'))]),
  ].join('\n');
  const section = findSection(progress, name);
  if (section === undefined) return `${appendToSection(progress, name, [body])}`;
  const known = progress.slice(section.bodyStart, section.end).trimEnd();
  if (known === body || known.startsWith(`${body}\n${ACCEPTED}`)) return progress;
  const rest = progress.slice(section.end);
  return `${progress.slice(0, section.bodyStart)}${body}\n${rest === '' ? '' : `\n${rest}`}`;
}

/** The check before the fix that a progress file tells of; `undefined` for none. */
export function realityBefore(progress: string): KnownReality | undefined {
  const body = sectionBody(progress, SECTIONS.before);
  const command = /^- Command: (`+) ?(.+?) ?\1[ \t]*$/m.exec(body)?.[2];
  if (command === undefined) return undefined;
  return {
    command,
    isReproduced: /^- Defect shown: yes[ \t]*$/m.test(body),
    isAccepted: body.split('\n').some((line) => line.startsWith(ACCEPTED)),
  };
}

/** The progress file in which a person goes on although the defect was not seen. */
export function withAcceptedReality(
  progress: string,
  { by, at }: { readonly by: string; readonly at: string },
): string {
  return appendToSection(progress, SECTIONS.before, [`${ACCEPTED}${oneLine(by, NAME_CHARS_MAX)} at ${at}`]);
}

/** A code span that holds the command, whatever back-ticks are in it. */
function asSpan(command: string): string {
  const line = oneLine(command, 2_000);
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length));
  const mark = '`'.repeat(longest + 1);
  return longest === 0 ? `${mark}${line}${mark}` : `${mark} ${line} ${mark}`;
}
