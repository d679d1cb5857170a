import { isPlanningRole, type Role } from '../agent/role.ts';
import { deniedBy, type StructuredClaim } from '../agent/structured-claim.ts';
import { readAdmissions } from '../answer/contradiction.ts';
import { findDoubts } from '../answer/doubt.ts';
import { excerpt } from '../answer/excerpt.ts';
import { FAILURE_FALLBACKS, readFailureReport } from '../answer/failure-report.ts';
import { readQuestion } from '../answer/question.ts';
import { readQuestions } from '../answer/questions.ts';
import { explainMissingSignal, readSignals } from '../answer/signals.ts';
import { readUndone } from '../answer/undone.ts';
import { parseModificationRequest, type RequestReading, readRequest } from '../plan/edit/modification.ts';
import type { Answer } from './data/answer.ts';

const EXCERPT_CHARS_MAX = 2_000;

/** What an answer is read by. */
export interface AnswerRules {
  readonly role: Role;
  readonly taskId: string;
  /** Words that admit a failure (R-VER-2). */
  readonly admissions: readonly string[];
  /** Words that raise a doubt; by default the signs that are built in (R-VER-11). */
  readonly doubts?: readonly string[] | undefined;
  /** The task as it is in the plan: the words it uses itself admit nothing and raise no doubt. */
  readonly block?: string | undefined;
  /** What the agent says as data. */
  readonly claims?: readonly StructuredClaim[] | undefined;
}

/** Reads the facts of a final answer and of the claims that came with it, once (R-DEL-4, R-VER-2, R-VER-10, R-VER-11, R-REC-2, R-MOD-1, R-ASK-1). */
export function readAnswer(finalAnswer: string, rules: AnswerRules): Answer {
  const { role, taskId, admissions, block, claims = [] } = rules;
  const text = [finalAnswer, ...summariesIn(claims)].join('\n\n');
  const { positive, negative } = readSignals(text, role);
  const denied = deniedBy(claims.filter(({ status }) => status !== 'needs-input'));
  const question = questionIn(claims) ?? readQuestion(text);
  const questions = isPlanningRole(role) ? readQuestions(text) : undefined;
  const report = denied ? { ...FAILURE_FALLBACKS, ...denied } : readFailureReport(text, taskId);
  const found = readAdmissions(text, admissions, block);
  const admission = found.admission ?? (report ? `Task ${taskId} FAILED: ${report.error}` : undefined);
  const undone = readUndone(text);
  const request = requestIn(claims) ?? parseModificationRequest(text);
  const claimed = claims.some(({ status }) => status === 'complete');
  const signal = negative || denied ? 'negative' : positive || claimed ? 'positive' : 'none';
  const doubts =
    signal === 'positive' ? [...found.uncertain, ...findDoubts(text, { role, block, phrases: rules.doubts })] : [];
  return {
    signal,
    ...(signal === 'none' ? { missing: explainMissingSignal(text, role) } : {}),
    ...(question === undefined ? {} : { question }),
    ...(questions === undefined ? {} : { questions }),
    ...(admission === undefined ? {} : { admission }),
    ...(undone === undefined ? {} : { undone }),
    ...(doubts.length === 0 ? {} : { doubts: [...new Set(doubts)] }),
    ...(report === undefined ? {} : { report }),
    ...(request.kind === 'none'
      ? {}
      : { request: request.kind === 'malformed' ? { malformed: request.reason } : request.request }),
    excerpt: excerpt(text, EXCERPT_CHARS_MAX),
  };
}

/** What a claim of completion says in words may take it back, like the answer itself (R-VER-2, R-VER-10, R-VER-11). */
function summariesIn(claims: readonly StructuredClaim[]): readonly string[] {
  return claims.flatMap((claim) => (claim.status === 'complete' && claim.summary ? [claim.summary] : []));
}

function questionIn(claims: readonly StructuredClaim[]): string | undefined {
  const claim = claims.find(({ status }) => status === 'needs-input');
  return claim?.status === 'needs-input' ? claim.question : undefined;
}

/** A request made as data is checked like one in an answer (R-MOD-1). */
function requestIn(claims: readonly StructuredClaim[]): RequestReading | undefined {
  const claim = claims.find(({ status }) => status === 'modification-requested');
  return claim?.status === 'modification-requested' ? readRequest(claim.request) : undefined;
}
