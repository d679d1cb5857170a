import { withOurPart } from '../text/between-marks.ts';
import { oneLine } from '../text/sanitise.ts';
import { type Described, sectionsOf } from './body-sections.ts';

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
  return withOurPart(before, sectionsOf(described));
}
