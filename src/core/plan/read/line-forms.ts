const BOX = /[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+\[([ xX~-])\](?=[ \t*\\])/y;
const SHORTEST_RULE = 3;
const LONGEST_RULE = 200;
const LINE_END = '\n\r\u2028\u2029';
const MOST_DIGITS = 9;
const DASH = 45;
const ASTERISK = 42;
const PLUS = 43;
const UNDERSCORE = 95;
const DOT = 46;
const ROUND_BRACKET = 41;
const ZERO = 48;
const NINE = 57;
const SPACE = 32;
const TAB = 9;

/**
 * Offset after the list mark and its blanks, if a list item begins at `at` or after blanks there; else `undefined`. It
 * compares characters, since it is asked of every line.
 */
export function afterListMark(text: string, at: number): number | undefined {
  const mark = afterBlanks(text, at);
  const end = afterMark(text, mark);
  if (end === mark) return undefined;
  const after = afterBlanks(text, end);
  const isLast = end === text.length || LINE_END.includes(text.charAt(end));
  return after > end || isLast ? after : undefined;
}

/** Offset after a `-`, `*`, `+`, `1.` or `1)` that is at `at`; `at` itself if none does. */
function afterMark(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first === DASH || first === ASTERISK || first === PLUS) return at + 1;
  let end = at;
  while (end < at + MOST_DIGITS && isDigit(text.charCodeAt(end))) end++;
  const last = text.charCodeAt(end);
  return end > at && (last === DOT || last === ROUND_BRACKET) ? end + 1 : at;
}

function afterBlanks(text: string, at: number): number {
  let end = at;
  while (isBlank(text.charCodeAt(end))) end++;
  return end;
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** The character in the box of the list item that begins at `at`, if it has one. */
export function boxMark(text: string, at: number): string | undefined {
  BOX.lastIndex = at;
  return BOX.exec(text)?.[1];
}

/** Whether a line is a rule such as `---`; `from` is its first ink and `to` its end. */
export function isRule(text: string, from: number, to: number): boolean {
  const mark = text.charCodeAt(from);
  if (mark !== DASH && mark !== ASTERISK && mark !== UNDERSCORE) return false;
  let marks = 0;
  let afterLast = from;
  let at = from;
  for (; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === mark) {
      marks++;
      afterLast = at + 1;
    } else if (!isBlank(code)) break;
  }
  const isLong = afterLast - from >= LONGEST_RULE;
  return marks >= SHORTEST_RULE && !isLong && text.slice(at, to).trimEnd() === '';
}
