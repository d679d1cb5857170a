import type { BoxState, Plan } from '../data/task.ts';
import { splitLines } from '../read/lines.ts';
import { readVisibility } from '../read/visibility.ts';
import { readItems } from './items.ts';
import { stateOfItem } from './parse.ts';
import { readItemRoles } from './roles.ts';
import type { DialectRules } from './rules.ts';

/** The criteria of a file, by their text; the second of the same text has `#2` after it. No one ticks them. */
export function looseItems({ text }: Plan, rules: DialectRules): ReadonlyMap<string, BoxState> {
  const lines = splitLines(text);
  const source = { lines, kinds: readVisibility(lines).kinds };
  const found = new Map<string, BoxState>();
  const seen = new Map<string, number>();
  for (const box of readItemRoles(source, readItems(source, rules), rules).boxes) {
    if (box.role !== 'criterion') continue;
    const { title } = box.head;
    const count = (seen.get(title) ?? 0) + 1;
    seen.set(title, count);
    found.set(count === 1 ? title : `${title}#${count}`, stateOfItem(box, rules));
  }
  return found;
}
