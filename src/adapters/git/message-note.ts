import { statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Tells how far a commit came: git writes the message into a file after the hooks that look at the work (pre-commit), and
 * before those that look at the message. To be made before the commit begins.
 */
export function messageNote(gitFolder: string): { readonly isWritten: () => boolean } {
  const look = (): string => {
    const stats = statSync(join(gitFolder, 'COMMIT_EDITMSG'), { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.ino} ${stats.mtimeNs}`;
  };
  const before = look();
  return { isWritten: () => look() !== before };
}
