import { type Cursor, NotUnderstood, readWord, skipBalanced } from './shell-word.ts';

/** Pipelines one after the other, as a shell reads them. */
export type ShellList = readonly AndOr[];

/** Pipelines with `&&` and `||` between them: `joints[n]` is before `pipelines[n + 1]`. */
export interface AndOr {
  readonly pipelines: readonly Pipeline[];
  readonly joints: readonly ('&&' | '||')[];
  readonly inBackground: boolean;
}

export interface Pipeline {
  /** Offsets in the text, without a leading `!`. */
  readonly from: number;
  readonly to: number;
  readonly isNegated: boolean;
  readonly stages: readonly PipelineStage[];
}

/** One command of a pipeline. */
export interface PipelineStage {
  readonly from: number;
  readonly to: number;
  /** Of a simple command: its words without quotes, redirections aside. */
  readonly words: readonly string[];
  /** What it does with its output and errors, as `2>/dev/null`. */
  readonly redirections: readonly string[];
  /** Of `(…)` and `{ …; }`: what is in it. */
  readonly group?: ShellList;
  /** `if`, `for`, `while`, `[[ … ]]` and the like: not looked into. */
  readonly isCompound: boolean;
}

const CHARS_MAX = 20_000;
const ENDS_OF: Readonly<Record<string, string>> = {
  if: 'fi',
  for: 'done',
  while: 'done',
  until: 'done',
  select: 'done',
};
const INNER = new Set(['then', 'else', 'elif', 'do', 'in']);
const CLOSING = new Set(['fi', 'done', 'esac', '}', 'then', 'else', 'elif', 'do']);
const REFUSED = new Set(['case', 'function', 'coproc', 'esac']);

interface ListReader extends Cursor {
  /** The here-documents that begin after this line. */
  readonly documents: HereDocument[];
}

interface HereDocument {
  /** The line that ends it. */
  readonly word: string;
  /** `<<-`: tabs before that line do not count. */
  readonly mayBeIndented: boolean;
}

/**
 * Reads a command as far as its lists and pipelines (R-VER-15); `undefined` if anything in it is not understood: nothing
 * may be concluded then. It knows quotes, substitutions, here-documents, groups and the usual compound commands.
 */
export function readShellList(command: string): ShellList | undefined {
  if (command.length > CHARS_MAX) return undefined;
  const reader: ListReader = { text: command, at: 0, depth: 0, documents: [] };
  try {
    const list = readList(reader, new Set());
    return reader.at === command.length && reader.documents.length === 0 ? list : undefined;
  } catch (error) {
    if (error instanceof NotUnderstood) return undefined;
    throw error;
  }
}

function readList(reader: ListReader, closers: ReadonlySet<string>): ShellList {
  const list: AndOr[] = [];
  for (skipGaps(reader); reader.at < reader.text.length && !isCloser(reader, closers); skipGaps(reader)) {
    list.push(readAndOr(reader));
  }
  return list;
}

/** Whether the list ends here: at a bracket, or at a word that only counts where a command may begin. */
function isCloser({ text, at }: ListReader, closers: ReadonlySet<string>): boolean {
  if (text[at] === ')') return closers.has(')');
  const word = /^(?:[a-z]+|\})(?=[\s;&|<>()]|$)/.exec(text.slice(at, at + 12))?.[0];
  return word !== undefined && closers.has(word);
}

function readAndOr(reader: ListReader): AndOr {
  const pipelines = [readPipeline(reader)];
  const joints: ('&&' | '||')[] = [];
  for (;;) {
    skipBlanks(reader);
    const joint = reader.text.slice(reader.at, reader.at + 2);
    if (joint !== '&&' && joint !== '||') break;
    reader.at += 2;
    skipGaps(reader);
    joints.push(joint);
    pipelines.push(readPipeline(reader));
  }
  return { pipelines, joints, inBackground: readSeparator(reader) };
}

/** Steps over what ends a list; returns whether it was `&`. */
function readSeparator(reader: ListReader): boolean {
  const char = reader.text[reader.at];
  if (char === undefined || char === '\n' || char === ')') return false;
  if (char !== ';' && char !== '&') throw new NotUnderstood();
  reader.at++;
  if (reader.text[reader.at] === ';' || reader.text[reader.at] === '&') throw new NotUnderstood();
  return char === '&';
}

function readPipeline(reader: ListReader): Pipeline {
  const isNegated = /^!\s/.test(reader.text.slice(reader.at, reader.at + 2));
  if (isNegated) reader.at++;
  skipBlanks(reader);
  const from = reader.at;
  const stages = [readStage(reader)];
  for (;;) {
    skipBlanks(reader);
    if (reader.text[reader.at] !== '|' || reader.text[reader.at + 1] === '|')
      return { from, to: stages.at(-1)?.to ?? from, isNegated, stages };
    reader.at += reader.text[reader.at + 1] === '&' ? 2 : 1;
    skipGaps(reader);
    stages.push(readStage(reader));
  }
}

