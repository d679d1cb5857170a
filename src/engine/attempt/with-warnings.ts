import { NOTHING_NOTICED, type Noticed } from '../../core/verify/noticed.ts';
import type { AgentOutcome } from '../../ports/agent.ts';
import type { World } from '../lane/world.ts';

/** What was noticed around an agent's work, with what its adapter warns of. */
export function withWarnings(
  noticed: Noticed | undefined,
  { warnings = [] }: Pick<AgentOutcome, 'warnings'>,
  { redact }: Pick<World, 'redact'>,
): { readonly noticed?: Noticed } {
  if (warnings.length === 0) return noticed ? { noticed } : {};
  const { violations, concerns } = noticed ?? NOTHING_NOTICED;
  return { noticed: { violations, concerns: [...concerns, ...warnings.map(redact)] } };
}
