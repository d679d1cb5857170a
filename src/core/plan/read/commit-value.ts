import type { CommitKind } from '../data/task.ts';
import { onlySpan, spanText, tickSpans } from './code-spans.ts';
import { fenceText } from './fences.ts';
import { type FieldPlace, firstValue, restOfValue, type Source } from './fields.ts';

/** What a *Commit* field says. */
export interface CommitValue {
  readonly commitKind: CommitKind;
  /** Only for a `message`. */
  readonly commit: string | null;
}

const MISSING: CommitValue = { commitKind: 'missing', commit: null };
const NONE: CommitValue = { commitKind: 'none', commit: null };
const SAYS_NONE =
  /^(?:none|n\/a|no commit|-|–|—)(?:$|[.,;:][ \t]|[.]$|[ \t]*[(–—]|[ \t]+-[ \t]|[ \t]+(?:needed|required|necessary))/i;
const CONDITION = /^\((?:only|if|when|unless|optional|or |no |after|skip|once)/i;
const CONDITION_BEFORE = /^(?:only[ \t]+)?(?:if|when|unless)\b[^`\n]{0,200}$/i;

/** Reads the message of *Commit* (R-READ-14). */
export function readCommit(source: Source, field: FieldPlace | undefined): CommitValue {
  if (field === undefined) return MISSING;
  const first = firstValue(source, field);
  const text = first === '' ? fencedMessage(source, field) : first;
  if (text === '') return MISSING;
  if (SAYS_NONE.test(text) || isNote(text)) return NONE;
  const message = spannedMessage(text) ?? plainMessage(text);
  if (message === '') return MISSING;
  return /^(?:none|n\/a)\.?$/i.test(message) ? NONE : { commitKind: 'message', commit: message };
}

/** Nothing but words in parentheses, as `(part of the commit before)`. */
function isNote(text: string): boolean {
  return text.startsWith('(') && text.indexOf(')') === text.length - 1;
}

/** The message in the code span that the value begins with, or that is after a condition. */
function spannedMessage(text: string): string | undefined {
  const only = onlySpan(text);
  if (only !== undefined) return only.trim();
  const end = text.indexOf('\n');
  const span = tickSpans(text, 0, end < 0 ? text.length : end).find((found) => found.kind === 'closed');
  if (span?.kind !== 'closed') return undefined;
  const before = text.slice(0, span.start).trim();
  return before === '' || CONDITION_BEFORE.test(before) ? spanText(text, span).trim() : undefined;
}

function plainMessage(text: string): string {
  const quote = /^["'“‘]/.test(text) ? text.slice(1).search(/["'”’](?=[ \t]*(?:$|\())/) : -1;
  if (quote >= 0) return text.slice(1, quote + 1).trim();
  const note = text.endsWith(')') ? text.lastIndexOf('(') : -1;
  return note > 0 && CONDITION.test(text.slice(note, note + 20)) ? text.slice(0, note).trim() : text.trim();
}

function fencedMessage(source: Source, field: FieldPlace): string {
  const { from, to } = restOfValue(source, field);
  for (let line = from; line < to; line++) {
    if (source.kinds[line] !== 'fence-open') continue;
    let close = line + 1;
    while (close < to && source.kinds[close] === 'fence-body') close++;
    return fenceText(source.lines, line, close);
  }
  return '';
}
