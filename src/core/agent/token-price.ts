import type { Usage } from './agent-end.ts';

/** What a million tokens cost, in US dollars. */
export interface TokenPrice {
  /** Of those that the model reads. */
  readonly input: number;
  /** Of those that it writes. */
  readonly output: number;
}

/** A usage with its cost estimated, where the agent told its tokens and no cost (R-DEL-8); else as it is. */
export function priced(usage: Usage, { input, output }: TokenPrice): Usage {
  const { inputTokens, outputTokens, costUsd } = usage;
  if (costUsd !== undefined || (inputTokens === undefined && outputTokens === undefined)) return usage;
  const dollars = ((inputTokens ?? 0) * input + (outputTokens ?? 0) * output) / 1e6;
  return { ...usage, costUsd: dollars, isCostEstimated: true };
}
