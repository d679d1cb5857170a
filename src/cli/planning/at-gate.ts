import type { SpecPlace } from '../../app/place.ts';
import { approve } from '../../app/planning/approve.ts';
import { documentSummary } from '../../app/planning/document-summary.ts';
import { editDocument } from '../../app/planning/edit-document.ts';
import type { PhaseOrder } from '../../app/planning/phase.ts';
import { reject } from '../../app/planning/reject.ts';
import type { Drafted } from '../../core/plan/data/step.ts';
import { approvedText } from '../../core/planning/document-text.ts';
import { type Call, isSet } from '../shared/command.ts';
import { EXIT } from '../shared/exit.ts';
import { hostOf, personAt } from '../shared/host.ts';
import { sayNext } from './say-next.ts';
import { talkAtGate } from './talk-at-gate.ts';

/** A phase that a command runs. */
export type PhaseCall = Pick<PhaseOrder, 'artifact' | 'reviewsFirst' | 'goal' | 'make'>;

/**
 * In a terminal a person decides about a document at once, between two runs; resolves with the phase that follows from that,
 * or with the exit code. Without a terminal, and with `--json`, it is the exit code of the run (R-GATE-1).
 */
export async function atGate(
  call: Call,
  place: SpecPlace,
  { artifact, code }: { readonly artifact: Drafted; readonly code: number },
): Promise<PhaseCall | number> {
  const person = personAt(call);
  if (person === undefined || isSet(call, '--json')) return code;
  const host = hostOf(call);
  const decision = await talkAtGate(
    { ask: person, say: host.notify },
    {
      summary: async () => await documentSummary(place, host, artifact),
      edit: async () => await editDocument(place, host, artifact),
      approve: async () => {
        const approved = await approve(place, host, { artifact });
        for (const one of approved) host.notify(approvedText(one));
      },
    },
  );
  switch (decision.is) {
    case 'stopped':
      return code;
    case 'review':
      return { artifact, reviewsFirst: true };
    case 'change':
      await reject(place, host, { artifact, feedback: decision.feedback });
      return { artifact };
    case 'approved': {
      if (isSet(call, '--only')) return EXIT.ok;
      return await nextAtGate(call, place);
    }
  }
}

/**
 * Says what comes next for a spec, and asks a person at a terminal who has to decide about a document first. Resolves with the
 * phase that follows, or with the exit code (R-PLAN-1, R-GATE-1).
 */
export async function nextAtGate(
  call: Call,
  place: SpecPlace,
  options: { readonly planOnly?: boolean } = {},
): Promise<PhaseCall | number> {
  const next = await sayNext(call, place, options);
  if ('artifact' in next) return next;
  return next.gate === undefined ? next.code : await atGate(call, place, { artifact: next.gate, code: next.code });
}
