import { stripVTControlCharacters } from 'node:util';
import type { Printed } from '../../ports/process.ts';

const SHOWN_CHARS_MAX = 300;

/**
 * What is left of an answer, whole lines only: the rest of a line that was cut could pass for a signal standing alone
 * on it (R-DEL-4).
 */
export function wholeLines(printed: Printed): string {
  if (!printed.truncated) return printed.text;
  const lineBreak = printed.text.indexOf('\n');
  return lineBreak === -1 ? '' : printed.text.slice(lineBreak + 1);
}

/** The last line that says something, on one line and short enough for a message; empty if there is none. */
export function lastWords(text: string): string {
  const line = text.trimEnd().split('\n').at(-1) ?? '';
  const plain = stripVTControlCharacters(line)
    .replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  return plain.length > SHOWN_CHARS_MAX ? `${plain.slice(0, SHOWN_CHARS_MAX)}…` : plain;
}

/** The text with a full stop at its end, unless something ends it already. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
