import type { Drafted } from '../plan/data/step.ts';
import { appendToSection, findSection, lineEndAt, sectionBody } from '../progress/sections.ts';
import { oneLine } from '../text/sanitise.ts';

const NAME_CHARS_MAX = 80;
const SECTION = 'Changes Requested';

/** That a person wants a document changed: it is sent back to its author until it is recorded again or approved (R-GATE-3). */
export interface Rejection {
  readonly artifact: Drafted;
  /** What has to change; may have several lines. */
  readonly feedback: string;
  readonly by: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

const HEAD = /^- (research|requirements|design|tasks) by (.*) at (\d{4}-\d\d-\d\dT[\d:.]+Z):$/;
const QUOTE = '  > ';

/** The documents that a progress file says are to be changed, each with its newest rejection. */
export function rejectionsIn(progress: string): ReadonlyMap<Drafted, Rejection> {
  const found = new Map<Drafted, Rejection>();
  let latest: Rejection | undefined;
  for (const line of sectionBody(progress, SECTION).split(/\r?\n/)) {
    const head = headOf(line);
    if (head !== undefined) latest = head;
    else if (latest !== undefined && isQuote(line)) latest = { ...latest, feedback: joined(latest.feedback, line) };
    else latest = undefined;
    if (latest !== undefined) found.set(latest.artifact, latest);
  }
  return found;
}

/** The progress file with a rejection in it, in place of an earlier one of the same document. */
export function withRejection(progress: string, { artifact, feedback, by, at }: Rejection): string {
  return appendToSection(withoutRejections(progress, [artifact]), SECTION, [
    `- ${artifact} by ${oneLine(by, NAME_CHARS_MAX)} at ${at}:`,
    ...feedback.split(/\r?\n/).map((line) => `${QUOTE}${line}`.trimEnd()),
  ]);
}

/** The progress file without the rejections of these documents. */
export function withoutRejections(progress: string, artifacts: readonly Drafted[]): string {
  const section = findSection(progress, SECTION);
  if (section === undefined) return progress;
  let kept = '';
  let isDropped = false;
  for (let at = section.bodyStart; at < section.end; ) {
    const end = Math.min(lineEndAt(progress, at), section.end);
    const line = progress.slice(at, end).replace(/\r?\n$/, '');
    const head = headOf(line);
    isDropped = head === undefined ? isDropped && isQuote(line) : artifacts.includes(head.artifact);
    if (!isDropped) kept += progress.slice(at, end);
    at = end;
  }
  return progress.slice(0, section.bodyStart) + kept + progress.slice(section.end);
}

function headOf(line: string): Rejection | undefined {
  const [, artifact, by, at] = HEAD.exec(line) ?? [];
  if (artifact === undefined || by === undefined || at === undefined) return undefined;
  return { artifact: artifact as Drafted, feedback: '', by, at };
}

function isQuote(line: string): boolean {
  return line.startsWith(QUOTE.trimEnd());
}

function joined(feedback: string, line: string): string {
  const text = line.slice(QUOTE.length);
  return feedback === '' ? text : `${feedback}\n${text}`;
}
