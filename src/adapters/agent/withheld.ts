import { missedVariables, notPassedText, type Readers } from '../../core/verify/not-passed.ts';
import type { Agent, AgentEnd } from '../../ports/agent.ts';

/** Ends that a variable which is not there may have led to. */
const MAY_MISS: ReadonlySet<AgentEnd> = new Set(['failed', 'crashed', 'unauthenticated', 'not-found']);

const ANSWER_CHARS = 4_000;

/**
 * An agent whose failures tell which of the user's variables it did not get and may have missed (R-SEC-2). `withheld` are
 * the names of those it does not get, `known` the ones that are told of also where it does not name them itself.
 */
export function tellingWithheld(
  agent: Agent,
  { withheld, known }: { readonly withheld: readonly string[]; readonly known: readonly Readers[] },
): Agent {
  return {
    name: agent.name,
    async work(brief) {
      const outcome = await agent.work(brief);
      if (!MAY_MISS.has(outcome.how)) return outcome;
      const texts = [outcome.message, outcome.answer.slice(-ANSWER_CHARS)];
      const told = notPassedText(missedVariables({ texts, withheld }, known));
      return told === '' ? outcome : { ...outcome, message: `${outcome.message}\n${told}`.trim() };
    },
  };
}
