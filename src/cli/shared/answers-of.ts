import { resolve } from 'node:path';
import type { StartOptions } from '../../app/start/order.ts';
import { type Call, optionText } from './command.ts';

/** The answers that a call brings. Throws `UserError` for a file that cannot be read. */
export async function answersOf(call: Call): Promise<Pick<StartOptions, 'answers'>> {
  const file = optionText(call, '--answers');
  if (file === undefined) return {};
  const { readAnswers } = await import('../../app/run/answers.ts');
  return { answers: await readAnswers(resolve(call.cwd, file)) };
}
