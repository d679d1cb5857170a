import type { SpecPlace } from '../../app/place.ts';
import { comesNext } from '../../app/planning/comes-next.ts';
import { decideText } from '../../core/planning/decide-text.ts';
import { FILE_OF } from '../../core/planning/steps.ts';
import { commandLine } from '../../core/text/command-line.ts';
import { onSignals } from '../implement/signals.ts';
import { goOnInSession } from '../session/begin.ts';
import { sessionOf } from '../session/session-of.ts';
import { type Call, isSet } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { hostOf } from '../shared/host.ts';
import { runPhase } from './run-phase.ts';

/** Goes on with what comes next for a spec, and says what that is; resolves with the exit code (R-PLAN-1). */
export async function continueSpec(call: Call, found: SpecPlace): Promise<number> {
  const { name: spec, operand } = found.spec;
  const session = sessionOf(call);
  if (session !== undefined)
    return await goOnInSession(call, {
      spec: operand,
      session,
      takeOver: isSet(call, '--take-over'),
      trust: isSet(call, '--trust'),
      onStop: onSignals,
    });
  const next = await comesNext(found, hostOf(call));
  switch (next.is) {
    case 'resume':
      call.stderr.write(`Continuing the planning of ${spec}, which was interrupted.\n`);
      return await runPhase(call, found, { artifact: next.artifact });
    case 'draft':
      call.stderr.write(`Next for ${spec}: ${FILE_OF[next.artifact]}, which is missing.\n`);
      return await runPhase(call, found, { artifact: next.artifact });
    case 'decide':
      call.stderr.write(`${decideText(next.standing, spec)}\n`);
      return EXIT.waiting;
    case 'implement':
      call.stderr.write(`The documents of ${spec} are ready. Next: specloop implement ${commandLine(operand)}\n`);
      return EXIT.ok;
  }
}
