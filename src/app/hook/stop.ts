import { readHookMemory, writeHookMemory } from '../../adapters/store/hook-memory.ts';
import { readHookInput } from '../../core/session/hook-input.ts';
import { decideStop, type StopMemory } from '../../core/session/stop.ts';
import type { StopText } from '../../core/session/stop-text.ts';
import type { Host } from '../host.ts';
import { findFacts } from './facts.ts';

/** What an agent's program reads: the session goes on, and is told why. */
export interface Block extends StopText {
  readonly decision: 'block';
}

/** Whether a session that is about to end goes on with its spec; `undefined` if it may end (R-SES-5). Throws what reading throws. */
export async function stopHook(
  inputText: string,
  { env, notify }: Pick<Host, 'env' | 'notify'>,
): Promise<Block | undefined> {
  const input = readHookInput(inputText);
  const found = input && (await findFacts(input, env));
  if (found === undefined) return undefined;
  const decision = decideStop(found.facts);
  if (decision.do === 'nothing') {
    if (decision.notice !== undefined) notify(decision.notice);
    return undefined;
  }
  remember(found.privateDir, input?.sessionId, decision.remember);
  const { reason, systemMessage } = decision;
  return { decision: 'block', reason, systemMessage };
}

/** A memory that cannot be written keeps no session from its work: without one, it may end at its next try. */
function remember(privateDir: string, session = '', { owner, ...told }: StopMemory): void {
  try {
    const { [session]: _, ...others } = readHookMemory(privateDir).sessions;
    writeHookMemory(privateDir, { ...(owner && { owner }), sessions: { ...others, [session]: told } });
  } catch {
    // As on a full or read-only disk.
  }
}
