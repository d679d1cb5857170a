import { stripEscapes } from '../../text/sanitise.ts';

const CONTROL = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu;
/** Characters that act as Markdown, or that this reader would take for a marker, a comment or a reference. */
const ACTS =
  /[\\`*[<]|~(?=~)|(?<=~)~|(?<=--)>|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])|&(?=#|[A-Za-z][A-Za-z0-9]{0,31};)|\((?=depends on|p\))/giu;
/** Marks that act at the beginning of a line or a value. */
const ACTS_FIRST = /^(?:[#>+=|:-]|\d{1,9}(?=[.)]))/;

/**
 * Text from outside as one line that is only text in Markdown: it makes no list, box, marker, emphasis, code span, comment
 * or field (R-REC-4). Ordinary words and paths stay as they are.
 */
export function escapeMarkdown(text: string): string {
  return oneLine(text)
    .replace(ACTS, '\\$&')
    .replace(ACTS_FIRST, (mark) => (/\d/.test(mark) ? mark : `\\${mark}`));
}

/** The same for a cell of a table, which a bar would end; a forge takes the backslash away before it reads the cell. */
export function escapeCell(text: string): string {
  return escapeMarkdown(text).replaceAll('|', '\\|');
}

/** The text without terminal escapes, every run of white space and control characters as one space. */
export function oneLine(text: string): string {
  return stripEscapes(text).replace(CONTROL, ' ').replace(/\s+/g, ' ').trim();
}

/** The first `count` characters of a text; a character outside the basic plane is never cut in half. */
export function firstCharacters(text: string, count: number): string {
  return [...text.slice(0, 2 * count)].slice(0, count).join('');
}
