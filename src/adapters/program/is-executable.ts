import { accessSync, constants, statSync } from 'node:fs';

/** Whether there is a file that may be executed, through links. */
export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // Not there, or not for us to see.
  }
}
