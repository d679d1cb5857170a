import type { Drafted } from '../plan/data/step.ts';
import type { PlannedDocument } from './documents.ts';
import type { Gates } from './list-steps.ts';
import type { Rejection } from './rejections.ts';

/** What planning comes to next: a document to make or to change, one that a person decides about, or the tasks to run. */
export type PlanningNext =
  | { readonly is: 'draft'; readonly artifact: Drafted; readonly rejection?: Rejection }
  | {
      readonly is: 'decide';
      readonly document: PlannedDocument;
      /** All documents that wait for a decision, in their order, from `document` on; only that one after a draft was given up. */
      readonly waiting: readonly PlannedDocument[];
    }
  | { readonly is: 'implement' };

/** A spec as far as it says what comes next. */
export interface PlannedSpec {
  readonly documents: readonly PlannedDocument[];
  readonly needed: readonly Drafted[];
  /** Whether specloop plans it: one that a person wrote is run as it is. */
  readonly isPlanned: boolean;
  /** Where planning stops for a person: a draft without a gate needs no approval (R-GATE-6). */
  readonly gates: Gates;
  /** Its research says that the goal should not be met: a person decides, whatever the gates are (R-STOP-1). */
  readonly advisesAgainst: boolean;
  /** The document that the newest run ended in the middle of: no check has let it pass. */
  readonly givenUp?: Drafted | undefined;
}

/** What comes next for a spec (R-PLAN-1). */
export function nextStep(spec: PlannedSpec): PlanningNext {
  const { documents, needed, isPlanned } = spec;
  const hasPlan = documents.some(({ artifact, state }) => artifact === 'tasks' && state !== 'missing');
  if (hasPlan && !isPlanned) return { is: 'implement' };
  const open = documents.filter((one) => needed.includes(one.artifact) && !isSettled(one, spec));
  const [next] = open;
  if (next === undefined) return { is: 'implement' };
  const { artifact, state, rejection } = next;
  if (rejection !== undefined) return { is: 'draft', artifact, rejection };
  if (state === 'missing') return { is: 'draft', artifact };
  const waiting = open.filter((one) => one.state !== 'missing');
  const isSound = waiting.every((one) => one.artifact !== spec.givenUp);
  return { is: 'decide', document: next, waiting: isSound ? waiting : [next] };
}

/** Whether no person has to decide about a document any more. */
function isSettled({ artifact, state }: PlannedDocument, spec: PlannedSpec): boolean {
  const { needed, gates, advisesAgainst, givenUp } = spec;
  if (state !== 'draft') return state === 'approved';
  if (artifact === givenUp || (artifact === 'research' && advisesAgainst)) return false;
  return gates === 'none' || (gates === 'final' && artifact !== needed.at(-1));
}
