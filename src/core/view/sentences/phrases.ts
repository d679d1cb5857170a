import type { RunState } from '../../run/data/state.ts';
import { oneLine } from '../../text/sanitise.ts';
import { idText, taskName } from '../../text/words.ts';

const TEXT_CHARS_MAX = 200;
const LIST_MAX = 5;

/** A task of the plan by id and title, or its key when it is not there any more. */
export function nameOf(state: RunState, key: string): string {
  const task = state.tasks.find((candidate) => candidate.key === key);
  return task ? taskName(task) : idText(key);
}

/** The id of a task of the plan, or its key when it is not there any more. */
export function idOf(state: RunState, key: string): string {
  return idText(state.tasks.find((task) => task.key === key)?.id ?? key);
}

/** The first of several texts from outside, in one line; `total` counts those that are not among `items`, too. */
export function list(items: readonly string[], total = items.length): string {
  const first = items
    .slice(0, LIST_MAX)
    .map((item) => shown(item))
    .join(', ');
  return total > LIST_MAX ? `${first} and ${total - LIST_MAX} more` : first;
}

/** The first of several texts from outside, one a line. */
export function firstFew(items: readonly string[]): readonly string[] {
  const more = items.length > LIST_MAX ? [`and ${items.length - LIST_MAX} more`] : [];
  return [...items.slice(0, LIST_MAX).map((item) => shown(item)), ...more];
}

/** A text from outside, in one harmless line (R-SEC-2). */
export function shown(text: string, charsMax = TEXT_CHARS_MAX): string {
  return oneLine(text, charsMax);
}

/** A sentence and what belongs to it, on indented lines. */
export function indented(head: string, further: readonly string[]): string {
  return [head, ...further].join('\n    ');
}

/** Several sentences about one event, one a line; `undefined` for none. */
export function each(...sentences: readonly (string | undefined)[]): string | undefined {
  const said = sentences.filter((one) => one !== undefined);
  return said.length === 0 ? undefined : said.join('\n');
}
