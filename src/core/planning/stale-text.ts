import { firstOf } from '../text/first-of.ts';
import type { DocumentStanding } from './standing.ts';
import { FILE_OF } from './steps.ts';

const IDS_MAX = 10;

/** Why a document is stale, in a sentence (R-GATE-2, R-GATE-5). */
export function staleText({
  artifact,
  isEdited,
  outdatedBy,
  changedIds = [],
}: Pick<DocumentStanding, 'artifact' | 'isEdited' | 'outdatedBy'> & {
  readonly changedIds?: readonly string[];
}): string {
  const file = FILE_OF[artifact];
  const ids = changedIds.length === 0 ? '' : `: ${firstOf(changedIds, IDS_MAX)}`;
  if (isEdited) return `${file} is stale: it was edited after it was approved${ids}.`;
  const before = outdatedBy.map((name) => FILE_OF[name]).join(' and ');
  return `${file} is stale: it was made before ${before} changed${ids}.`;
}
