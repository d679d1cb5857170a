import { firstOf } from '../text/first-of.ts';
import { oneLine } from '../text/sanitise.ts';
import type { PlannedDocument } from './documents.ts';
import type { PlanningNext } from './next-step.ts';
import type { Rejection } from './rejections.ts';
import { FILE_OF } from './steps.ts';

const IDS_MAX = 10;
const FEEDBACK_CHARS_MAX = 200;

/** What a person decides about. */
type Deciding = Pick<Extract<PlanningNext, { is: 'decide' }>, 'document' | 'waiting'>;

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

/** What a person is asked about documents, and the commands that answer; `spec` as it is typed (R-GATE-3). */
export function decideText(decide: Deciding, spec: string): string {
  const { artifact, state } = decide.document;
  const file = FILE_OF[artifact];
  const all = approvesAll(decide) ? decide.waiting.map((one) => FILE_OF[one.artifact]).join(', ') : undefined;
  const waits = all === undefined ? `${file} waits for your approval.` : `These wait for your approval: ${all}.`;
  return [
    state === 'stale' ? staleText(decide.document) : waits,
    `To approve ${all === undefined ? 'it' : 'them'}: ${approveCommand(decide, spec)}`,
    `To have ${all === undefined ? 'it' : file} changed: specloop reject ${spec} ${artifact} --feedback "TEXT"`,
  ].join('\n');
}

/** The command that approves what waits; `spec` as it is typed (R-GATE-3). */
export function approveCommand(decide: Deciding, spec: string): string {
  const { artifact, state } = decide.document;
  if (approvesAll(decide)) return `specloop approve ${spec}`;
  return `specloop approve ${spec} ${artifact}${state === 'stale' ? ' --as-is' : ''}`;
}

/** Whether one command approves all that waits: what is stale, or was rejected, is decided by itself. */
function approvesAll({ waiting }: Deciding): boolean {
  return waiting.length > 1 && waiting.every(({ state }) => state === 'draft');
}

/** Says that a document was approved, by its content. */
export function approvedText({
  file,
  hash,
  wasApproved,
}: {
  readonly file: string;
  readonly hash: string;
  readonly wasApproved: boolean;
}): string {
  return wasApproved ? `${file} is approved already (content ${hash}).` : `Approved ${file} (content ${hash}).`;
}
