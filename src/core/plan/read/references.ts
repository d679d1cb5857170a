import { type FieldPlace, firstValue, type Source } from './fields.ts';
import { isWrittenId } from './ids.ts';

const IN_TITLE = /(?<!\\)\(depends on:?[ \t]{1,5}([^()\n]{1,400})\)/i;
const SEPARATOR = /[ \t]*(?:[,;&]|(?<![\w-])and(?![\w-]))[ \t]*/i;
const LONGEST = 2_000;

/** The comma-separated parts of `_Requirements: 1.1, 2.2_`, without the emphasis around them. */
export function readReferences(source: Source, field: FieldPlace | undefined): readonly string[] {
  if (field === undefined) return [];
  const text = firstValue(source, field)
    .slice(0, LONGEST)
    .replace(/[_*]+$/, '');
  return text
    .split(/[,;]/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^(?:none|n\/a|-)$/i.test(part));
}

/** The ids a task waits for: from its field, or from `(depends on T011)` in its title. Of a range both ends count. */
export function readDependsOn(source: Source, field: FieldPlace | undefined, title: string): readonly string[] {
  const listed = field === undefined ? (IN_TITLE.exec(title)?.[1] ?? '') : readReferences(source, field).join(',');
  if (listed === '') return [];
  const ids = listed.split(SEPARATOR).flatMap(idsOf);
  return [...new Set(ids.filter((id) => field !== undefined || !/^\d+[A-Za-z]?$/.test(id)))];
}

function idsOf(part: string): readonly string[] {
  const plain = part
    .replace(/^[`*]+/, '')
    .replace(/^tasks?[ \t]+/i, '')
    .replace(/[ \t]*\(.*$/, '')
    .replace(/[.`*]+$/, '');
  const ends = plain.split(/[ \t]?[-–—][ \t]?/);
  return ends.every(isWrittenId) ? ends : [];
}