function readStage(reader: ListReader): PipelineStage {
  const from = reader.at;
  const char = reader.text[reader.at];
  if (char === '(') return readGroup(reader, ')');
  if (/^\{\s/.test(reader.text.slice(from, from + 2))) return readGroup(reader, '}');
  const first = /^(?:[a-z]+|\[\[)(?=[\s;&|<>()]|$)/.exec(reader.text.slice(from, from + 12))?.[0] ?? '';
  if (REFUSED.has(first) || CLOSING.has(first)) throw new NotUnderstood();
  if (first === '[[') return readTest(reader);
  const end = ENDS_OF[first];
  if (end !== undefined) return readCompound(reader, first, end);
  const simple = readSimple(reader, from);
  if (simple.to === from) throw new NotUnderstood();
  return simple;
}

function readGroup(reader: ListReader, closer: ')' | '}'): PipelineStage {
  const from = reader.at;
  if (reader.text.startsWith('((', from)) {
    skipBalanced(reader, '(', ')');
    return withRedirections(reader, { from, isCompound: true });
  }
  if (++reader.depth > 20) throw new NotUnderstood();
  reader.at++;
  const group = readList(reader, new Set([closer]));
  if (reader.text[reader.at] !== closer) throw new NotUnderstood();
  reader.at++;
  reader.depth--;
  return withRedirections(reader, { from, isCompound: false, group });
}

/** `[[ … ]]`, whose operators are not those of a list. */
function readTest(reader: ListReader): PipelineStage {
  const from = reader.at;
  const end = /\s\]\](?=[\s;&|)]|$)/.exec(reader.text.slice(from));
  if (end === null) throw new NotUnderstood();
  reader.at = from + end.index + end[0].length;
  return withRedirections(reader, { from, isCompound: true });
}

/** From its first word to its last: all lists between are read, and forgotten. */
function readCompound(reader: ListReader, first: string, end: string): PipelineStage {
  const from = reader.at;
  if (++reader.depth > 20) throw new NotUnderstood();
  reader.at += first.length;
  if (first === 'for' || first === 'select') readSimple(reader, reader.at);
  for (;;) {
    skipGaps(reader);
    if (reader.text[reader.at] === ';') reader.at++;
    readList(reader, new Set([...INNER, end]));
    const word = /^[a-z]+/.exec(reader.text.slice(reader.at, reader.at + 12))?.[0] ?? '';
    if (word === '') throw new NotUnderstood();
    reader.at += word.length;
    if (word === end) break;
  }
  reader.depth--;
  return withRedirections(reader, { from, isCompound: true });
}

function withRedirections(
  reader: ListReader,
  stage: Omit<PipelineStage, 'to' | 'words' | 'redirections'>,
): PipelineStage {
  const { words, redirections, to } = readSimple(reader, reader.at);
  if (words.length > 0) throw new NotUnderstood();
  return { ...stage, to, words, redirections };
}

function readSimple(reader: ListReader, from: number): PipelineStage {
  const words: string[] = [];
  const redirections: string[] = [];
  let to = reader.at;
  for (skipBlanks(reader); reader.at < reader.text.length; skipBlanks(reader)) {
    const redirection = /^(?:\d{0,3}(?:<<<|<<-?|<>|<&|>>|>&|>\||<(?!\()|>(?!\())|&>>?)/.exec(
      reader.text.slice(reader.at, reader.at + 8),
    )?.[0];
    if (reader.text[reader.at] === '#') {
      reader.at = lineEnd(reader);
      break;
    }
    if (redirection !== undefined) redirections.push(readRedirection(reader, redirection));
    else if (/^[<>]\(/.test(reader.text.slice(reader.at, reader.at + 2))) words.push(readProcess(reader));
    else if (/[\n;&|<>()]/.test(reader.text[reader.at] ?? '')) break;
    else words.push(readWord(reader));
    to = reader.at;
  }
  return { from, to, words, redirections, isCompound: false };
}

function readRedirection(reader: ListReader, operator: string): string {
  reader.at += operator.length;
  skipBlanks(reader);
  const target = readWord(reader);
  if (target === '') throw new NotUnderstood();
  if (/^\d*<<-?$/.test(operator)) reader.documents.push({ word: target, mayBeIndented: operator.endsWith('-') });
  return operator + target;
}

function readProcess(reader: ListReader): string {
  const from = reader.at++;
  skipBalanced(reader, '(', ')');
  return reader.text.slice(from, reader.at);
}

/** Blanks, and line breaks that a backslash takes away. */
function skipBlanks(reader: ListReader): void {
  for (;;) {
    if (/[ \t]/.test(reader.text[reader.at] ?? '')) reader.at++;
    else if (reader.text.startsWith('\\\n', reader.at)) reader.at += 2;
    else return;
  }
}

/** Blanks, comments and line breaks, with the here-documents after them. */
function skipGaps(reader: ListReader): void {
  for (;;) {
    skipBlanks(reader);
    const char = reader.text[reader.at];
    if (char === '#') reader.at = lineEnd(reader);
    else if (char === '\n') skipDocuments(reader);
    else return;
  }
}

function skipDocuments(reader: ListReader): void {
  reader.at++;
  for (let document = reader.documents.shift(); document; document = reader.documents.shift()) {
    for (let isOver = false; !isOver; ) {
      if (reader.at >= reader.text.length) throw new NotUnderstood();
      const end = lineEnd(reader);
      const line = reader.text.slice(reader.at, end);
      isOver = (document.mayBeIndented ? line.replace(/^\t+/, '') : line) === document.word;
      reader.at = Math.min(end + 1, reader.text.length);
    }
  }
}

function lineEnd({ text, at }: ListReader): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}
