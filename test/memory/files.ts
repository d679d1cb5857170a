import type { SpecFiles } from '../../src/ports/store.ts';
import { putFile, removePath, type TreeFiles } from './tree.ts';

/** The files of a spec in a working tree in memory; `dir` is the spec's folder, relative to the tree's root. */
export function memoryFiles(files: TreeFiles, dir: string): SpecFiles {
  const pathOf = (name: string): string => {
    if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name))
      throw new Error(`"${name}" is not the name of a file in a spec's folder.`);
    return `${dir}/${name}`;
  };
  return {
    read: async (name) => files.get(pathOf(name)),
    write: async (name, text) => putFile(files, pathOf(name), text),
    remove: async (name) => removePath(files, pathOf(name)),
    takeBack: async () => [],
  };
}
