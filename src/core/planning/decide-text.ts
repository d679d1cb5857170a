import { staleText } from './stale-text.ts';
import type { DocumentStanding } from './standing.ts';
import { FILE_OF } from './steps.ts';

/** What a person is asked about a document, and the commands that answer (R-GATE-3). */
export function decideText(standing: DocumentStanding, spec: string): string {
  const { artifact, state } = standing;
  const isStale = state === 'stale';
  return [
    isStale ? staleText(standing) : `${FILE_OF[artifact]} waits for your approval.`,
    `To approve it: specloop approve ${spec} ${artifact}${isStale ? ' --as-is' : ''}`,
    `To have it changed: specloop reject ${spec} --phase ${artifact} --feedback "TEXT"`,
  ].join('\n');
}
