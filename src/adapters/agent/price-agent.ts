import { priced, type TokenPrice } from '../../core/agent/token-price.ts';
import type { Agent } from '../../ports/agent.ts';

/** An agent whose cost is estimated from its tokens where it tells none itself (R-DEL-8). */
export function priceAgent(agent: Agent, price: TokenPrice): Agent {
  return {
    name: agent.name,
    async work(brief) {
      const { onEvent } = brief;
      const outcome = await agent.work({
        ...brief,
        ...(onEvent && {
          onEvent: (event) => onEvent(event.type === 'usage' ? { ...event, ...priced(event, price) } : event),
        }),
      });
      return { ...outcome, usage: priced(outcome.usage, price) };
    },
  };
}
