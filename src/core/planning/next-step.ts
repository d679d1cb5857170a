import type { Drafted } from '../plan/data/step.ts';
import type { PlannedDocument } from './documents.ts';
import type { Rejection } from './rejections.ts';

/** What planning comes to next: a document to make or to change, one that a person decides about, or the tasks to run. */
export type PlanningNext =
  | { readonly is: 'draft'; readonly artifact: Drafted; readonly rejection?: Rejection }
  | { readonly is: 'decide'; readonly document: PlannedDocument }
  | { readonly is: 'implement' };

/** A spec as far as it says what comes next. */
export interface PlannedSpec {
  readonly documents: readonly PlannedDocument[];
  readonly needed: readonly Drafted[];
  /** Whether specloop plans it: one that a person wrote is run as it is. */
  readonly isPlanned: boolean;
}

/** What comes next for a spec (R-PLAN-1). */
export function nextStep({ documents, needed, isPlanned }: PlannedSpec): PlanningNext {
  const hasPlan = documents.some(({ artifact, state }) => artifact === 'tasks' && state !== 'missing');
  if (hasPlan && !isPlanned) return { is: 'implement' };
  const next = documents.find(({ artifact, state }) => needed.includes(artifact) && state !== 'approved');
  if (next === undefined) return { is: 'implement' };
  const { artifact, state, rejection } = next;
  if (rejection !== undefined) return { is: 'draft', artifact, rejection };
  return state === 'missing' ? { is: 'draft', artifact } : { is: 'decide', document: next };
}
