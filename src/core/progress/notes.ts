import { oneLine } from '../text/sanitise.ts';
import { appendInto, endOfWords, findSection, lineEndAt, type ProgressSection, type Section } from './sections.ts';

/** The fix tasks of one task, for the history (R-REC-7). */
export interface FixHistory {
  readonly id: string;
  /** Ids of its fix tasks, in order. */
  readonly fixes: readonly string[];
  /** How it ended; `undefined` while it is still being fixed. */
  readonly final: 'PASS' | 'FAIL (max limit)' | undefined;
}

const NOTE_CHARS_MAX = 2_000;

/**
 * Writes what became of a task and its fixes below `## Fix Task History` (R-REC-7), in place of an earlier line of the
 * same task: `- Task 1.3: 2 fixes attempted (1.3.1, 1.3.2) - Final: PASS`.
 */
export function setFixHistory(text: string | undefined, history: FixHistory): string {
  const before = text ?? '';
  const name = 'Fix Task History';
  const section = findSection(before, name);
  const line = historyLine(history);
  const start = lineStarting(before, section, `- Task ${history.id}:`);
  if (start === undefined) return appendInto(before, { name, section, lines: [line] });
  return before.slice(0, start) + line + before.slice(endOfWords(before, start, lineEndAt(before, start)));
}

function historyLine({ id, fixes, final }: FixHistory): string {
  const count = fixes.length === 1 ? '1 fix' : `${fixes.length} fixes`;
  return `- Task ${id}: ${count} attempted (${fixes.join(', ')})${final === undefined ? '' : ` - Final: ${final}`}`;
}

/**
 * Notes something as one bullet of a section: why the plan changed (R-MOD-4), what a review suggested, that work was
 * accepted with findings or went unreviewed (R-VER-7). A note that is there already is not repeated.
 */
export function addNote(text: string | undefined, name: ProgressSection, note: string): string {
  const before = text ?? '';
  const section = findSection(before, name);
  const line = `- ${oneLine(note, NOTE_CHARS_MAX)}`;
  const at = lineStarting(before, section, line, true);
  return at === undefined ? appendInto(before, { name, section, lines: [line] }) : before;
}

/** The offset of the first line of a section that begins with the words, or, if `whole`, that says nothing else. */
function lineStarting(text: string, section: Section | undefined, words: string, whole = false): number | undefined {
  if (section === undefined) return undefined;
  const { bodyStart, end } = section;
  for (let at = text.indexOf(words, bodyStart); at !== -1 && at < end; at = text.indexOf(words, at + 1)) {
    const startsLine = text.charAt(at - 1) === '\n';
    const rest = text.slice(at + words.length, lineEndAt(text, at));
    if (startsLine && (!whole || rest.trim() === '')) return at;
  }
  return undefined;
}
