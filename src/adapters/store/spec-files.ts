import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { SpecFiles } from '../../ports/store.ts';
import { writeAtomically } from './atomic-write.ts';
import { codeOf } from './disk.ts';
import { readText } from './read-text.ts';
import { storageFault } from './storage-fault.ts';

const MEBIBYTE = 1024 * 1024;

/** The files in one spec's folder, which is given absolutely. Files past `bytesMax` (default 16 MiB) are not read (R-PARSE-6). */
export function specFiles(
  specDir: string,
  { bytesMax = 16 * MEBIBYTE }: { readonly bytesMax?: number } = {},
): SpecFiles {
  return {
    async read(file) {
      return readText(pathIn(specDir, file), bytesMax);
    },
    async write(file, text) {
      writeAtomically(pathIn(specDir, file), text);
    },
    async remove(file) {
      removeFile(pathIn(specDir, file));
    },
  };
}

function removeFile(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw storageFault(error, 'remove', path);
  }
}

function pathIn(dir: string, file: string): string {
  if (file === '' || file === '.' || file === '..' || /[/\\\0]/.test(file)) {
    throw new Error(`"${file}" is not the name of a file in a spec's folder.`);
  }
  return join(dir, file);
}
