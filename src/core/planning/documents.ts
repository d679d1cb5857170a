import type { Drafted } from '../plan/data/step.ts';
import { type Approval, shortHashOf } from './approvals.ts';
import type { Rejection } from './rejections.ts';
import { documentsBefore } from './steps.ts';

/** What is known of a document of a spec. */
export interface DocumentFacts {
  readonly artifact: Drafted;
  /** Hash of its content; absent where there is none. */
  readonly sha256?: string | undefined;
  readonly approval?: Approval | undefined;
  readonly rejection?: Rejection | undefined;
  /** The documents before it as they were when it was written last, by their hashes, as far as that is known. */
  readonly madeFrom?: Readonly<Partial<Record<Drafted, string>>> | undefined;
}

/**
 * `missing`: there is none. `draft`: it waits for approval. `rejected`: a person wants it changed. `approved`: as it is. `stale`: it
 * was edited after it was approved, or what it was made from has changed since (R-GATE-2, R-GATE-3, R-GATE-5).
 */
export type DocumentState = 'missing' | 'draft' | 'rejected' | 'approved' | 'stale';

/** A document of a spec: whether it is there and approved, and for a stale one what made it so. */
export interface PlannedDocument {
  readonly artifact: Drafted;
  readonly state: DocumentState;
  readonly sha256?: string;
  readonly approval?: Approval;
  readonly rejection?: Rejection;
  /** It was edited after it was approved. */
  readonly isEdited: boolean;
  /** The documents before it that it was not made from as they are now. */
  readonly outdatedBy: readonly Drafted[];
  /** For a stale one: the hash of the requirements that were approved, or that it was made from. */
  readonly requirementsWere?: string;
}

/** The documents with their states, in their order. */
export function plannedDocuments(documents: readonly DocumentFacts[]): readonly PlannedDocument[] {
  const now = new Map(documents.map(({ artifact, sha256 }) => [artifact, sha256]));
  return documents.map(({ artifact, sha256, approval, rejection, madeFrom = {} }) => {
    if (sha256 === undefined) return { artifact, state: 'missing', isEdited: false, outdatedBy: [] };
    const isCurrent = approval?.hash === shortHashOf(sha256);
    const basis = approval !== undefined && isCurrent ? approval.inputs : shortened(madeFrom);
    const outdatedBy = documentsBefore(artifact).filter((name) => {
      const [before, current] = [basis[name], now.get(name)];
      return before !== undefined && current !== undefined && before !== shortHashOf(current);
    });
    const isEdited = approval !== undefined && !isCurrent;
    const made = isEdited || outdatedBy.length > 0 ? 'stale' : isCurrent ? 'approved' : 'draft';
    const state = rejection === undefined ? made : 'rejected';
    const requirementsWere =
      artifact === 'requirements' && isEdited
        ? approval.hash
        : outdatedBy.includes('requirements')
          ? basis.requirements
          : undefined;
    return {
      artifact,
      state,
      sha256,
      ...(approval && { approval }),
      ...(rejection && { rejection }),
      isEdited,
      outdatedBy,
      ...(requirementsWere === undefined ? {} : { requirementsWere }),
    };
  });
}

function shortened(hashes: Readonly<Partial<Record<Drafted, string>>>): Readonly<Partial<Record<Drafted, string>>> {
  return Object.fromEntries(Object.entries(hashes).map(([name, hash]) => [name, shortHashOf(hash)]));
}
