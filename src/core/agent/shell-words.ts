/** The words of a command, or why it has none that are sure. `problem` is one sentence. */
export type ShellWords =
  | { readonly ok: true; readonly words: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/** After these, and only these, a backslash within double quotes escapes. */
const ESCAPED_IN_DOUBLE_QUOTES = '"\\$`\n';

/**
 * Splits a command into words as a shell does, with quotes and backslashes, and does nothing else a shell does: `$`, `*`,
 * `|`, `#` and all the like are plain characters (R-SEC-1).
 */
export function splitShellWords(command: string): ShellWords {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length; ) {
    const part = readPart(command, at);
    if (part === undefined) return { ok: false, problem: unclosed(command, at) };
    if (part.endsWord && word !== undefined) words.push(word);
    if (part.endsWord) word = undefined;
    else if (part.text !== undefined) word = (word ?? '') + part.text;
    at = part.end;
  }
  if (word !== undefined) words.push(word);
  return { ok: true, words };
}

/** A piece of a word, a gap between words, or neither: a line break that a backslash takes away. */
interface WordPart {
  readonly text?: string;
  readonly endsWord?: true;
  readonly end: number;
}

/** The part that begins at `at`; `undefined` if it never ends. */
function readPart(command: string, at: number): WordPart | undefined {
  switch (command[at]) {
    case ' ':
    case '\t':
    case '\r':
    case '\n':
      return { endsWord: true, end: at + 1 };
    case "'":
      return readSingleQuoted(command, at + 1);
    case '"':
      return readDoubleQuoted(command, at + 1);
    case '\\':
      return readEscaped(command, at + 1);
    default:
      return { text: command.charAt(at), end: at + 1 };
  }
}

function readSingleQuoted(command: string, start: number): WordPart | undefined {
  const close = command.indexOf("'", start);
  return close < 0 ? undefined : { text: command.slice(start, close), end: close + 1 };
}

function readDoubleQuoted(command: string, start: number): WordPart | undefined {
  let text = '';
  for (let at = start; at < command.length; at++) {
    const character = command.charAt(at);
    if (character === '"') return { text, end: at + 1 };
    const next = command.charAt(at + 1);
    const escapes = character === '\\' && next !== '' && ESCAPED_IN_DOUBLE_QUOTES.includes(next);
    if (escapes) at++;
    if (!escapes) text += character;
    else if (next !== '\n') text += next;
  }
  return undefined;
}

function readEscaped(command: string, at: number): WordPart | undefined {
  const character = command[at];
  if (character === undefined) return undefined;
  return character === '\n' ? { end: at + 1 } : { text: character, end: at + 1 };
}

function unclosed(command: string, at: number): string {
  const opened = command.charAt(at);
  if (opened === '\\') return `The command ends in a backslash that has nothing to escape: ${command}.`;
  return `The command has a ${opened} at character ${at + 1} that is never closed: ${command}.`;
}
