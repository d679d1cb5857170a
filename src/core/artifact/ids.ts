import { tickSpans } from '../plan/read/code-spans.ts';
import type { ArtifactText } from './artifact-text.ts';

/** What an id stands for: a story, a criterion, a functional or another requirement. */
export type IdKind = 'US' | 'AC' | 'FR' | 'NFR';

/** A place that names one id, a range of them (`FR-1 to FR-4`), or all below one (`AC-1.*`). */
export interface IdMention {
  readonly kind: IdKind;
  /** In its compared form, as `FR-3` for `FR-003`; of a range the first, of all below one that one, as `AC-1`. */
  readonly id: string;
  /** The last of a range. */
  readonly to?: string;
  /** It means all ids below this one. */
  readonly isAll?: true;
  /** Line and column count from 1. */
  readonly line: number;
  readonly column: number;
}

/** Where an id leads a heading, a table row, a list item, or a paragraph in bold. */
export interface LeadingId extends IdMention {
  readonly form: 'heading' | 'row' | 'item';
  /** What is after the id on its line. */
  readonly rest: string;
  /** `(retired)`, or struck through: the id stays taken, and asks for nothing. */
  readonly isRetired: boolean;
}

/** The ids in an artifact. */
export interface ArtifactIds {
  readonly leading: readonly LeadingId[];
  /** All others. */
  readonly mentions: readonly IdMention[];
}

const NUMBER = String.raw`[A-Z]{0,2}\d{1,6}[A-Za-z]?(?:\.\d{1,6}[A-Za-z]?){0,6}`;
const ID = new RegExp(
  String.raw`(?<![A-Za-z0-9])(?<![A-Za-z0-9]-)(US|AC|FR|NFR)-(${NUMBER}(?:\.\*|\.x(?![A-Za-z0-9]))?|\*)(?![A-Za-z0-9])`,
  'g',
);
const MARKS = '[_*`~\\])]{0,4}';
const RANGE = new RegExp(
  String.raw`${MARKS}(?:[ \t]{0,2}(?:–|—|-|\.{2,3}|…)[ \t]{0,2}|[ \t]{1,2}(?:to|through|thru)[ \t]{1,2})[_*\x60~[(]{0,4}(US|AC|FR|NFR)-(${NUMBER})(?![A-Za-z0-9])`,
  'y',
);
/** `AC-1.1–1.5`: only without blanks, since `FR-1 - 4 times` is no range. */
const SHORT_RANGE = /(?:–|—|-|\.{2,3}|…)(\d{1,6}(?:\.\d{1,6}){0,6})(?![A-Za-z0-9])/y;

const HEADING_LEAD =
  /^ {0,3}#{1,6}[ \t]+(?:\d[\d.]{0,8}[.)]?[ \t]+)?(?:(?:user[ \t]+)?(?:story|requirement|criterion)[ \t:]+)?/i;
