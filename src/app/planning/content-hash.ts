import { createHash } from 'node:crypto';
import type { Drafted } from '../../core/plan/data/step.ts';
import { approvedContent } from '../../core/planning/content.ts';

/** The hash of what of a document an approval is bound to (R-GATE-2). */
export function contentHash(artifact: Drafted, text: string): string {
  return createHash('sha256').update(approvedContent(artifact, text)).digest('hex');
}
