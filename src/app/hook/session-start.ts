import { readHookInput } from '../../core/session/hook-input.ts';
import { startText } from '../../core/session/start-text.ts';
import type { Host } from '../host.ts';
import { findFacts } from './facts.ts';

/** The text about the active spec for a session that begins; `undefined` if there is none (R-SES-7). Throws what reading throws. */
export async function sessionStartHook(inputText: string, { env }: Pick<Host, 'env'>): Promise<string | undefined> {
  const input = readHookInput(inputText);
  const found = input && (await findFacts(input, env));
  return found && startText(found.facts);
}
