import type { AgentOutcome, Brief } from '../../ports/agent.ts';

/** The last events of every agent's stream: what was spent, the limit that was reached, the answer and the end (R-AGT-2). */
export function tellEnd(outcome: AgentOutcome, onEvent: Brief['onEvent']): void {
  if (onEvent === undefined) return;
  const { how, usage, resetsAt, answer } = outcome;
  if (Object.keys(usage).length > 0) onEvent({ type: 'usage', ...usage });
  if (how === 'rate-limited') onEvent({ type: 'limit', isReached: true, ...(resetsAt !== undefined && { resetsAt }) });
  if (how === 'completed') onEvent({ type: 'answer', text: answer });
  onEvent({ type: 'end', how });
}
