import { opening } from '../answer/excerpt.ts';
import { oneLine, sanitise } from '../text/sanitise.ts';
import { bulletItems } from './items.ts';
import { findSection } from './sections.ts';

/** What a fresh agent is told of the run so far (R-DEL-3). */
export interface ProgressContext {
  /** The goal of the spec, or an empty text. */
  readonly goal: string;
  /** Entries of completed tasks, one line each, newest last. */
  readonly completed: readonly string[];
  /** Learnings, one line each, newest last. */
  readonly learnings: readonly string[];
}

const ITEM_CHARS_MAX = 500;
/** How much more than its budget of a section is looked at, so that long items can be cut and still fill it. */
const TAIL_FACTOR = 4;

/**
 * Reads the goal, the recent completed tasks and the learnings out of a progress file (R-DEL-3), at most `charsMax`
 * UTF-16 units together: a quarter for the goal, a quarter for the completed tasks, what is left for the learnings.
 * Where something must go, the newest stays.
 */
export function progressContext(
  text: string | undefined,
  { charsMax }: { readonly charsMax: number },
): ProgressContext {
  const quarter = Math.floor(charsMax / 4);
  const goal = opening(sanitise(body(text, 'Original Goal') || body(text, 'Goal')).trim(), quarter);
  const completed = newest(body(text, 'Completed Tasks'), quarter).map((item) => item.replace(/^\[[ xX]\] /, ''));
  const learnings = newest(body(text, 'Learnings'), charsMax - goal.length - total(completed));
  return { goal, completed, learnings };
}

function body(text: string | undefined, name: string): string {
  const section = text === undefined ? undefined : findSection(text, name);
  return section === undefined || text === undefined ? '' : text.slice(section.bodyStart, section.end);
}

function newest(body: string, charsMax: number): readonly string[] {
  const items = bulletItems(tailOfList(body, charsMax * TAIL_FACTOR));
  const kept: string[] = [];
  let room = charsMax;
  for (const item of items.toReversed()) {
    const line = oneLine(item, Math.min(ITEM_CHARS_MAX, charsMax));
    if (line.length > room) break;
    room -= line.length;
    kept.unshift(line);
  }
  return kept;
}

/** The end of a list, begun at a bullet. */
function tailOfList(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const marks = ['\n- ', '\n* ', '\n+ '];
  return text.slice(Math.max(0, ...marks.map((mark) => text.lastIndexOf(mark, text.length - charsMax))));
}

function total(items: readonly string[]): number {
  return items.reduce((sum, item) => sum + item.length, 0);
}
