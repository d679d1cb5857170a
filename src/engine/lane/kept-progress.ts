import { keptProgress } from '../../core/progress/keep.ts';
import type { SpecFiles } from '../../ports/store.ts';
import { readIfText } from './read-if-text.ts';

/** Watches over the progress file of the user's tree: goal, entries and learnings outlast whatever an agent does to it. */
export interface ProgressKeeper {
  /** Takes what the file says now for known: called before an agent begins. Returns it. */
  begin(): Promise<string | undefined>;
  /** Takes what the file said when the agent began for known: an earlier process started it. */
  goOn(text: string): void;
  /** Puts back what is gone of what was known; one sentence if there was something to put back. */
  mend(): Promise<string | undefined>;
  /** Takes the file as it is: as hooks have left what we committed, or as it is once an attempt was undone. */
  accept(): Promise<void>;
}

/**
 * The files of a spec, whose progress file is read with what was known of it (R-FILE-3, R-VER-3), and its keeper. Where
 * agents keep the books, they own the file, and it is only read.
 */
export function keepProgress(
  files: SpecFiles,
  { bookkeeping, progressFile }: { readonly bookkeeping: 'coordinator' | 'agent'; readonly progressFile: string },
): { readonly files: SpecFiles; readonly progress: ProgressKeeper } {
  let known: string | undefined;
  const read = async (): Promise<string | undefined> => {
    const found = await readIfText(files, progressFile);
    known ??= found;
    return known === undefined || bookkeeping === 'agent' ? found : keptProgress(known, found);
  };
  return {
    files: {
      ...files,
      read: (file) => (file === progressFile ? read() : files.read(file)),
      write: async (file, text) => {
        await files.write(file, text);
        if (file === progressFile) known = text;
      },
      remove: async (file) => {
        await files.remove(file);
        if (file === progressFile) known = undefined;
      },
    },
    progress: {
      begin: async () => {
        known = await read();
        return known;
      },
      goOn: (text) => {
        known = text;
      },
      accept: async () => {
        known = await readIfText(files, progressFile);
      },
      mend: async () => {
        const text = await read();
        if (text === undefined || text === (await readIfText(files, progressFile))) return undefined;
        await files.write(progressFile, text);
        return `${progressFile} had lost lines or was missing; they were put back`;
      },
    },
  };
}
