/** Thrown inside the reader of shell commands: what is there is not understood, so nothing may be concluded from it. */
export class NotUnderstood extends Error {}

/** Where a reader is in a command. `depth` bounds how deep substitutions may lie in one another. */
export interface Cursor {
  readonly text: string;
  at: number;
  depth: number;
}

const DEPTH_MAX = 20;
/** Characters that end a word outside of quotes. */
const ENDS_WORD = /[ \t\n;&|<>()]/;

/** Reads the word at the cursor and steps over it; returns it without its quotes, with what it substitutes as written. */
export function readWord(cursor: Cursor): string {
  let word = '';
  for (let char = peek(cursor); char !== undefined && !ENDS_WORD.test(char); char = peek(cursor)) {
    word += readPart(cursor, char);
  }
  // An array, a function or an extended pattern.
  if (peek(cursor) === '(') throw new NotUnderstood();
  return word;
}

function peek({ text, at }: Cursor): string | undefined {
  return text[at];
}

function readPart(cursor: Cursor, char: string): string {
  switch (char) {
    case '\\':
      cursor.at += 2;
      return cursor.text[cursor.at - 1] === '\n' ? '' : cursor.text.slice(cursor.at - 1, cursor.at);
    case "'":
      return readSingle(cursor, false);
    case '"':
      return readDouble(cursor);
    case '`':
      return readBackticks(cursor);
    case '$':
      return readDollar(cursor);
    default:
      cursor.at++;
      return char;
  }
}

/** `'…'`, or `$'…'` with `escapes`; the cursor is at the quote. */
function readSingle(cursor: Cursor, escapes: boolean): string {
  const from = ++cursor.at;
  while (peek(cursor) !== "'") {
    if (peek(cursor) === undefined) throw new NotUnderstood();
    cursor.at += escapes && peek(cursor) === '\\' ? 2 : 1;
  }
  return cursor.text.slice(from, cursor.at++);
}

function readDouble(cursor: Cursor): string {
  let word = '';
  cursor.at++;
  for (let char = peek(cursor); char !== '"'; char = peek(cursor)) {
    if (char === undefined) throw new NotUnderstood();
    if (char === '\\') {
      word += /["\\$`]/.test(cursor.text[cursor.at + 1] ?? '') ? '' : char;
      word += cursor.text[cursor.at + 1] ?? '';
      cursor.at += 2;
    } else if (char === '`') word += readBackticks(cursor);
    else if (char === '$' && cursor.text[cursor.at + 1] !== '"') word += readDollar(cursor, 'in double quotes');
    else {
      word += char;
      cursor.at++;
    }
  }
  cursor.at++;
  return word;
}

function readBackticks(cursor: Cursor): string {
  const from = cursor.at++;
  while (peek(cursor) !== '`') {
    if (peek(cursor) === undefined) throw new NotUnderstood();
    cursor.at += peek(cursor) === '\\' ? 2 : 1;
  }
  return cursor.text.slice(from, ++cursor.at);
}

function readDollar(cursor: Cursor, where?: 'in double quotes'): string {
  const from = cursor.at++;
  const char = peek(cursor);
  if (char === "'" && where === undefined) return readSingle(cursor, true);
  if (char === '"' && where === undefined) return readDouble(cursor);
  if (char === '(') skipBalanced(cursor, '(', ')');
  else if (char === '{') skipBalanced(cursor, '{', '}');
  return cursor.text.slice(from, cursor.at);
}

/** Steps over `(…)` or `{…}`, and everything in quotes inside. A `case` in it may hold a lone bracket: not understood. */
export function skipBalanced(cursor: Cursor, opening: string, closing: string): void {
  if (++cursor.depth > DEPTH_MAX) throw new NotUnderstood();
  const from = cursor.at++;
  for (let char = peek(cursor); char !== closing; char = peek(cursor)) {
    if (char === undefined) throw new NotUnderstood();
    if (char === opening) skipBalanced(cursor, opening, closing);
    else readPart(cursor, char);
  }
  cursor.at++;
  cursor.depth--;
  if (opening === '(' && /\bcase\b|<<|(?:^|\s)#/.test(cursor.text.slice(from, cursor.at))) throw new NotUnderstood();
}
