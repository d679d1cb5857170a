import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The processes that run for a repository, by what their environment or their folder says of them; never this one. */
export function processesOf(dir: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => isOf(dir, pid));
}

/** A process and all that descend from it, in sessions of their own too. */
export function familyOf(pid: number): readonly number[] {
  const table = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), parentOf(name)] as const);
  const family = [pid];
  // A list that grows while it is walked is walked to its end.
  for (const member of family) for (const [child, parent] of table) if (parent === member) family.push(child);
  return family;
}

function isOf(dir: string, pid: number): boolean {
  const isMarked = textOf(`/proc/${pid}/environ`)
    .split('\0')
    .some((variable) => /^SPECLOOP_(WORKSPACE|SPEC_DIR)=/.test(variable) && variable.includes(dir));
  return (isMarked || folderOf(pid).startsWith(dir)) && !/^\S+ \(.*\) Z/.test(textOf(`/proc/${pid}/stat`));
}

function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

function parentOf(pid: string): number {
  const stat = textOf(`/proc/${pid}/stat`);
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
