import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { GitFault } from '../../ports/git.ts';
import { faultOfDisk } from './fault.ts';
import { isMissing } from './git-folder.ts';

/**
 * Adds the patterns that are missing to the repository's private ignore list (`info/exclude`), which is never committed,
 * and returns those it added (R-FILE-8). What is in the file stays byte for byte. Throws `GitFault`.
 */
export async function excludeOnce(commonDir: string, patterns: readonly string[]): Promise<readonly string[]> {
  try {
    const named = join(commonDir, 'info', 'exclude');
    const path = await realpath(named).catch(() => named);
    const text = await textOf(path);
    const lines = new Set(text.toString().split(/\r?\n/));
    const missing = [...new Set(patterns)].filter((pattern) => !lines.has(pattern));
    if (missing.length === 0) return [];
    const lineBreak = text.length === 0 || text.at(-1) === 0x0a ? '' : '\n';
    await replace(path, Buffer.concat([text, Buffer.from(`${lineBreak}${missing.join('\n')}\n`)]));
    return missing;
  } catch (error) {
    throw faultOfDisk(error);
  }
}

/** What is in the file; nothing if there is none. A named pipe in its place would be read for ever, so it is refused. */
async function textOf(path: string): Promise<Buffer> {
  const found = await stat(path).catch(missing);
  if (found === undefined) return Buffer.alloc(0);
  if (!found.isFile())
    throw new GitFault('other', `${path} is not a regular file. Move it away, so that git and specloop can use it.`);
  return await readFile(path);
}

function missing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}

async function replace(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const mode = (await stat(path).catch(() => undefined))?.mode ?? 0o644;
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', mode & 0o777);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
