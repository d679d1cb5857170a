import type { Host } from '../../app/host.ts';
import { type Call, dialectOption, type Surroundings } from './command.ts';

/** The application is told where a command was given; what it says on the way goes to stderr, and a terminal can be asked. */
export function hostOf({ cwd, env, stderr, options }: Surroundings & Partial<Pick<Call, 'options'>>): Host {
  const person = personAt({ stderr });
  const dialect = options?.get(dialectOption.flag);
  return {
    ...{ cwd, env, notify: (notice) => void stderr.write(`${notice}\n`) },
    ...(typeof dialect === 'string' && { flags: { dialect } }),
    ...(person && { confirm: (question) => confirm(person, question) }),
  };
}

/** Asks the person in the terminal for a line; resolves with `undefined` for Ctrl-C, empty at the end of the input (Ctrl-D). */
export type Person = (question: string) => Promise<string | undefined>;

/** The person who can be asked; `undefined` without a terminal. */
export function personAt({ stderr }: Pick<Surroundings, 'stderr'>): Person | undefined {
  return process.stdin.isTTY && stderr.isTTY === true ? answerTo : undefined;
}

async function confirm(person: Person, question: string): Promise<'yes' | 'no' | 'interrupted'> {
  const answer = await person(`${question} [y/N] `);
  if (answer === undefined) return 'interrupted';
  return /^y(es)?$/i.test(answer.trim()) ? 'yes' : 'no';
}

async function answerTo(question: string): Promise<string | undefined> {
  const { createInterface } = await import('node:readline/promises'); // Seldom needed.
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      lines.on('SIGINT', () => resolve(undefined)).on('close', () => resolve(''));
      lines.question(question).then(resolve, reject);
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
