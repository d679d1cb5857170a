import { oneLine } from '../text/sanitise.ts';
import { type Described, sectionsOf } from './body-sections.ts';

const BEGIN = '<!-- specloop: begin -->';
const END = '<!-- specloop: end -->';
const TITLE_CHARS_MAX = 200;

/** The title of a pull request of ours. */
export function titleOf({ spec }: Pick<Described, 'spec'>): string {
  return `feat: ${oneLine(spec, TITLE_CHARS_MAX)}`;
}

/**
 * The body with our part renewed between two marks, or added at its end; every other byte stays as it is (R-PR-12). `before`
 * is the body there is, or the template of the repository.
 */
export function bodyWith(before: string, described: Described): string {
  const ours = `${BEGIN}\n${sectionsOf(described)}\n${END}`;
  const from = before.indexOf(BEGIN);
  const to = before.indexOf(END, from);
  if (from >= 0 && to > from) return `${before.slice(0, from)}${ours}${before.slice(to + END.length)}`;
  return before.trim() === '' ? ours : `${before.trimEnd()}\n\n${ours}`;
}
