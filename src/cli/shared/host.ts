import type { Host } from '../../app/host.ts';
import { type Call, dialectOption, type Surroundings } from './command.ts';

/** The application is told where a command was given; what it says on the way goes to stderr, and a terminal can be asked. */
export function hostOf({ cwd, env, stderr, options }: Surroundings & Partial<Pick<Call, 'options'>>): Host {
  const canAsk = process.stdin.isTTY && stderr.isTTY === true;
  const dialect = options?.get(dialectOption.flag);
  return {
    ...{ cwd, env, notify: (notice) => void stderr.write(`${notice}\n`) },
    ...(typeof dialect === 'string' && { flags: { dialect } }),
    ...(canAsk && { confirm }),
  };
}

async function confirm(question: string): Promise<'yes' | 'no' | 'interrupted'> {
  const answer = await answerTo(`${question} [y/N] `);
  if (answer === 'interrupted') return answer;
  return /^y(es)?$/i.test(answer.trim()) ? 'yes' : 'no';
}

/** What a person types; empty at the end of the input (Ctrl-D). */
async function answerTo(question: string): Promise<string> {
  const { createInterface } = await import('node:readline/promises'); // Seldom needed.
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.on('SIGINT', () => resolve('interrupted')).on('close', () => resolve(''));
      lines.question(question).then(resolve, reject);
    });
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}
