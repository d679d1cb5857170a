import { type SpecFiles, StorageFault } from '../../ports/store.ts';

/**
 * The text of a file that someone else may have broken; `undefined` if it is gone or is no text any more. Trouble with the
 * disk is no agent's doing: that is thrown, as `StorageFault`, and the run halts instead of blaming an attempt.
 */
export async function readIfText(files: SpecFiles, name: string): Promise<string | undefined> {
  try {
    return await files.read(name);
  } catch (error) {
    if (error instanceof StorageFault && error.kind === 'io') throw error;
    return undefined;
  }
}
