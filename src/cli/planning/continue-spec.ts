import type { SpecPlace } from '../../app/place.ts';
import { onSignals } from '../implement/signals.ts';
import { goOnInSession } from '../session/begin.ts';
import { sessionOf } from '../session/session-of.ts';
import { type Call, isSet } from '../shared/command.ts';
import { runPhase } from './run-phase.ts';
import { sayNext } from './say-next.ts';

/** Goes on with what comes next for a spec, and says what that is; resolves with the exit code (R-PLAN-1). */
export async function continueSpec(call: Call, found: SpecPlace): Promise<number> {
  const { operand } = found.spec;
  const session = sessionOf(call);
  if (session !== undefined)
    return await goOnInSession(call, {
      spec: operand,
      session,
      takeOver: isSet(call, '--take-over'),
      trust: isSet(call, '--trust'),
      onStop: onSignals,
    });
  const next = await sayNext(call, found);
  return 'code' in next ? next.code : await runPhase(call, found, next);
}
