import { statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { Processes } from '../../ports/process.ts';
import { isExecutable } from '../program/is-executable.ts';
import { lastWords, sentence } from './printed.ts';

/** Where a program is looked for. */
export interface SearchPlace {
  /** The `PATH` that names without a slash are looked up on. */
  readonly path: string;
  /** Folder that relative paths, and relative entries of `path`, are relative to. */
  readonly cwd: string;
}

/** A program that was looked for: its absolute path, or why it cannot be started. */
export type FoundProgram =
  | { readonly is: 'there'; readonly path: string }
  | { readonly is: 'missing' }
  | { readonly is: 'folder' | 'not-executable'; readonly path: string };

/**
 * The program that this name would start (R-START-1). A name with a slash is a path, relative to `cwd`; any other is
 * looked up on `path`.
 */
export function lookForProgram(name: string, { path, cwd }: SearchPlace): FoundProgram {
  const isPath = name.includes('/') || isAbsolute(name);
  const candidates = isPath ? [resolve(cwd, name)] : path.split(delimiter).map((dir) => resolve(cwd, join(dir, name)));
  const found = candidates.map(look);
  const there = found.find(({ is }) => is === 'there');
  if (there !== undefined || !isPath) return there ?? { is: 'missing' };
  return found[0] ?? { is: 'missing' };
}

/** Absolute path of the program that this name would start, or `undefined` if there is none that may be executed. */
export function findProgram(name: string, where: SearchPlace): string | undefined {
  const found = lookForProgram(name, where);
  return found.is === 'there' ? found.path : undefined;
}

function look(path: string): FoundProgram {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return { is: 'folder', path };
    return isExecutable(path) ? { is: 'there', path } : { is: 'not-executable', path };
  } catch {
    return { is: 'missing' }; // Not there, or not for us to see: either way it is not the program that is looked for.
  }
}

/** What a program says about its version, or why it does not; `problem` is one sentence. */
export type ProgramVersion =
  | { readonly how: 'told'; readonly version: string }
  | { readonly how: 'not-told'; readonly problem: string };

/** Where and as what a program is asked. */
export interface VersionQuestion {
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
export async function agentVersion(program: string, { processes, env, cwd }: VersionQuestion): Promise<ProgramVersion> {
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
  return {
    how: 'not-told',
    problem: sentence(`"${program} --version" printed no version${words && `, but: ${words}`}`),
  };
}
