import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Tree } from '../../ports/git.ts';
import type { GitCalls } from './calls.ts';
import { commonFolderOf, gitFolderOf, isMissing } from './git-folder.ts';

/** See `Git.mend`. */
export interface MendOrder {
  readonly branch: string;
  readonly commit: string;
}

/** Three small files are read; git is started only where the index was damaged. HEAD comes first: without it nothing is a repository. */
export async function mend(calls: GitCalls, tree: Tree, { branch, commit }: MendOrder): Promise<readonly string[]> {
  const folder = await gitFolderOf(tree);
  const common = await commonFolderOf(folder);
  const said: string[] = [];
  if (!isHead(read(join(folder, 'HEAD')))) {
    replace(join(folder, 'HEAD'), `ref: refs/heads/${branch}\n`);
    said.push(`HEAD was damaged; it points to ${branch} again.`);
  }
  const ref = join(common, 'refs/heads', branch);
  const written = read(ref);
  if (written !== undefined && !isRef(written)) {
    replace(ref, `${commit}\n`);
    said.push(`The branch ${branch} was damaged; it is at ${commit.slice(0, 8)} again.`);
  }
  const index = read(join(folder, 'index'));
  if (index !== undefined && !isIndex(index)) {
    rmSync(join(folder, 'index'), { recursive: true, force: true });
    await calls.ask(tree, ['read-tree', 'HEAD'], { effort: 'work' });
    said.push("git's index was damaged; it was rebuilt from the last commit.");
  }
  return said;
}

const ID = /^([0-9a-f]{40}|[0-9a-f]{64})$/;

function isHead(bytes: Buffer | undefined): boolean {
  const text = bytes?.toString().trimEnd() ?? '';
  return ID.test(text) || /^ref: refs\/\S/.test(text);
}

function isRef(bytes: Buffer): boolean {
  const text = bytes.toString().trimEnd();
  return ID.test(text) || text.startsWith('ref: ');
}

/** An index ends with the hash of what is before it, or with zeros where git is told to save that time. */
function isIndex(bytes: Buffer): boolean {
  if (bytes.length < 32 || bytes.toString('latin1', 0, 4) !== 'DIRC') return false;
  return [
    ['sha1', 20],
    ['sha256', 32],
  ].some(([algorithm, length]) => {
    const end = bytes.length - Number(length);
    const sum = bytes.subarray(end);
    return (
      sum.every((byte) => byte === 0) ||
      createHash(String(algorithm)).update(bytes.subarray(0, end)).digest().equals(sum)
    );
  });
}

/** `undefined` if nothing is there; nothing in it if what is there is no file. */
function read(path: string): Buffer | undefined {
  try {
    return lstatSync(path).isFile() ? readFileSync(path) : Buffer.alloc(0);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function replace(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) rmSync(path, { recursive: true });
  writeFileSync(`${path}.specloop`, text);
  renameSync(`${path}.specloop`, path);
}
