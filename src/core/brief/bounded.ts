import { byteLength } from '../text/byte-length.ts';

/** A part of a prompt that is shortened where there is no room for all of it. */
export interface Shortened {
  /** What it is called where all of it is left out. */
  readonly title: string;
  /** More bytes than this are of no use. */
  readonly bytesMax: number;
  /** Writes it within so many bytes, and names what it leaves out; empty where they are too few to say anything. */
  readonly write: (bytesMax: number) => string;
}

/** A part of a prompt: a text that is never cut, or one that is shortened. Empty ones are left out. */
export type PromptPart = string | Shortened;

const BETWEEN = '\n\n';
/** For the names of the parts that are left out. */
const NAMES_BYTES = 160;

/**
 * Puts a prompt together within `bytesMax` (R-AGT-7). What is never cut comes first; of what room is left, each other part
 * gets at most half, the last one first: what is nearest to the attempt comes last in a prompt. What is left out is named.
 */
export function bounded(parts: readonly PromptPart[], bytesMax: number): string {
  const fixed = parts.filter((part) => typeof part === 'string').filter((text) => text !== '');
  let room = bytesMax - byteLength(fixed.join(BETWEEN)) - NAMES_BYTES;
  const leftOut: string[] = [];
  const written = parts.toReversed().map((part) => {
    if (typeof part === 'string') return part;
    const text = part.write(Math.min(part.bytesMax, Math.floor(room / 2)));
    room -= byteLength(text) + BETWEEN.length;
    if (text === '') leftOut.unshift(part.title);
    return text;
  });
  const names = leftOut.length === 0 ? '' : `(Left out, as the prompt has a limit: ${leftOut.join(', ')}.)`;
  const [first = '', ...rest] = written.toReversed().filter((text) => text !== '');
  return `${[first, names, ...rest].filter((text) => text !== '').join(BETWEEN)}\n`;
}

/** The longest form of a text that takes at most `bytesMax`; `write` is told how many UTF-16 units it may take. */
export function withinBytes(bytesMax: number, write: (charsMax: number) => string): string {
  for (let charsMax = bytesMax; charsMax >= CHARS_MIN; ) {
    const text = write(charsMax);
    const bytes = byteLength(text);
    if (bytes <= bytesMax) return text;
    charsMax = Math.min(charsMax - 1, Math.floor((charsMax * bytesMax) / bytes));
  }
  return '';
}

const CHARS_MIN = 40;
