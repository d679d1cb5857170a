import { oneLine, withoutInvisibles } from '../text/sanitise.ts';
import { type AnswerLine, answerLines, LIST_MARKS } from './lines.ts';

/** The words that begin the line in which an agent says what it left undone (R-VER-10). */
export const LEFT_UNDONE = 'Left undone';

const LINE = /^(?:#{1,6}[ \t]+)?[*_`]*left[ \t]+undone[*_`]*[ \t]*[:：][*_`]*[ \t]*(.*)$/i;
const NOTHING = new RegExp(
  `^(?:${[
    'none|nothing|no|nil|null|zero|n/?a|not applicable|0|∅',
    'keine[srnm]?|nichts|entfällt',
    'aucune?|rien|néant',
    'ningun[oa]|ningún|nada',
    'nenhuma?|nessun[oa]?|niente|nulla',
    'geen|niets|inget|intet|ingen|brak|nic',
    'нет|ничего|无|沒有|没有|無|無し|なし|ありません|없음',
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'iu',
);
/** What takes "none" back: "none, except the docs". */
const BUT =
  /\b(?:but|except|apart|other than|only|just|however|außer|nur|bis auf|sauf|mais|excepto|salvo|pero|mas|ma|tranne)\b/i;
/** Only marks, such as a dash. */
const EMPTY = /^[\p{P}\p{S}\s]*$/u;
const CHARS_MAX = 500;
const ITEMS_MAX = 10;

/**
 * What the answer itself says is left undone (R-VER-10), bounded and on one line; `undefined` when it says that nothing
 * is, or does not say. Read where signals are: not in fences, not quoted. Of several lines the first that names something counts.
 */
export function readUndone(finalAnswer: string): string | undefined {
  const lines = answerLines(finalAnswer).map((line) => ({ ...line, text: withoutInvisibles(line.text) }));
  for (const [at, line] of lines.entries()) {
    const said = isOwn(line) ? LINE.exec(line.text.replace(LIST_MARKS, '').trim())?.[1] : undefined;
    if (said === undefined) continue;
    const named = EMPTY.test(said) ? itemsAfter(lines.slice(at + 1)) : [plain(said)];
    const undone = named.filter((item) => !isNothing(item)).join('; ');
    if (undone !== '') return oneLine(undone, CHARS_MAX);
  }
  return undefined;
}

function isOwn({ kind }: AnswerLine): boolean {
  return kind === 'prose' || kind === 'unclosed';
}

function isNothing(text: string): boolean {
  return EMPTY.test(text) || /^<[^>]*>$/.test(text) || (NOTHING.test(text) && !BUT.test(text));
}

/** The list below the line, one blank line between them allowed. */
function itemsAfter(lines: readonly AnswerLine[]): readonly string[] {
  const from = lines.findIndex(({ text }) => text.trim() !== '');
  if (from === -1 || from > 1) return [];
  const items: string[] = [];
  for (const line of lines.slice(from, from + ITEMS_MAX)) {
    const marks = LIST_MARKS.exec(line.text)?.[0] ?? '';
    if (!isOwn(line) || marks.trim() === '') break;
    items.push(plain(line.text.slice(marks.length)));
  }
  return items;
}

function plain(text: string): string {
  return text
    .replace(/[*_`]+$/, '')
    .replace(/^[*_`]+/, '')
    .trim();
}
