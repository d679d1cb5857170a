import type { BoxState, Plan } from '../data/task.ts';
import { splitLines } from './lines.ts';
import { readOutline } from './outline.ts';
import { readVisibility } from './visibility.ts';

/** The boxes that are in no task and are no group, by their text; the second of the same text has `#2` after it. */
export function looseBoxes(plan: Plan): ReadonlyMap<string, BoxState> {
  const lines = splitLines(plan.text);
  const outline = readOutline(lines, readVisibility(lines).kinds);
  const groups = new Set(plan.groups.map((group) => group.box.offset));
  const found = new Map<string, BoxState>();
  const seen = new Map<string, number>();
  let task = 0;
  for (const box of outline.boxes) {
    while ((plan.tasks[task]?.span.end ?? Number.POSITIVE_INFINITY) <= box.at) task++;
    if (groups.has(box.at) || (plan.tasks[task]?.span.start ?? Number.POSITIVE_INFINITY) <= box.at) continue;
    const count = (seen.get(box.head.title) ?? 0) + 1;
    seen.set(box.head.title, count);
    found.set(count === 1 ? box.head.title : `${box.head.title}#${count}`, box.state);
  }
  return found;
}
