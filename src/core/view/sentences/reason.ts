import { excerpt } from '../../answer/excerpt.ts';
import { oneLine, sanitise } from '../../text/sanitise.ts';
import type { Failure, Layer } from '../../verify/failure.ts';

const LINE_CHARS_MAX = 160;
/** What is looked at for each line that may be shown: long lines and empty ones have room in it. */
const DETAIL_CHARS_PER_LINE = 400;

/** Texts that open with the name of their own layer, which is shown with it. */
const LAYER_TWICE: Partial<Record<Layer, string>> = {
  verify: 'VERIFY: ',
  scope: 'SCOPE: ',
  review: 'REVIEW: ',
  merge: 'MERGE: ',
};

/** Why an attempt failed, in a form to show: agents' words are in it, so it is neutralised (R-SEC-2). */
export interface Reason {
  /** What went wrong, in one line. */
  readonly headline: string;
  /** The end of what was said or printed about it. */
  readonly detail: readonly string[];
}

/** The failure with at most `linesMax` lines of detail: the last ones, since the end of an output says why. */
export function reasonOf(failure: Failure, linesMax: number): Reason {
  const text = failure.text.trim();
  const [first = ''] = text.split('\n', 1);
  const opening = LAYER_TWICE[failure.layer] ?? '';
  const headline = oneLine(first.startsWith(opening) ? first.slice(opening.length) : first, LINE_CHARS_MAX);
  return { headline: headline || 'no reason given', detail: lastLines(text.slice(first.length), linesMax) };
}

/** Only the end of a long text is looked at, so that a rejection costs the same whatever was printed. */
function lastLines(text: string, linesMax: number): readonly string[] {
  const lines = sanitise(excerpt(text, linesMax * DETAIL_CHARS_PER_LINE), { charsPerLineMax: LINE_CHARS_MAX })
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  return lines.length > linesMax ? ['[…]', ...lines.slice(-linesMax)] : lines;
}
