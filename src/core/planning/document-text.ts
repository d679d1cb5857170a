import { firstOf } from '../text/first-of.ts';
import { oneLine } from '../text/sanitise.ts';
import type { PlannedDocument } from './documents.ts';
import type { Rejection } from './rejections.ts';
import { FILE_OF } from './steps.ts';

const IDS_MAX = 10;
const FEEDBACK_CHARS_MAX = 200;

/** Why a document is stale, in a sentence (R-GATE-2, R-GATE-5). */
export function staleText({
  artifact,
  isEdited,
  outdatedBy,
  changedIds = [],
}: Pick<PlannedDocument, 'artifact' | 'isEdited' | 'outdatedBy'> & {
  readonly changedIds?: readonly string[];
}): string {
  const file = FILE_OF[artifact];
  const ids = changedIds.length === 0 ? '' : `: ${firstOf(changedIds, IDS_MAX)}`;
  if (isEdited) return `${file} is stale: it was edited after it was approved${ids}.`;
  const before = outdatedBy.map((name) => FILE_OF[name]).join(' and ');
  return `${file} is stale: it was made before ${before} changed${ids}.`;
}

/** What a person wants changed in a document, in a sentence (R-GATE-3). */
export function rejectedText({ artifact, by, feedback }: Rejection): string {
  return `${FILE_OF[artifact]} was rejected by ${by}: ${oneLine(feedback, FEEDBACK_CHARS_MAX)}`;
}

/** What a person is asked about a document, and the commands that answer; `spec` as it is typed (R-GATE-3). */
export function decideText(document: PlannedDocument, spec: string): string {
  const { artifact, state } = document;
  const isStale = state === 'stale';
  return [
    isStale ? staleText(document) : `${FILE_OF[artifact]} waits for your approval.`,
    `To approve it: specloop approve ${spec} ${artifact}${isStale ? ' --as-is' : ''}`,
    `To have it changed: specloop reject ${spec} ${artifact} --feedback "TEXT"`,
  ].join('\n');
}

/** Says that a document was approved, by its content. */
export function approvedText({ file, hash }: { readonly file: string; readonly hash: string }): string {
  return `Approved ${file} (content ${hash}).`;
}
