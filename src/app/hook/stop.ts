import { readHookMemory, writeHookMemory } from '../../adapters/store/hook-memory.ts';
import { readHookInput } from '../../core/session/hook-input.ts';
import { decideStop, type StopMemory } from '../../core/session/stop.ts';
import type { StopText } from '../../core/session/stop-text.ts';
import type { Host } from '../host.ts';
import { findFacts } from './facts.ts';

/** What an agent's program reads: the session goes on, and the reason why. */
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
  // Not remembered, it would be told again each time: a session that was kept from ending once may end then.
  if (!remember(found.privateDir, input?.sessionId, decision.remember) && found.facts.input.isContinued)
    return undefined;
  const { reason, systemMessage } = decision;
  return { decision: 'block', reason, systemMessage };
}

/** Whether that could be written, as it cannot on a full or read-only disk. */
function remember(privateDir: string, session = '', { owner, ...told }: StopMemory): boolean {
  try {
    const { [session]: _, ...others } = readHookMemory(privateDir).sessions;
    writeHookMemory(privateDir, { ...(owner && { owner }), sessions: { ...others, [session]: told } });
    return true;
  } catch {
    return false;
  }
}
