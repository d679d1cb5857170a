import { stripVTControlCharacters } from 'node:util';
import type { Printed } from '../../ports/process.ts';

const SHOWN_CHARS_MAX = 300;

/** Longest final answer that is passed on (section 15). */
export const ANSWER_BYTES_MAX = 1024 * 1024;

/**
 * What is left of an answer, whole lines only: the rest of a line that was cut could pass for a signal standing alone
 * on it (R-DEL-4).
 */
export function wholeLines({ text, truncated }: Pick<Printed, 'text' | 'truncated'>): string {
  if (!truncated) return text;
  const lineBreak = text.indexOf('\n');
  return lineBreak === -1 ? '' : text.slice(lineBreak + 1);
}

/** The last whole lines of an answer that is longer than is passed on; a character counts as one byte. */
export function boundedAnswer(text: string): string {
  return wholeLines({ text: text.slice(-ANSWER_BYTES_MAX), truncated: text.length > ANSWER_BYTES_MAX });
}

/** The last line that says something, on one line and short enough for a message; empty if there is none. */
export function lastWords(text: string): string {
  const line = text.trimEnd().split('\n').at(-1) ?? '';
  const plain = stripVTControlCharacters(line)
    .replace(/[\s\u0000-\u001f\u007f-\u009f]+/g, ' ')
    .trim();
  return plain.length > SHOWN_CHARS_MAX ? `${plain.slice(0, SHOWN_CHARS_MAX)}…` : plain;
}

/** The text with a full stop at its end, unless something ends it already. */
export function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
