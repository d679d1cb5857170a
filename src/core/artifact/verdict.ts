import type { ArtifactText } from './artifact-text.ts';
import { headingKey } from './outline.ts';

const HEADING = /^ {0,3}#{1,4}[ \t]+(.*)$/;
const AGAINST = /\bdo(?:n['’]?t| not) build (?:this|it)\b/i;

/** Whether a research says in its verdict that the goal should not be met as it is put (R-STOP-1). */
export function advisesAgainst({ lines }: Pick<ArtifactText, 'lines'>): boolean {
  let isVerdict = false;
  for (const line of lines) {
    const title = HEADING.exec(line)?.[1];
    if (title !== undefined) isVerdict = headingKey(title) === 'verdict';
    else if (isVerdict && AGAINST.test(line)) return true;
  }
  return false;
}
