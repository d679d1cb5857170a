import { readText } from '../../adapters/store/read-text.ts';
import { UserError } from '../../core/user-error.ts';

const BYTES_MAX = 64 * 1024;

/** The words of a person in a file. Throws `UserError` for one that is missing or no text. */
export function readFeedback(path: string): string {
  const text = readText(path, BYTES_MAX);
  if (text === undefined) throw new UserError(`There is no file "${path}".`, 'Name a file that exists.');
  return text;
}
