import { stripVTControlCharacters } from 'node:util';
import type { Printed } from '../../ports/process.ts';

const SHOWN_CHARS_MAX = 300;
const KEPT_CHARS_MAX = 64 * 1024;

/** Longest final answer that is passed on (R-API-2). */
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

/** An answer that is no longer than is passed on; a character counts as one byte. Lines to keep are above the rest. */
export function boundedAnswer(text: string, keepLine?: (line: string) => boolean): string {
  if (text.length <= ANSWER_BYTES_MAX) return text;
  const lines = new KeptLines(keepLine);
  for (const line of text.slice(0, -ANSWER_BYTES_MAX).split('\n')) lines.take(line);
  return lines.above({ text: text.slice(-ANSWER_BYTES_MAX), truncated: true });
}

/** Lines of a long answer that are passed on wherever they are, each once, in bounded memory (R-DEL-6). */
export class KeptLines {
  readonly #keep: ((line: string) => boolean) | undefined;
  readonly #kept = new Set<string>();
  #chars = 0;

  constructor(keep: ((line: string) => boolean) | undefined) {
    this.#keep = keep;
  }

  take(line: string): void {
    if (this.#chars > KEPT_CHARS_MAX || !this.#keep?.(line) || this.#kept.has(line)) return;
    this.#kept.add(line);
    this.#chars += line.length;
  }

  /** The answer; if its beginning was cut, with the kept lines above what is left of it. */
  above(printed: Pick<Printed, 'text' | 'truncated'>): string {
    const rest = wholeLines(printed);
    return printed.truncated && this.#kept.size > 0 ? `${[...this.#kept].join('\n\n')}\n\n${rest}` : rest;
  }
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
