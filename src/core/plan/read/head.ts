/** What the first line of a task says: everything between the box and the end of the line. */
export interface Head {
  /** The id as written, without the dot, colon or bold around it. */
  readonly id: string | undefined;
  /** Without id, known markers and trailing blanks; the id if nothing else is left. */
  readonly title: string;
  /** Known markers, upper case. */
  readonly markers: readonly string[];
  /** From `[FIX id]`. */
  readonly fixes: string | undefined;
  /** A star is after the id, as cc-sdd writes it. */
  readonly starred: boolean;
}

/** Which words at the head are ids: all that R-READ-4 knows, only T-numbers of three digits and more, or none. */
export type IdForm = 'any' | 'T-number' | 'none';

interface HeadCursor {
  readonly text: string;
  readonly ids: IdForm;
  /** A `[FIX …]` marker is somewhere in the text, so that any word may be an id. */
  readonly mayFix: boolean;
  at: number;
  id: string | undefined;
  readonly markers: string[];
  readonly labels: string[];
  fixes: string | undefined;
  starred: boolean;
  /** A bold that was opened at the head and not closed yet. */
  bold: string;
}

// What may be at the head.
const SPACES = /[ \t]+/y;
const BOLD = /\*\*|__/y;
const MARKER = /\[([^[\]`\n]{1,200})\](?!\()/y;
const ROUND_P = /\(p\)(?=[ \t]|$)/iy;
const STAR = /\\?\*(?=[ \t]|$)/y;
const LABEL = /^[A-Z0-9][A-Z0-9 ._:/-]*$/;
const KNOWN_MARKER = /^(?:P|SEQUENTIAL|RED|GREEN|YELLOW|VERIFY(?:\s*:\s*[\w-]+)?|US-?[A-Z]?\d+)$/;
const FIX_MARKER = /^FIX[ \t]+(\S+)$/i;
/** What may follow an id: a blank, the end, bold, a bracket, or a dot or colon before one of them. */
const ID_END = String.raw`(?=[.:：]?(?:[ \t]|$|\*\*|__|\\?\*(?:[ \t]|$))|\[)`;
const DOTTED_ID = new RegExp(String.raw`\d{1,9}[A-Za-z]?(?:\.\d{1,9}[A-Za-z]?){1,20}${ID_END}`, 'y');
const NUMBERED_ID = /(\d{1,9})(?:[.:](?=[ \t]|$|\*\*|__)|：|(?=\\?\*[ \t])|(?=(?:\*\*|__)[.:]))/y;
const T_ID = new RegExp(String.raw`T(?:\d{2,9}[A-Za-z]?|\d[A-Za-z]?(?=[.:*\[]|[ \t]*\[))(?:\.\d+)*${ID_END}`, 'y');
const LONG_T_ID = new RegExp(String.raw`T\d{3,9}[A-Za-z]?(?:\.\d+)*${ID_END}`, 'y');
const BRACKETED_T_ID = /^T\d{3,9}[A-Za-z]?(?:\.\d+)*$/;
const V_ID =
  /V(?:[A-Z]\d*|\d+)(?:\.\d+)*(?=[.:]?(?:\*\*|__)?[ \t]{1,9}(?:[*_]{0,2}\[[^[\]\n]{1,80}\][*_]{0,2}[ \t]{0,9}){0,3}[*_]{0,2}\[(?:verify|fix)\b)/iy;
const V_ID_BEHIND = new RegExp(String.raw`V(?:[A-Z]\d*|\d+)(?:\.\d+)*${ID_END}`, 'y');
const TASK_ID =
  /task[ \t]+((?:T\d+[A-Za-z]?|\d+[A-Za-z]?)(?:\.\d+[A-Za-z]?)*)(?=[.:](?:[ \t]|$|\*\*)|\*\*|[ \t]+[-–—][ \t])/iy;
const FIX_ID = /(\S{1,200}\.\d{1,9})(?=[ \t]+\[FIX[ \t]+(\S{1,200})\])/iy;
const ID_MARK = /[.:](?=[ \t]|$|\*\*|__)|：/y;
const DASH = /[ \t]+[-–—](?=[ \t])/y;

/** Reads the head of a task (R-READ-4, R-READ-5). */
export function readHead(text: string, ids: IdForm = 'any'): Head {
  const cursor: HeadCursor = {
    text,
    ids,
    mayFix: text.includes('[') && /\[fix[ \t]/i.test(text),
    at: 0,
    id: undefined,
    markers: [],
    labels: [],
    fixes: undefined,
    starred: false,
    bold: '',
  };
  while (takePart(cursor));
  const rest = withoutOpenBold(cursor, text.slice(cursor.at).trim());
  const title = takeTrailingMarker(cursor, withLabels(cursor.labels, rest));
  const { id, markers, fixes, starred } = cursor;
  return { id, title: title || (id ?? text.trim()), markers, fixes, starred };
}

/** Labels at the head that are no known markers belong to the title. */
function withLabels(labels: readonly string[], rest: string): string {
  return labels.length === 0 ? rest : [...labels, rest].filter((part) => part !== '').join(' ');
}

/** Takes the next bold mark, marker or id of the head; false at the title. */
function takePart(cursor: HeadCursor): boolean {
  skip(cursor, SPACES);
  return takeMarker(cursor) || takeId(cursor) || takeBold(cursor);
}

function takeMarker(cursor: HeadCursor): boolean {
  if (skip(cursor, ROUND_P)) return addMarker(cursor, 'P');
  const before = cursor.at;
  const found = match(cursor, MARKER);
  const name = found?.[1]?.trim();
  if (name === undefined) return false;
  const fixes = FIX_MARKER.exec(name)?.[1];
  if (fixes !== undefined) {
    cursor.fixes ??= fixes;
    return addMarker(cursor, `FIX ${fixes}`);
  }
  if (cursor.ids === 'T-number' && cursor.id === undefined && BRACKETED_T_ID.test(name)) {
    cursor.id = name;
    return true;
  }
  if (KNOWN_MARKER.test(name.toUpperCase())) return addMarker(cursor, name.toUpperCase().replace(/\s+/g, ''));
  if (LABEL.test(name)) {
    cursor.labels.push(`[${name}]`);
    return true;
  }
  cursor.at = before;
  return false;
}

function addMarker(cursor: HeadCursor, marker: string): true {
  if (!cursor.markers.includes(marker)) cursor.markers.push(marker);
  return true;
}

function takeId(cursor: HeadCursor): boolean {
  if (cursor.id !== undefined || cursor.ids === 'none') return false;
  const id =
    cursor.ids === 'T-number'
      ? match(cursor, LONG_T_ID)?.[0]
      : (fixId(cursor) ?? match(cursor, TASK_ID)?.[1] ?? plainId(cursor));
  if (id === undefined) return false;
  cursor.id = id;
  cursor.starred = skip(cursor, STAR);
  skip(cursor, ID_MARK);
  closeBold(cursor);
  skip(cursor, ID_MARK);
  skip(cursor, DASH);
  return true;
}

function plainId(cursor: HeadCursor): string | undefined {
  const seen = cursor.markers.some((marker) => marker.startsWith('VERIFY') || marker.startsWith('FIX'));
  return (
    match(cursor, DOTTED_ID)?.[0] ??
    match(cursor, NUMBERED_ID)?.[1] ??
    match(cursor, T_ID)?.[0] ??
    match(cursor, seen ? V_ID_BEHIND : V_ID)?.[0]
  );
}

/** `x.1` before `[FIX x]` is an id whatever `x` looks like, so that fixes of tasks with made-up ids read back. */
function fixId(cursor: HeadCursor): string | undefined {
  if (!cursor.mayFix) return undefined;
  FIX_ID.lastIndex = cursor.at;
  const found = FIX_ID.exec(cursor.text);
  const id = found?.[1];
  const original = found?.[2];
  if (
    id !== undefined &&
    original !== undefined &&
    /^\.\d+$/.test(id.slice(original.length)) &&
    id.startsWith(original)
  ) {
    cursor.at += id.length;
    return id;
  }
  return undefined;
}

/** A bold mark belongs to the head only if it is around a marker or an id. */
function takeBold(cursor: HeadCursor): boolean {
  const before = cursor.at;
  const mark = match(cursor, BOLD)?.[0];
  if (mark === undefined) return false;
  if (mark === cursor.bold) {
    cursor.bold = '';
    return true;
  }
  if (cursor.bold === '') {
    cursor.bold = mark;
    if (takeMarker(cursor) || takeId(cursor)) return true;
    cursor.bold = '';
  }
  cursor.at = before;
  return false;
}

function closeBold(cursor: HeadCursor): void {
  if (cursor.bold === '' || !cursor.text.startsWith(cursor.bold, cursor.at)) return;
  cursor.at += cursor.bold.length;
  cursor.bold = '';
}

/** Removes the end of a bold that began around the id: `**1.1 Title**`. */
function withoutOpenBold(cursor: HeadCursor, title: string): string {
  const end = cursor.bold === '' ? -1 : title.indexOf(cursor.bold);
  if (end < 0) return title;
  return (title.slice(0, end) + title.slice(end + cursor.bold.length)).trim();
}

/** `(P)` may also end the title; after a backslash it is text. */
function takeTrailingMarker(cursor: HeadCursor, title: string): string {
  if (!title.endsWith(')') || !/(?:^|[ \t])\(p\)$/i.test(title.slice(-4))) return title;
  addMarker(cursor, 'P');
  return title.slice(0, -3).trim();
}

/** Skips text of this form, if it is next; returns whether it was. */
function skip(cursor: HeadCursor, form: RegExp): boolean {
  return match(cursor, form) !== undefined;
}

/** Skips text of this form, if it is next, and returns what was found. */
function match(cursor: HeadCursor, form: RegExp): RegExpExecArray | undefined {
  form.lastIndex = cursor.at;
  const found = form.exec(cursor.text);
  if (found === null) return undefined;
  cursor.at += found[0].length;
  return found;
}
