import { withoutInvisibles } from '../text/sanitise.ts';
import { phraseSource } from './contradiction.ts';
import { LEFT_UNDONE } from './undone.ts';

const PLAIN = /^[\x20-\x7e\t]*$/;

/**
 * Makes a quick look at single lines of an answer: whether one may count against it (R-DEL-4, R-VER-2, R-VER-10, R-REC-2).
 * Of an answer that is too long to be kept, such lines are kept all the same. A line that it passes may be harmless.
 */
export function countsAgainst(admissions: readonly string[]): (line: string) => boolean {
  const sources = [LEFT_UNDONE, ...admissions].map(phraseSource).filter((source) => source !== '');
  const pattern = new RegExp(`TASK_FAILED|VERIFICATION_FAIL|REVIEW_FAIL|\\bTask\\s.*FAILED|${sources.join('|')}`, 'i');
  return (line) => pattern.test(PLAIN.test(line) ? line : withoutInvisibles(line));
}
