import type { Writable } from 'node:stream';
import type { ProcessInput } from '../../ports/process.ts';

/** The stdin of a program that runs, after the text it begins with. That the program does not read it is no failure. */
export function openInput(stdin: Writable, begin = ''): ProcessInput {
  stdin.on('error', () => {}); // It closed its stdin, or is gone; `write` tells.
  const input: ProcessInput = {
    write: (text) =>
      new Promise((resolve) => {
        if (stdin.writable) stdin.write(text, (error) => resolve(!error));
        else resolve(false);
      }),
    end: () => void stdin.end(),
  };
  if (begin !== '') void input.write(begin);
  return input;
}
