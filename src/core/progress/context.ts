import { sanitise } from '../text/sanitise.ts';
import { bulletItems } from './items.ts';
import { sectionBody } from './sections.ts';

/** What a progress file tells of the run so far, as it stands there: text from outside (R-DEL-3). */
export interface ProgressContext {
  /** The goal of the spec, or an empty text. */
  readonly goal: string;
  /** Entries of completed tasks, without their boxes, one line each, newest last. */
  readonly completed: readonly string[];
  /** Learnings, one line each, newest last. */
  readonly learnings: readonly string[];
}

/** Reads the goal, the completed tasks and the learnings out of a progress file, all of them (R-DEL-3). */
export function progressContext(text = ''): ProgressContext {
  const items = (name: string) => bulletItems(sectionBody(text, name)).map((item) => item.replace(/\s+/g, ' '));
  return {
    goal: sanitise(sectionBody(text, 'Original Goal') || sectionBody(text, 'Goal')).trim(),
    completed: items('Completed Tasks').map((item) => item.replace(/^\[[ xX]\] /, '')),
    learnings: items('Learnings'),
  };
}
