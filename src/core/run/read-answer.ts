import { findAdmission } from '../answer/contradiction.ts';
import { excerpt } from '../answer/excerpt.ts';
import { readFailureReport } from '../answer/failure-report.ts';
import { explainMissingSignal, readSignals } from '../answer/signals.ts';
import { parseModificationRequest } from '../spec/modification.ts';
import type { Answer } from './answer.ts';
import type { Role } from './role.ts';

const EXCERPT_CHARS_MAX = 2_000;

/** Reads the facts of a final answer, once (R-DEL-4, R-VER-2, R-REC-2, R-MOD-1). */
export function readAnswer(
  text: string,
  {
    role,
    taskId,
    admissions,
  }: { readonly role: Role; readonly taskId: string; readonly admissions: readonly string[] },
): Answer {
  const { positive, negative } = readSignals(text, role);
  const report = readFailureReport(text, taskId);
  const admission = findAdmission(text, admissions) ?? (report ? `Task ${taskId} FAILED: ${report.error}` : undefined);
  const request = parseModificationRequest(text);
  const signal = negative ? 'negative' : positive ? 'positive' : 'none';
  return {
    signal,
    ...(signal === 'none' ? { missing: explainMissingSignal(text, role) } : {}),
    ...(admission === undefined ? {} : { admission }),
    ...(report === undefined ? {} : { report }),
    ...(request.kind === 'none'
      ? {}
      : { request: request.kind === 'malformed' ? { malformed: request.reason } : request.request }),
    excerpt: excerpt(text, EXCERPT_CHARS_MAX),
  };
}
