import type { IdKind, IdMention } from './ids.ts';

/** What a mention comes to, with the ids that are defined. */
export interface Expanded {
  /** The defined ids that it names. */
  readonly ids: readonly string[];
  /** The ids that it names and that nothing defines. */
  readonly unknown: readonly string[];
}

/** Compares two ids of one kind by their numbers, as a person counts. */
function compareIds(left: string, right: string): number {
  const [a, b] = [partsOf(left), partsOf(right)];
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [x, y] = [a[at], b[at]];
    if (x === undefined || y === undefined) return x === y ? 0 : x === undefined ? -1 : 1;
    if (x.letters !== y.letters) return x.letters < y.letters ? -1 : 1;
    if (x.number !== y.number) return x.number - y.number;
    if (x.suffix !== y.suffix) return x.suffix < y.suffix ? -1 : 1;
  }
  return 0;
}

/** The kind of an id. */
export function kindOf(id: string): IdKind {
  return id.slice(0, id.indexOf('-')) as IdKind;
}

/** Defined ids, ready to be looked up. */
export interface IdIndex {
  readonly all: ReadonlySet<string>;
  /** Those of each kind, in file order. */
  readonly ofKind: ReadonlyMap<IdKind, readonly string[]>;
}

/** Makes the index of some ids. */
export function indexIds(ids: Iterable<string>): IdIndex {
  const all = new Set(ids);
  const ofKind = new Map<IdKind, string[]>();
  for (const id of all) {
    const known = ofKind.get(kindOf(id));
    if (known === undefined) ofKind.set(kindOf(id), [id]);
    else known.push(id);
  }
  return { all, ofKind };
}

/**
 * The defined ids that a mention means: a range goes over what is defined between its ends. `AC-3` where only AC-3.1 and the
 * like are defined means all of these, and `FR-8.1` the part of an FR-8 that has no numbered parts.
 */
export function expand(mention: IdMention, defined: IdIndex): Expanded {
  const { id, to, isAll, kind } = mention;
  if (!isAll && to === undefined && defined.all.has(id)) return { ids: [id], unknown: [] };
  const ofKind = defined.ofKind.get(kind) ?? [];
  if (isAll) return { ids: id === kind ? ofKind : below(id, ofKind), unknown: [] };
  if (to === undefined) return resolved(id, ofKind);
  const between = ofKind.filter((other) => compareIds(id, other) <= 0 && compareIds(other, to) <= 0);
  const ends = [resolved(id, ofKind), resolved(to, ofKind)];
  return {
    ids: [...new Set([...between, ...ends.flatMap(({ ids }) => ids)])],
    unknown: ends.flatMap(({ unknown }) => unknown),
  };
}

function resolved(id: string, ofKind: readonly string[]): Expanded {
  if (ofKind.includes(id)) return { ids: [id], unknown: [] };
  const parts = below(id, ofKind);
  if (parts.length > 0) return { ids: parts, unknown: [] };
  const whole = id.slice(0, Math.max(0, id.lastIndexOf('.')));
  const isPart = kindOf(id) !== 'AC' && ofKind.includes(whole) && below(whole, ofKind).length === 0;
  return isPart ? { ids: [whole], unknown: [] } : { ids: [], unknown: [id] };
}

function below(id: string, ofKind: readonly string[]): readonly string[] {
  return ofKind.filter((other) => other.startsWith(`${id}.`));
}

interface IdPart {
  readonly letters: string;
  readonly number: number;
  readonly suffix: string;
}

function partsOf(id: string): readonly IdPart[] {
  return id
    .slice(id.indexOf('-') + 1)
    .split('.')
    .map((part) => {
      const [, letters = '', digits = '0', suffix = ''] = /^([A-Z]*)(\d+)([a-z]?)$/.exec(part) ?? [];
      return { letters, number: Number(digits), suffix };
    });
}