const ITEM_LEAD = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX~-]\][ \t]+)?/;
const ROW_LEAD = /^[ \t]*\|[ \t]*(?:[\d#]{1,5}[ \t]*\|[ \t]*)?/;
const BOLD_LEAD = /^[ \t]*(?=(?:\*\*|__)[[(]?(?:US|AC|FR|NFR)-)/;
const OPENING = /^[*_~`[(]{0,6}/;
/** What follows an id that is one of a list. */
const LISTED = /^[*_~`\])]{0,6}[ \t]*(?:[,/&+;]|(?:and|or|to|through)\b)/i;
const OTHER_SPEC_BEFORE = /(?:^|[\s("'`])(?!requirements)[a-z][a-z0-9.-]{0,63}[/#]$/;
const OTHER_SPEC_AFTER = /^[ \t]{1,2}(?:of|in|from)[ \t]{1,2}(?:the[ \t])?["'`*]{0,3}[a-z0-9]+(?:-[a-z0-9]+)+/;
const RETIRED = /\((?:retired|removed|withdrawn)\b|^[\s|:–—*_-]{0,12}~~/i;

/** Finds the ids of an artifact. Code spans count only where they hold nothing but ids; ids of another spec do not. */
export function readIds({ lines }: Pick<ArtifactText, 'lines'>): ArtifactIds {
  const leading: LeadingId[] = [];
  const mentions: IdMention[] = [];
  for (const [at, line] of lines.entries()) {
    if (!/(?:US|AC|FR)-/.test(line)) continue;
    const shown = masked(line);
    const lead = leadOf(line);
    for (const mention of mentionsIn(shown, at + 1)) {
      const found = lead === undefined ? undefined : leadingId(shown, mention, lead);
      if (found === undefined) mentions.push(mention);
      else leading.push(found);
    }
  }
  return { leading, mentions };
}

/** The ids that a text of one line names; `line` is where it is. */
export function mentionsIn(text: string, line: number): readonly IdMention[] {
  const found: IdMention[] = [];
  let until = 0;
  for (const match of text.matchAll(ID)) {
    const [whole, kind, number = ''] = match;
    const end = match.index + whole.length;
    if (match.index < until || !isKind(kind) || isOfOtherSpec(text, match.index, end)) continue;
    const range = number.endsWith('*') ? undefined : rangeAt(text, end, { kind, number });
    until = range?.end ?? end;
    found.push({ kind, line, column: match.index + 1, ...named(kind, number), ...(range && { to: range.to }) });
  }
  return found;
}

/** An id in its compared form: without leading zeros, the letter at the end in lower case. */
function canonicalId(kind: IdKind, number: string): string {
  const parts = number.split('.').map((part) => {
    const [, letters = '', digits = '', suffix = ''] = /^([A-Z]*)(\d+)([A-Za-z]?)$/.exec(part) ?? [];
    return `${letters}${digits.replace(/^0+(?=\d)/, '')}${suffix.toLowerCase()}`;
  });
  return `${kind}-${parts.join('.')}`;
}

/** In a field of references a bare `1.2` means AC-1.2, where that is defined. */
export function withBareCriteria(field: string, isDefined: (id: string) => boolean): string {
  return field.replace(/(?<![\w.])\d{1,6}(?:\.\d{1,6}){1,3}(?![\w.])/g, (number) =>
    isDefined(canonicalId('AC', number)) ? `AC-${number}` : number,
  );
}

function named(kind: IdKind, number: string): Pick<IdMention, 'id' | 'isAll'> {
  if (number === '*') return { id: kind, isAll: true };
  const above = /^(.*)\.[*x]$/.exec(number)?.[1];
  return above === undefined ? { id: canonicalId(kind, number) } : { id: canonicalId(kind, above), isAll: true };
}

function rangeAt(
  text: string,
  at: number,
  from: { readonly kind: IdKind; readonly number: string },
): { readonly to: string; readonly end: number } | undefined {
  RANGE.lastIndex = at;
  const full = RANGE.exec(text);
  if (full !== null)
    return full[1] === from.kind ? { to: canonicalId(from.kind, full[2] ?? ''), end: RANGE.lastIndex } : undefined;
  SHORT_RANGE.lastIndex = at;
  const number = SHORT_RANGE.exec(text)?.[1];
  if (number === undefined) return undefined;
  const parts = from.number.split('.');
  const given = number.split('.');
  if (given.length > parts.length) return undefined;
  const whole = [...parts.slice(0, parts.length - given.length), ...given].join('.');
  return { to: canonicalId(from.kind, whole), end: SHORT_RANGE.lastIndex };
}

interface Lead {
  readonly form: LeadingId['form'];
  /** Offset where an id would be. */
  readonly at: number;
}

function leadOf(line: string): Lead | undefined {
  for (const [form, pattern] of [
    ['heading', HEADING_LEAD],
    ['row', ROW_LEAD],
    ['item', ITEM_LEAD],
    ['item', BOLD_LEAD],
  ] as const) {
    const lead = pattern.exec(line)?.[0].length;
    if (lead !== undefined) return { form, at: lead + (OPENING.exec(line.slice(lead))?.[0].length ?? 0) };
  }
  return undefined;
}

function leadingId(text: string, mention: IdMention, lead: Lead): LeadingId | undefined {
  const { column, to, isAll } = mention;
  if (column - 1 !== lead.at || to !== undefined || isAll) return undefined;
  ID.lastIndex = column - 1;
  const rest = text.slice(column - 1 + (ID.exec(text)?.[0].length ?? 0));
  ID.lastIndex = 0;
  const says = /[\p{L}\p{N}]/u.test(rest);
  if (LISTED.test(rest) || (lead.form !== 'heading' && !says)) return undefined;
  const isStruck = text.slice(0, column - 1).endsWith('~~');
  return { ...mention, form: lead.form, rest, isRetired: isStruck || RETIRED.test(rest) };
}

/** The line with blanks where no id is meant: addresses, and code spans that hold more than ids. */
function masked(line: string): string {
  let shown = line;
  const hide = (start: number, end: number) => {
    shown = shown.slice(0, start) + ' '.repeat(end - start) + shown.slice(end);
  };
  for (const span of line.includes('`') ? tickSpans(line, 0, line.length) : []) {
    if (span.kind === 'closed' && !holdsOnlyIds(line.slice(span.start + span.length, span.end - span.length)))
      hide(span.start, span.end);
  }
  for (const { index, 0: address } of line.matchAll(/https?:\/\/\S+|\]\([^()\s]*\)/g))
    hide(index, index + address.length);
  return shown;
}

function holdsOnlyIds(text: string): boolean {
  return /^[\s,.–—-]*$/.test(text.replace(ID, '').replace(/\b(?:to|through|and)\b/g, ''));
}

function isOfOtherSpec(text: string, start: number, end: number): boolean {
  return (
    OTHER_SPEC_BEFORE.test(text.slice(Math.max(0, start - 70), start)) ||
    OTHER_SPEC_AFTER.test(text.slice(end, end + 90))
  );
}

function isKind(text: string | undefined): text is IdKind {
  return text === 'US' || text === 'AC' || text === 'FR' || text === 'NFR';
}
