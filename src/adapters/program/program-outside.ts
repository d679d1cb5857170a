import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isExecutable } from './is-executable.ts';

const known = new Map<string, string>();

/**
 * The absolute path of a program that the coordinator itself starts, looked up once for a search path: relative entries,
 * folders inside of the workspace and those of installed packages are left out, as an agent can put programs there
 * (R-VER-14). `undefined` if there is none elsewhere; the name alone might then start what an agent has planted.
 */
export function programOutside(
  name: string,
  { path = '', workspace }: { readonly path: string | undefined; readonly workspace: string },
): string | undefined {
  const key = `${name}\0${path}`;
  const found = known.get(key) ?? lookUp(name, path, rootOf(workspace));
  if (found !== undefined) known.set(key, found);
  return found;
}

function lookUp(name: string, path: string, root: string | undefined): string | undefined {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder) && !isOfOthers(folder, root));
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isOfOthers(folder: string, root: string | undefined): boolean {
  const real = realOf(folder);
  if (real.split('/').includes('node_modules')) return true;
  return root !== undefined && (isInside(root, folder) || isInside(root, real));
}

/** The working tree that a folder is in; `undefined` in none, as of the folder for temporary files. */
function rootOf(workspace: string): string | undefined {
  for (let at = realOf(resolve(workspace)); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return undefined;
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // It is not there.
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}
