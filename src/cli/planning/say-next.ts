import type { SpecPlace } from '../../app/place.ts';
import { comesNext } from '../../app/planning/comes-next.ts';
import type { Drafted } from '../../core/plan/data/step.ts';
import { decideText, rejectedText } from '../../core/planning/document-text.ts';
import { FILE_OF } from '../../core/planning/steps.ts';
import { commandLine } from '../../core/text/command-line.ts';
import type { Call } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { hostOf } from '../shared/host.ts';

/**
 * Says what comes next for a spec: the document that is to be drafted, or the exit code where nothing is, with the document that a
 * person has to decide about (R-PLAN-1).
 */
export async function sayNext(
  call: Call,
  place: SpecPlace,
  { planOnly = false }: { readonly planOnly?: boolean } = {},
): Promise<{ readonly artifact: Drafted } | { readonly code: number; readonly gate?: Drafted }> {
  const { name: spec, operand } = place.spec;
  const next = await comesNext(place, hostOf(call), { planOnly });
  switch (next.is) {
    case 'resume':
      call.stderr.write(`Continuing the planning of ${spec}.\n`);
      return { artifact: next.artifact };
    case 'draft':
      call.stderr.write(
        next.rejection === undefined
          ? `Next for ${spec}: ${FILE_OF[next.artifact]}, which is missing.\n`
          : `Next for ${spec}: ${rejectedText(next.rejection)}\n`,
      );
      return { artifact: next.artifact };
    case 'revise':
      call.stderr.write(`Next for ${spec}: ${FILE_OF[next.artifact]}, which the last run gave up.\n`);
      return { artifact: next.artifact };
    case 'decide':
      call.stderr.write(`${decideText(next, commandLine(operand))}\n`);
      return { code: EXIT.waiting, gate: next.document.artifact };
    case 'implement':
      call.stderr.write(`The documents of ${spec} are ready. Next: specloop implement ${commandLine(operand)}\n`);
      return { code: EXIT.ok };
  }
}
