import { type Document, isScalar, LineCounter, type Node, parseDocument, visit } from 'yaml';
import { UserError } from '../core/user-error.ts';

/** A file of settings as it was read; not yet judged. */
export interface WrittenSettings {
  /** The path as people are told it. */
  readonly file: string;
  readonly value: unknown;
  /** `line:column` of what is at this path of keys; of the nearest group that is there. */
  readonly placeOf: (path: readonly PropertyKey[]) => string;
}

/** Reads YAML as plain data. Throws `UserError` with the place for a text that is none, or has tags of its own or aliases. */
export function parseYaml(text: string, file: string): WrittenSettings {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined)
    throw new UserError(
      `${file}:${place(lines, problem.pos[0])} ${problem.message.replace(/\.?$/, '.')}`,
      'Correct it, then run the command again.',
    );
  const alias = firstAlias(document);
  if (alias !== undefined)
    throw new UserError(`${file}:${place(lines, alias)}Aliases are not supported.`, 'Repeat the value in each place.');
  return {
    file,
    value: withoutSchema(document.toJS() ?? {}),
    placeOf: (path) => place(lines, offsetOf(document, path)),
  };
}

/** Where the first alias is: a few of them make a value without end. */
function firstAlias(document: Document.Parsed): number | undefined {
  let found: number | undefined;
  visit(document, {
    Alias(_, { range }) {
      found = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return found;
}

/** Editors find the schema of a file by this key; it sets nothing. */
function withoutSchema(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== '$schema'));
}

/** Where the key of the last name on the path is, or the nearest that is there. */
function offsetOf(document: Document.Parsed, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const names = path.slice(0, length);
    const offset =
      keyOffset(document.getIn(names.slice(0, -1), true), names.at(-1)) ?? itemOffset(document.getIn(names, true));
    if (offset !== undefined) return offset;
  }
  return document.contents?.range[0] ?? 0;
}

function keyOffset(group: unknown, name: PropertyKey | undefined): number | undefined {
  const items = (group as { readonly items?: unknown } | undefined)?.items;
  if (!Array.isArray(items)) return undefined;
  const keys = items.map((item: { readonly key?: unknown }) => item.key);
  const key = keys.find((candidate) => isScalar(candidate) && String(candidate.value) === String(name));
  return isScalar(key) ? key.range?.[0] : undefined;
}

function itemOffset(item: unknown): number | undefined {
  return (item as Node | undefined)?.range?.[0];
}

function place(lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${line}:${col}`;
}
