import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { boundedAnswer } from '../../adapters/agent/printed.ts';
import { readText } from '../../adapters/store/read-text.ts';
import { DEFAULT_ADMISSIONS } from '../../core/answer/contradiction.ts';
import { countsAgainst } from '../../core/answer/counts-against.ts';
import { UserError } from '../../core/user-error.ts';

/** Longer input is no final answer. */
const BYTES_MAX = 32 * 1024 * 1024;

/** The final answer that is in a file, no longer than one of an agent. Throws `UserError` if it cannot be read. */
export async function answerIn(file: string, cwd: string): Promise<string> {
  const text = readText(resolve(cwd, file), BYTES_MAX);
  if (text !== undefined) return asAnswer(text);
  throw new UserError(`${file} does not exist.`, 'Name the file that holds the final answer of the helper.');
}

/** The final answer that comes on a stream, no longer than one of an agent. Throws `UserError` for one that does not end. */
export async function answerFrom(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const part = Buffer.from(chunk);
    bytes += part.length;
    if (bytes > BYTES_MAX)
      throw new UserError(
        `The answer has more than ${BYTES_MAX} bytes.`,
        'Hand in only the final answer of the helper, not its log.',
      );
    chunks.push(part);
  }
  return asAnswer(Buffer.concat(chunks).toString('utf8'));
}

function asAnswer(text: string): string {
  return boundedAnswer(text, countsAgainst(DEFAULT_ADMISSIONS));
}
