import { decideText } from '../planning/document-text.ts';
import type { PlannedDocument } from '../planning/documents.ts';
import type { RunState } from '../run/data/state.ts';

/** What a person is asked about a document: with what the checks left, where the newest run ended with it as it is now (R-GATE-1). */
export function gateText(newest: RunState | undefined, document: PlannedDocument, spec: string): string {
  const { artifact, state, sha256 } = document;
  const key = newest?.awaitsApproval;
  const isOfRun = key !== undefined && newest?.tasks.find((task) => task.key === key)?.step?.artifact === artifact;
  const isAsRecorded = isOfRun && state === 'draft' && newest?.drafts.get(key)?.sha256 === sha256;
  return (isAsRecorded ? newest?.ended?.reason : undefined) ?? decideText({ document, waiting: [document] }, spec);
}
