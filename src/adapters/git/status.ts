import type { Change, Inspection } from '../../ports/git.ts';
import { pathOfBytes } from './path-bytes.ts';

/** What git's own status tells; an operation in progress is not in it. */
export type Status = Omit<Inspection, 'operation'>;

/** How `git status` is asked for what `readStatus` reads. */
export const STATUS: readonly string[] = [
  'status',
  '--porcelain=v2',
  '--branch',
  '-z',
  '--untracked-files=all',
  '--no-renames',
  '--no-ahead-behind',
  '--ignore-submodules=dirty',
];

/** Number of fields that are before the path in each kind of entry. */
const FIELDS_BEFORE_PATH: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1 };

/** Reads what `STATUS` prints. A path that is staged as deleted and there all the same is one change. */
export function readStatus(output: Buffer): Status {
  const entries = pathOfBytes(output).split('\0').slice(0, -1);
  const oid = headerOf(entries, '# branch.oid ');
  const branch = headerOf(entries, '# branch.head ');
  const changes = new Map<string, Change>();
  const staged: string[] = [];
  for (const entry of entries) {
    const change = changeOf(entry);
    if (change === undefined) continue;
    if (isStaged(entry)) staged.push(change.path);
    const known = changes.get(change.path);
    changes.set(change.path, known === undefined ? change : { path: change.path, kind: 'modified' });
  }
  return {
    head: oid === '(initial)' ? undefined : oid,
    branch: branch === '(detached)' ? undefined : branch,
    changes: [...changes.values()],
    staged,
  };
}

function headerOf(entries: readonly string[], prefix: string): string | undefined {
  return entries.find((entry) => entry.startsWith(prefix))?.slice(prefix.length);
}

function changeOf(entry: string): Change | undefined {
  const fields = FIELDS_BEFORE_PATH[entry[0] ?? ''];
  if (fields === undefined) return undefined;
  const path = afterFields(entry, fields);
  if (entry.startsWith('?')) return { path, kind: 'untracked' };
  return { path, kind: isGone(entry) ? 'deleted' : 'modified' };
}

/** A conflict is in the index as well. */
function isStaged(entry: string): boolean {
  return !entry.startsWith('?') && entry[2] !== '.';
}

/** `XY` are the entry's second and third character after its kind: index against HEAD, files against index. */
function isGone(entry: string): boolean {
  const [inIndex, inTree] = [entry[2], entry[3]];
  if (entry.startsWith('u')) return entry.split(' ', 7)[6] === '000000';
  return inTree === 'D' || (inIndex === 'D' && inTree === '.');
}

function afterFields(entry: string, count: number): string {
  let at = 0;
  for (let n = 0; n < count; n++) at = entry.indexOf(' ', at) + 1;
  return entry.slice(at);
}
