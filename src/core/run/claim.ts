import { isPlanningRole, type Role } from '../agent/role.ts';
import { NO_FAILURE_REPORT } from '../answer/failure-report.ts';
import { SIGNALS } from '../answer/signals.ts';
import type { Failure } from '../verify/failure.ts';
import type { RunEvent } from './data/event.ts';

/** What came back from an agent, as far as it is a claim. */
export type AgentClaim = Pick<Extract<RunEvent, { type: 'agent-returned' }>, 'how' | 'message' | 'answer'>;

/** Whether completion is claimed next to an admission of failure (R-VER-2). */
export function contradicts({ answer }: Pick<AgentClaim, 'answer'>): boolean {
  return answer.signal === 'positive' && answer.admission !== undefined;
}

/** Why a claim is not looked at further: no completion, no signal, an admission, or something left undone (R-VER-1, R-VER-2, R-VER-10). */
export function claimFailure(claim: AgentClaim, role: Role): Failure | undefined {
  const { how, message, answer } = claim;
  const reported = answer.report ? { error: answer.report.error, attemptedFix: answer.report.attemptedFix } : {};
  const said = answer.report?.error ?? answer.excerpt.trim();
  const withSaid = (what: string) => (said === '' ? what : `${what}\n${said}`);
  if (how === 'completed' && answer.question !== undefined)
    return { layer: 'signal', text: `A person has to answer: ${answer.question}` };
  if (how !== 'completed') return { layer: 'agent', text: withSaid(message), error: message, ...reported };
  if (answer.signal === 'negative')
    return { layer: 'signal', text: said === '' ? (SIGNALS[role].negative[0] ?? '') : said, ...reported };
  if (answer.signal === 'none') {
    if (answer.report) return { layer: 'signal', text: said, ...reported };
    const missing = `NO SIGNAL: ${answer.missing ?? `there is no line ${SIGNALS[role].positive[0]}.`}`;
    return { layer: 'signal', text: withSaid(`${missing}${unread(answer)}`), error: NO_FAILURE_REPORT };
  }
  // A draft is judged by what is in it: that its author speaks of manual steps says nothing about it.
  if (isPlanningRole(role)) return undefined;
  if (contradicts(claim))
    return {
      layer: 'contradiction',
      text: `CONTRADICTION: claimed completion while admitting failure\n${answer.admission}`,
      ...reported,
    };
  return answer.undone === undefined ? undefined : { layer: 'signal', text: `INCOMPLETE: ${answer.undone}` };
}

/** Why the questions of an answer were not asked, as a further line (R-ASK-1). */
function unread({ questions }: AgentClaim['answer']): string {
  return questions !== undefined && 'malformed' in questions
    ? `\nThe questions could not be read, so no one was asked: ${questions.malformed}.`
    : '';
}
