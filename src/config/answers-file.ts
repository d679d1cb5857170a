import * as z from 'zod/mini';
import type { AnswerRule } from '../core/run/answered.ts';
import { UserError } from '../core/user-error.ts';

/** What a file of answers holds, for people. */
export const ANSWERS_FORM = 'It holds a JSON list of {"question"?, "task"?, "match"?, "answer"}.';

const text = z.string({ error: 'has to be a text' }).check(z.trim(), z.minLength(1, { error: 'is empty' }));
const rules = z.array(
  z.strictObject({
    question: z.optional(text),
    task: z.optional(text),
    match: z.optional(text),
    answer: text,
  }),
);

/** Reads the text of a file of answers (R-AGT-6). Throws `UserError` for one that makes no sense. */
export function parseAnswers(content: string, path: string): readonly AnswerRule[] {
  const made = rules.safeParse(jsonIn(content, path));
  if (made.success) return made.data as readonly AnswerRule[];
  const [issue] = made.error.issues;
  const [at, field] = issue?.path ?? [];
  const where = typeof at === 'number' ? `entry ${at + 1}: ${String(field ?? 'it')} ` : '';
  throw new UserError(`The file of answers ${path} makes no sense: ${where}${issue?.message ?? ''}.`, ANSWERS_FORM);
}

function jsonIn(content: string, path: string): unknown {
  try {
    return JSON.parse(content);
  } catch (error) {
    throw new UserError(`The file of answers ${path} is not JSON: ${(error as Error).message}.`, ANSWERS_FORM);
  }
}
