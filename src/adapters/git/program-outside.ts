import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative } from 'node:path';

const known = new Map<string, string>();

/**
 * The absolute path of a program that the coordinator itself starts, looked up once for a search path: relative entries, and
 * folders inside of the workspace, are left out, as an agent can put programs there (R-VER-14). The name itself if there is
 * none elsewhere, which then cannot be started or is what the person has set up.
 */
export function programOutside(
  name: string,
  { path = '', workspace }: { readonly path: string | undefined; readonly workspace: string },
): string {
  const key = `${name}\0${path}`;
  const found = known.get(key) ?? lookUp(name, path, workspace) ?? name;
  known.set(key, found);
  return found;
}

function lookUp(name: string, path: string, workspace: string): string | undefined {
  const folders = path.split(delimiter).filter((folder) => isAbsolute(folder) && !isInside(workspace, folder));
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
