import type { Plan, Task } from '../data/task.ts';
import { type Field, readFields, type Source } from '../read/fields.ts';
import { afterListMark } from '../read/line-forms.ts';
import { splitLines, startOf, withLineFeeds } from '../read/lines.ts';
import { readVisibility } from '../read/visibility.ts';
import { escapeMarkdown, firstCharacters, oneLine } from './escape.ts';

/** What a fix task is made from (R-REC-4). */
export interface FixRequest {
  /** Id of the fix task, from `nextFixId`. */
  readonly id: string;
  /** The task it repairs. */
  readonly original: Task;
  /** What went wrong, in the words of an agent or a program; any text. */
  readonly error: string;
  /** What was tried, in an agent's words; any text. */
  readonly attemptedFix: string;
  /** What earlier fix tasks tried; any texts. */
  readonly tried?: readonly string[];
}

const TITLE_CHARS_MAX = 50;
const TEXT_CHARS_MAX = 500;
const TRIED_MAX = 5;
/** Columns of a list mark and its blank: what is below a bullet is that much further right. */
const BULLET = 2;
const NO_ERROR = 'Task execution failed';
const BY_HAND = "`echo 'Verify manually'`";

/**
 * The block of a fix task, with LF line breaks and the indentation of the original's first line (R-REC-4). Foreign text in
 * it is escaped; *Files* and *Verify* are copied from the original as written.
 */
export function fixTaskBlock(request: FixRequest): string {
  const { original } = request;
  const error = oneLine(request.error) || NO_ERROR;
  const source = sourceOf(original);
  const fields = readFields(source, 1, source.lines.count);
  const indent = /^[ \t]*/.exec(original.block)?.[0] ?? '';
  const isHeading = original.boxes !== undefined;
  const own = isHeading ? '' : `${indent}  `;
  const title = `[FIX ${original.id}] Fix: ${escapeMarkdown(firstCharacters(error, TITLE_CHARS_MAX))}`;
  const head = isHeading
    ? [...headingOf(original, `${request.id}: ${title}`), '']
    : [`${indent}- [ ] ${request.id} ${title}`];
  const lines = [
    ...head,
    ...(isHeading ? ['- [ ] The error no longer occurs'] : []),
    `${own}- **Do**:`,
    ...steps(request, error).map((step, at) => `${own}  ${at + 1}. ${step}`),
    `${own}- **Files**:${copied(source, fields.files, own) ?? ` ${folderOf(original)}`}`,
    `${own}- **Done when**: The error no longer occurs: ${escapeMarkdown(firstCharacters(error, TITLE_CHARS_MAX))}`,
    `${own}- **Verify**:${copied(source, fields.verify, own) ?? ` ${BY_HAND}`}`,
    `${own}- **Commit**: \`fix(${scopeOf(original)}): address ${errorType(error)} from task ${original.id}\``,
  ];
  return lines.join('\n');
}

function sourceOf(task: Task): Source {
  const lines = splitLines(withLineFeeds(task.block));
  return { lines, kinds: readVisibility(lines).kinds };
}

/** The first line of a fix task whose original is a heading. */
function headingOf(original: Task, text: string): readonly string[] {
  const marks = /^[ \t]*#{1,6}/.exec(original.block)?.[0] ?? '###';
  return [`${marks.trim()} Task ${text}`];
}

function steps(request: FixRequest, error: string): readonly string[] {
  const short = (text: string): string => escapeMarkdown(firstCharacters(oneLine(text), TEXT_CHARS_MAX));
  const { attemptedFix, tried = [], original } = request;
  return [
    `Find the cause of the failure of task ${original.id} and remove it; do not do task ${original.id} itself`,
    `Error: ${short(error)}`,
    ...(oneLine(attemptedFix) === '' ? [] : [`Attempted fix: ${short(attemptedFix)}`]),
    ...tried.slice(-TRIED_MAX).map((text) => `Tried before: ${short(text)}`),
  ];
}

/** The text of a field as written, from after the colon on; lines below keep their distance to the field. */
function copied(source: Source, field: Field | undefined, indent: string): string | undefined {
  if (field === undefined) return undefined;
  const { lines, kinds } = source;
  const [first = '', ...below] = lines.text.slice(field.at, lines.ends[field.end - 1]).split('\n');
  const isBullet = afterListMark(lines.text, startOf(lines, field.line)) !== undefined;
  const shift = indent.length - field.indent + (isBullet ? 0 : BULLET);
  const moved = below.map((line, at) => (kinds[field.line + 1 + at] === 'span' ? line : shifted(line, shift)));
  const text = [first.trimEnd(), ...moved].join('\n').trimEnd();
  return text.trim() === '' ? undefined : `${first.trim() === '' ? '' : ' '}${text}`;
}

function shifted(line: string, by: number): string {
  if (line.trim() === '') return line;
  return by > 0 ? ' '.repeat(by) + line : line.slice(Math.min(-by, line.length - line.trimStart().length));
}

/** The folder of the first file the original names, as the place to look in. */
function folderOf(original: Task): string {
  const first = original.files[0];
  if (first === undefined) return './';
  const end = first.lastIndexOf('/');
  return `\`${end < 0 ? first : first.slice(0, end + 1)}\``;
}

/** The scope of the original's commit message, `recovery` if it has none. */
function scopeOf(original: Task): string {
  return /^[a-z]+\(([\w./@-]{1,40})\)/i.exec(original.commit ?? '')?.[1] ?? 'recovery';
}

/** What kind of failure a text speaks of, in a word or two for a commit message. */
function errorType(error: string): string {
  for (const [pattern, name] of ERROR_TYPES) if (pattern.test(error)) return name;
  return 'failure';
}

const ERROR_TYPES: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:no such file|(?:file|module|path|folder|directory) (?:was )?not found|enoent|cannot find (?:module|file)|missing file)/i,
    'missing file',
  ],
  [/\bsyntax ?error|\bunexpected token|\bparse error/i, 'syntax error'],
  [/\btype ?error|\bTS\d{4}\b|\bnot assignable\b|\btype check/i, 'type error'],
  [/\btimed? ?out\b/i, 'timeout'],
  [/\blint(?:er|ing)?\b|\beslint\b|\bbiome\b|\bruff\b/i, 'lint error'],
  [/\bpermission denied|\beacces\b|\beperm\b/i, 'permission error'],
  [/\bmerge conflict|\bconflict/i, 'conflict'],
  [/\bbuild (?:failed|error)|\bcompil(?:e|ation)/i, 'build failure'],
  [/\btests? (?:failed|failure)|\bfailing tests?\b|\bassert(?:ion)?/i, 'test failure'],
  [/\bverif(?:y|ication)/i, 'verification'],
  [/\breview/i, 'review finding'],
];

/**
 * Index of the task after which the next fix of `original` goes: the last in the row of its fixes and their own fixes
 * that follows it, or itself (R-REC-5). A fix that a person moved elsewhere is not looked for.
 */
export function fixPlace({ tasks }: Plan, original: Task): number {
  const family = new Set([original.id]);
  let last = original.index;
  for (const task of tasks.slice(original.index + 1)) {
    if (task.fixes === undefined || !family.has(task.fixes)) break;
    family.add(task.id);
    last = task.index;
  }
  return last;
}
