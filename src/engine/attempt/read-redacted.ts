import type { Role } from '../../core/agent/role.ts';
import type { StructuredClaim } from '../../core/agent/structured-claim.ts';
import type { Answer } from '../../core/run/data/answer.ts';
import { readAnswer } from '../../core/run/read-answer.ts';
import { REDACTED } from '../../core/text/redact.ts';
import type { World } from '../lane/world.ts';

const SECRET_IN_REQUEST = 'it contains what looks like a key, token or password. Use a variable instead.';

/** Reads an answer without its secrets (R-SEC-2). Tasks that lack a part of what was proposed would be other tasks. */
export function readRedacted(
  text: string,
  { redact, admissions, doubts }: Pick<World, 'redact' | 'admissions' | 'doubts'>,
  at: {
    readonly role: Role;
    readonly taskId: string;
    readonly block?: string;
    readonly claims?: readonly StructuredClaim[] | undefined;
  },
): Answer {
  const answer = readAnswer(redact(text), { ...at, claims: redactedIn(at.claims ?? [], redact), admissions, doubts });
  const isPartial = answer.request !== undefined && JSON.stringify(answer.request).includes(REDACTED);
  return isPartial ? { ...answer, request: { malformed: SECRET_IN_REQUEST } } : answer;
}

/** The same value with every text in it redacted. */
function redactedIn<T>(value: T, redact: (text: string) => string): T {
  const texts = (_key: string, part: unknown): unknown => (typeof part === 'string' ? redact(part) : part);
  return JSON.parse(JSON.stringify(value, texts)) as T;
}
