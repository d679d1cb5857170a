/**
 * A control string (OSC, DCS, APC, PM, SOS; 7- or 8-bit) with its terminator, if it has one on its line. None of them
 * may run over a line end: a torn one must not swallow the rest of the text. The class stops at every further
 * introducer, which keeps the search linear.
 */
const CONTROL_STRING =
  '(?:\\x1b[\\]PX^_]|[\\x90\\x98\\x9d-\\x9f])[^\\x07\\x1b\\x90\\x98\\x9c-\\x9f\\r\\n]*(?:\\x07|\\x1b\\\\|\\x9c)?';
const CSI = '(?:\\x1b\\[|\\x9b)[0-?]*[ -/]*[@-~]?';
const OTHER_ESCAPE = '\\x1b[ -/]*[0-~]?';
const ESCAPES = new RegExp(`${CONTROL_STRING}|${CSI}|${OTHER_ESCAPE}`, 'g');

const CARRIAGE_RETURNS = /\r+\n?/g;
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;
const BLANKS = /[^\S\n]{20,}|\u2800{4,}/g;
const EMPTY_LINES = /\n(?:[^\S\n]*\n){5,}/g;
const LONE_SURROGATES = /\p{Surrogate}/gu;
/** A joiner between two pictures makes one emoji of them; anywhere else it is as invisible as the others. */
const EMOJI_JOINER = /(?<=\p{Extended_Pictographic}|\ufe0f|[\u{1f3fb}-\u{1f3ff}])\u200d(?=\p{Extended_Pictographic})/u;
const INVISIBLE = new RegExp(
  `(?!${EMOJI_JOINER.source})(?![\\ufe00-\\ufe0f])[\\p{Default_Ignorable_Code_Point}\\u2028\\u2029]`,
  'gu',
);

/**
 * Removes terminal escape sequences, 7- and 8-bit, complete or torn, and makes every line end `\n`. Other control and
 * invisible characters stay, so that a reader of the text sees that they are there.
 */
export function stripEscapes(text: string): string {
  return text.replace(ESCAPES, '').replace(CARRIAGE_RETURNS, '\n');
}

/**
 * Text as a terminal shows it in the end: without escape sequences, and of a line that carriage returns overwrite only
 * its last state. Every line end becomes `\n`.
 */
export function asShown(text: string): string {
  return text.replace(ESCAPES, '').split('\n').map(lastState).join('\n');
}

function lastState(line: string): string {
  let end = line.length;
  while (line.charAt(end - 1) === '\r') end--;
  return line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/** The text without the characters that no one can see, such as zero-width ones. Joined emoji stay whole. */
export function withoutInvisibles(text: string): string {
  return text.replace(INVISIBLE, (char) => (char === '\u2028' || char === '\u2029' ? '\n' : ''));
}

/** Whether there is anything in a text that `stripUnseen` leaves out. */
export function holdsUnseen(text: string): boolean {
  return text.search(CONTROLS) !== -1;
}

/** Text without what `sanitise` leaves out of it: escape sequences and control characters. What they parted is joined. */
export function stripUnseen(text: string): string {
  return stripEscapes(text).replace(CONTROLS, '');
}

/**
 * Makes text from outside harmless for a terminal and honest for the eye (R-SEC-2): no escape sequence, no control
 * character but `\n` and tab; an overprinting carriage return is a new line; bidirectional, zero-width and tag
 * characters show as `<U+202E>`; half a surrogate pair shows as U+FFFD. Takes time linear in the text.
 */
export function sanitise(text: string, options: { readonly charsPerLineMax?: number } = {}): string {
  const clean = withoutInvisible(stripUnseen(text));
  const { charsPerLineMax } = options;
  if (charsPerLineMax === undefined) return clean;
  return clean
    .split('\n')
    .map((line) => cut(line, charsPerLineMax))
    .join('\n');
}

/**
 * Makes text from outside harmless for a terminal and leaves nothing of it out: for text that a person reads before a
 * decision, such as commands (R-SEC-1). A control character shows as `\x1b`, an invisible one as `<U+202E>`.
 */
export function visible(text: string): string {
  return withoutInvisible(text.replace(/\r\n/g, '\n').replace(CONTROLS, escaped));
}

/** Blanks and empty lines that would push the rest of a text out of sight show as their number (R-SEC-1). */
export function withoutGaps(text: string): string {
  return text
    .replace(BLANKS, (blanks) => ` … ${blanks.length} spaces … `)
    .replace(EMPTY_LINES, (lines) => `\n… ${lines.split('\n').length - 2} empty lines …\n`);
}

/** Visible text without gaps in one line, with a line break as `⏎`; the end of a longer text is left out, and says how long it is. */
export function visibleLine(text: string, charsMax: number): string {
  const line = withoutGaps(visible(text.trim()))
    .replace(/\n[ \t]*/g, ' ⏎ ')
    .replace(/\t/g, ' ');
  if (line.length <= charsMax) return line;
  const shown = cut(line, charsMax);
  return `${shown} (${line.length - shown.length + 1} more characters)`;
}

/** Whether a text holds control characters other than tabs and line breaks, which no command needs (R-SEC-1). */
export function hasControlCharacter(text: string): boolean {
  return text.replace(/\r\n/g, '\n').search(CONTROLS) >= 0;
}

function escaped(char: string): string {
  return `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
}

function withoutInvisible(text: string): string {
  return text
    .replace(LONE_SURROGATES, '\ufffd')
    .replace(INVISIBLE, (char) => `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`);
}

/** Text from outside as one line: sanitised, white space runs made one blank, at most `charsMax` UTF-16 units. */
export function oneLine(text: string, charsMax: number): string {
  return cut(sanitise(text).replace(/\s+/g, ' ').trim(), charsMax);
}

/** The text, or its beginning with an ellipsis when it is longer than `charsMax` UTF-16 units. Splits no pair. */
export function cut(text: string, charsMax: number): string {
  if (text.length <= charsMax) return text;
  const kept = text.slice(0, Math.max(0, charsMax - 1));
  return `${kept.replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Every line with `> ` before it: for text that is data, never an instruction (R-PR-4). */
export function quoteLines(text: string): string {
  return text.replace(/^/gm, '> ');
}
