import { access, constants, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Processes } from '../../ports/process.ts';
import { lastWords, sentence } from './printed.ts';

/**
 * Absolute path of the program that this name would start, or `undefined` if there is none that may be executed
 * (R-START-1). A name with a slash is a path, relative to `cwd`; any other is looked up on `path`, whose relative
 * entries are relative to `cwd` too.
 */
export async function findProgram(
  name: string,
  { path, cwd }: { readonly path: string; readonly cwd: string },
): Promise<string | undefined> {
  const candidates =
    name.includes('/') || isAbsolute(name)
      ? [resolve(cwd, name)]
      : path.split(delimiter).map((dir) => resolve(cwd, join(dir, name)));
  for (const candidate of candidates) {
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    // Not there, or not for us: either way it is not the program that is looked for.
    return false;
  }
}

/** What a program says about its version, or why it does not; `problem` is one sentence. */
export type ProgramVersion =
  | { readonly how: 'told'; readonly version: string }
  | { readonly how: 'not-told'; readonly problem: string };

/** Where and as what a program is asked. */
export interface Question {
  readonly processes: Processes;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

const VERSION_WALL_MS = 10_000;
const VERSION_BYTES_MAX = 4096;

/**
 * Asks an agent's program for its version, contained and for ten seconds at most: shows that it not only exists but
 * starts, which half an installation does not.
 */
export async function agentVersion(program: string, { processes, env, cwd }: Question): Promise<ProgramVersion> {
  const ended = await processes.run({
    argv: [program, '--version'],
    cwd,
    env,
    limits: { wallMs: VERSION_WALL_MS },
    tailBytesMax: VERSION_BYTES_MAX,
  });
  const version = lastWords(ended.stdout.text);
  if (ended.how === 'exited' && ended.code === 0 && version !== '') return { how: 'told', version };
  const words = lastWords(ended.stderr.text);
  return { how: 'not-told', problem: sentence(`"${program} --version" told no version${words && `, but: ${words}`}`) };
}
