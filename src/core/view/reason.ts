import type { Failure, Layer } from '../run/failure.ts';
import { cut, sanitise } from '../text/sanitise.ts';

const LINE_CHARS_MAX = 160;

/** Texts that open with the name of their own layer, which people are told beside it. */
const LAYER_TWICE: Partial<Record<Layer, string>> = { verify: 'VERIFY: ', scope: 'SCOPE: ', review: 'REVIEW: ' };

/** Why an attempt failed, in a form to show: agents' words are in it, so it is neutralised (R-SEC-2). */
export interface Reason {
  /** What went wrong, in one line. */
  readonly headline: string;
  /** The end of what was said or printed about it. */
  readonly detail: readonly string[];
}

/** The failure with at most `linesMax` lines of detail: the last ones, since the end of an output says why. */
export function reasonOf(failure: Failure, linesMax: number): Reason {
  const [first = '', ...rest] = sanitise(failure.text, { charsPerLineMax: LINE_CHARS_MAX })
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const opening = LAYER_TWICE[failure.layer] ?? '';
  return {
    headline: cut(first.startsWith(opening) ? first.slice(opening.length) : first, LINE_CHARS_MAX) || 'no reason given',
    detail: rest.length > linesMax ? ['[…]', ...rest.slice(-linesMax)] : rest,
  };
}
