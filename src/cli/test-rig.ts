import { Writable } from 'node:stream';
import { type Told, tell } from './exit.ts';
import { runProgram } from './program.ts';

/** An output that keeps what is written to it. */
export function output(
  options: { readonly isTTY?: boolean } = {},
): Writable & { readonly text: () => string; readonly isTTY?: boolean } {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  return Object.assign(stream, { text: () => Buffer.concat(chunks).toString(), ...options });
}

/** How a command ended, and what it printed. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the program in this process, in a folder, with no more of the environment than it is given. */
export async function runIn(
  cwd: string,
  argv: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Outcome> {
  const stdout = output();
  const stderr = output();
  const surroundings = { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...env }, stdout, stderr };
  const told: Told = await runProgram(argv, surroundings).then((code) => ({ code, text: '' }), tell);
  return { code: told.code, stdout: stdout.text(), stderr: stderr.text() + told.text };
}
