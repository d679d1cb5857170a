import type { JsonValue } from '../json.ts';
import { type JsonMember, type JsonObjectNode, readJsonText } from './json-text.ts';

/** New values by field; `undefined` removes a field. */
export type StateFields = Readonly<Record<string, JsonValue | undefined>>;

/**
 * How many levels below a field are merged instead of replaced: the entries of these maps, and the unknown fields in
 * them, outlive an update (R-FILE-4). All other fields are replaced whole.
 */
const MERGED_LEVELS: ReadonlyMap<string, number> = new Map([
  ['fixTaskMap', 2],
  ['modificationMap', 2],
]);

/**
 * The text of a state file with some fields changed. Everything else stays as it is, to the byte: unknown fields, their
 * order, the spelling of numbers, indentation, line ends (R-FILE-4, R-FILE-5). A field whose value is the same is not
 * touched; new fields come last. Without a text, a new file is made. Throws if the text is no JSON object: call
 * `parseStateFile` first.
 */
export function updateStateFile(text: string | undefined, fields: StateFields): string {
  if (text === undefined) return `${JSON.stringify(fields, undefined, 2)}\n`;
  const root = readJsonText(text);
  if (root.kind !== 'object') throw new Error('The state file is not a JSON object.');
  const levelsBelow = (key: string) => MERGED_LEVELS.get(key) ?? 0;
  const changed = changeObject(root, fields, { text, style: styleOf(root, text), depth: 1, levelsBelow });
  return text.slice(0, root.start) + changed + text.slice(root.end);
}

/** How the file is written where several lines are used. */
interface Style {
  readonly eol: string;
  readonly unit: string;
}

interface Context {
  readonly text: string;
  /** `undefined` for a file that is one line. */
  readonly style: Style | undefined;
  /** How deep the members of the object at hand are indented. */
  readonly depth: number;
  /** How many levels below a member are merged. */
  readonly levelsBelow: (key: string) => number;
}

/** A member in the four parts of its text, so that members can be changed, added and removed without their neighbours. */
interface MemberText {
  readonly key: string;
  /** Blank before the key. */
  readonly lead: string;
  /** From the key to the value, the colon included. */
  readonly name: string;
  readonly value: string;
  /** Blank between the value and the comma after it; empty for the last. */
  readonly trail: string;
}

/** How the members of the root are indented; `undefined` if they are not. */
function styleOf(root: JsonObjectNode, text: string): Style | undefined {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const [first] = root.members;
  if (first === undefined) return { eol, unit: '  ' };
  const lead = text.slice(root.start + 1, first.start);
  return lead.includes('\n') ? { eol, unit: lead.slice(lead.lastIndexOf('\n') + 1) } : undefined;
}

function changeObject(node: JsonObjectNode, fields: StateFields, context: Context): string {
  const changes = new Map(Object.entries(fields));
  const parts = partsOf(node, context.text);
  const kept = parts.flatMap(({ member, ...part }): readonly MemberText[] => {
    if (!changes.has(part.key)) return [part];
    const value = changes.get(part.key);
    if (value === undefined) return [];
    const style = part.lead.includes('\n') ? context.style : undefined;
    return [{ ...part, value: changeValue(member, value, { ...context, style }) }];
  });
  const present = new Set(parts.map((part) => part.key));
  const added = [...changes].flatMap(([key, value]) =>
    value === undefined || present.has(key) ? [] : [newPart(key, value, { ...context, last: parts.at(-1) })],
  );
  return join([...kept, ...added], closingBlank(node, context));
}

function changeValue({ key, value: node }: JsonMember, value: JsonValue, context: Context): string {
  const { text, style, depth } = context;
  const levels = context.levelsBelow(key);
  if (levels > 0 && node.kind === 'object' && isObject(value)) {
    return changeObject(node, value, { text, style, depth: depth + 1, levelsBelow: () => levels - 1 });
  }
  const before = text.slice(node.start, node.end);
  return isSame(JSON.parse(before) as JsonValue, value) ? before : render(value, depth, style);
}

/** A member is added the way the last one of its object is written; to an empty object, the way the file is. */
function newPart(
  key: string,
  value: JsonValue,
  context: Context & { readonly last: MemberText | undefined },
): MemberText {
  const { style, depth, last } = context;
  const name = (colon: string) => JSON.stringify(key) + colon;
  if (last === undefined) {
    const lead = style === undefined ? '' : newLine(style, depth);
    return { key, lead, name: name(style === undefined ? ':' : ': '), value: render(value, depth, style), trail: '' };
  }
  const colon = last.name.slice(last.name.lastIndexOf('"') + 1);
  const isOnOwnLine = last.lead.includes('\n');
  const lead = isOnOwnLine ? last.lead : /\s$/.test(colon) ? ' ' : '';
  return { key, lead, name: name(colon), value: render(value, depth, isOnOwnLine ? style : undefined), trail: '' };
}

/** The blank before the closing bracket belongs to the object, not to whichever member is the last. */
function closingBlank(node: JsonObjectNode, { text, style, depth }: Context): string {
  const last = node.members.at(-1);
  if (last !== undefined) return text.slice(last.value.end, node.end - 1);
  return style === undefined ? '' : newLine(style, depth - 1);
}

function join(parts: readonly MemberText[], closing: string): string {
  if (parts.length === 0) return '{}';
  return `{${parts.map(({ lead, name, value, trail }) => lead + name + value + trail).join(',')}${closing}}`;
}

function partsOf(node: JsonObjectNode, text: string): readonly (MemberText & { readonly member: JsonMember })[] {
  let from = node.start + 1;
  return node.members.map((member, index) => {
    const { key, start, value } = member;
    const to = index === node.members.length - 1 ? value.end : text.indexOf(',', value.end);
    const part = {
      member,
      key,
      lead: text.slice(from, start),
      name: text.slice(start, value.start),
      value: text.slice(value.start, value.end),
      trail: text.slice(value.end, to),
    };
    from = to + 1;
    return part;
  });
}

function render(value: JsonValue, depth: number, style: Style | undefined): string {
  if (style === undefined) return JSON.stringify(value);
  return JSON.stringify(value, undefined, style.unit).replaceAll('\n', newLine(style, depth));
}

function newLine({ eol, unit }: Style, depth: number): string {
  return eol + unit.repeat(depth);
}

function isObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isSame(a: JsonValue, b: JsonValue): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isSame(a[key] ?? null, b[key] ?? null))
  );
}
