import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type SpecFiles, StorageFault } from '../../ports/store.ts';
import { writeAtomically } from './atomic-write.ts';
import { codeOf } from './disk.ts';
import { ownPlace } from './own-place.ts';
import { readText } from './read-text.ts';
import { storageFault } from './storage-fault.ts';

const MEBIBYTE = 1024 * 1024;

export interface SpecFilesOptions {
  /** Files with more bytes are not read (R-PARSE-6). Default 16 MiB. */
  readonly bytesMax?: number;
  /**
   * Absolute root of the working tree, for a run that agents work in: what took the place of the folder or of a file in it
   * is cleared away before anything is written there (R-VER-3). Without it that is refused.
   */
  readonly heldIn?: string;
}

/** The files in one spec's folder, which is given absolutely, with links resolved. */
export function specFiles(specDir: string, { bytesMax = 16 * MEBIBYTE, heldIn }: SpecFilesOptions = {}): SpecFiles {
  const place = heldIn === undefined ? undefined : ownPlace(specDir, heldIn);
  const putBack: string[] = [];
  const takeBack = (): void => {
    if (place) putBack.push(...place.takeBack());
  };
  return {
    async read(file) {
      const path = pathIn(specDir, file);
      if (place?.isInPlace() === false) throw new StorageFault('not-writable', path, `Cannot read ${path}: ${MOVED}`);
      return readText(path, bytesMax);
    },
    async write(file, text) {
      const path = pathIn(specDir, file);
      takeBack();
      place?.clearWayFor(path);
      writeAtomically(path, text);
    },
    async remove(file) {
      const path = pathIn(specDir, file);
      takeBack();
      place?.clearWayFor(path);
      removeFile(path);
    },
    async takeBack() {
      takeBack();
      return putBack.splice(0);
    },
  };
}

const MOVED = 'a link replaced its folder. Restore the folder, then run the command again.';

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
