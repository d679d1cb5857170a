import type { VerifyKind } from '../data/task.ts';
import { isBareCommand } from '../shell/bare-command.ts';
import { hereDocumentWord, wordOfLine } from '../shell/here-document.ts';
import { findTicks, onlySpan } from './code-spans.ts';
import { type Fence, fenceAt, fenceText, withoutCommonIndent } from './fences.ts';
import { type FieldPlace, firstValue, listItems, restOfValue, type Source, valueText } from './fields.ts';

/** What a *Verify* field asks for. */
export interface VerifyValue {
  readonly verifyKind: VerifyKind;
  /** Only for a `command`. */
  readonly verifyCommand: string | null;
  readonly verifyText?: string;
}

/** Languages of a fence that a shell can run; a fence without one counts too. */
const SHELLS = new Set([
  '',
  'bash',
  'sh',
  'shell',
  'zsh',
  'console',
  'shell-session',
  'shellsession',
  'terminal',
  'command',
  'cmd',
]);
const MANUAL = /^[*_]*(?:manual(?:ly)?|by hand|by eye|visual(?:ly)?|human)(?![\w-])/i;
const MANUAL_ECHO = /^echo[ \t]+(?:'|"|)(?:verify[ \t]+)?manual(?:ly)?\b[^&|;<>$`\n]*$/i;
/** Perhaps in a code span. */
const NOTHING = /^(`?)(?:none|n\/a|-|–|—)\.?\1$/i;
const JOINT = /^[ \t]*(?:,[ \t]*(?:and|then)(?![\w-])|,|;|&&|and(?![\w-])|then(?![\w-]))[ \t]*(?=`)/i;
const LABEL = /^(?:\*\*)?[^`:*]{1,60}:(?:\*\*)?[ \t]*(?=`)/;
const PROMPT = /^\$ /;

/** Classes the value of *Verify* and finds its command (R-READ-12, R-PARSE-5). */
export function readVerify(source: Source, field: FieldPlace | undefined): VerifyValue {
  if (field === undefined) return { verifyKind: 'none', verifyCommand: null };
  const verifyText = valueText(source, field);
  const first = firstValue(source, field);
  if (verifyText === '' || (first === verifyText && NOTHING.test(first))) {
    return { verifyKind: 'none', verifyCommand: null, verifyText };
  }
  if (MANUAL.test(first)) return { verifyKind: 'manual', verifyCommand: null, verifyText };
  const verifyCommand = commandOf(source, field, first);
  if (verifyCommand === undefined) return { verifyKind: 'prose', verifyCommand: null, verifyText };
  if (MANUAL_ECHO.test(verifyCommand)) return { verifyKind: 'manual', verifyCommand: null, verifyText };
  return { verifyKind: 'command', verifyCommand, verifyText };
}

function commandOf(source: Source, field: FieldPlace, first: string): string | undefined {
  if (first.startsWith('`')) return leadingSpans(first);
  if (first !== '' && !/[:：]$/.test(first)) return isBareCommand(first) ? first : undefined;
  return commandBelow(source, field);
}

/** The commands of the code spans that a text begins with, joined by `&&`. */
function leadingSpans(text: string): string | undefined {
  const only = onlySpan(text);
  if (only !== undefined) return only.trim() || undefined;
  const commands: string[] = [];
  let at = 0;
  let lineEnd = lineEndOf(text, 0);
  while (text[at] === '`') {
    const length = /^`+/.exec(text.slice(at, at + 200))?.[0].length ?? 1;
    const from = at + length;
    if (from > lineEnd) lineEnd = lineEndOf(text, from);
    const end = spanEnd(text, length, { from, lineEnd });
    if (end < 0) break;
    const command = spanCommand(text.slice(from, end));
    if (command !== '') commands.push(command);
    at = end + length;
    const joint = JOINT.exec(text.slice(at, at + 40));
    if (joint === null) break;
    at += joint[0].length;
  }
  return commands.length === 0 ? undefined : commands.join(' && ');
}

function lineEndOf(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** A span closes on its own line if it can, even after a backslash, otherwise on a line below, after any here-document. */
function spanEnd(text: string, length: number, range: { readonly from: number; readonly lineEnd: number }): number {
  const { from, lineEnd } = range;
  const sameLine = findTicks(text, length, { from, to: lineEnd });
  if (sameLine >= 0) return sameLine;
  if (lineEnd === text.length) return text.indexOf('`'.repeat(length), from);
  const word = hereDocumentWord(text.slice(from, lineEnd));
  return findTicks(text, length, { from: afterDocument(text, lineEnd, word), to: text.length });
}

/** Offset after the line that ends a here-document; `from` if there is none. */
function afterDocument(text: string, from: number, word: string | undefined): number {
  for (let at = from; word !== undefined && at < text.length; ) {
    const end = lineEndOf(text, at + 1);
    if (wordOfLine(text.slice(at + 1, end)) === word) return end;
    at = end;
  }
  return from;
}

/** The lines of a span below its first one lose the indentation they share. */
function spanCommand(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  return rest.length === 0 ? text.trim() : [first, ...withoutCommonIndent(rest)].join('\n').trim();
}

/** The command of a value that is below the field's line: a fence, or else a list, or else one bare line. */
function commandBelow(source: Source, field: FieldPlace): string | undefined {
  const rest = restOfValue(source, field);
  for (let line = rest.from; line < rest.to; line++) {
    if (source.kinds[line] === 'fence-open') return fenceCommand(source, fenceAt(source.lines, line), rest.to);
  }
  const commands = listItems(source, rest).map(itemCommand);
  const known = commands.filter((command) => command !== undefined);
  if (known.length > 0) return known.join(' && ');
  if (commands.length > 0) return undefined;
  const text = valueText(source, { ...field, at: source.lines.starts[rest.from] ?? source.lines.text.length });
  if (text.startsWith('`')) return leadingSpans(text);
  return isBareCommand(text) ? text : undefined;
}

function fenceCommand(source: Source, fence: Fence | undefined, to: number): string | undefined {
  if (fence === undefined || !SHELLS.has(fence.language)) return undefined;
  let close = fence.line + 1;
  while (close < to && source.kinds[close] === 'fence-body') close++;
  const text = fenceText(source.lines, fence.line, close);
  const lines = text.split('\n');
  const typed = lines.filter((line) => PROMPT.test(line));
  const command = typed.length === 0 ? text : typed.map((line) => line.replace(PROMPT, '')).join('\n');
  return command.trim() === '' ? undefined : command;
}

/** A bullet: a span, perhaps after a label such as `Lint:`, or a bare command. */
function itemCommand(item: string): string | undefined {
  const text = item.replace(/^\[[ xX~-]\][ \t]+/, '').replace(LABEL, '');
  if (text.startsWith('`')) return leadingSpans(text);
  return isBareCommand(text) ? text : undefined;
}
