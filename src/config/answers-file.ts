import * as z from 'zod/mini';
import type { AnswerRule } from '../core/answer/answered.ts';
import { UserError } from '../core/user-error.ts';

/** What a file of answers holds, for people. */
export const ANSWERS_FORM = 'It holds a JSON list of {"question"?, "task"?, "match"?, "answer"}.';

const text = z.string({ error: 'has to be a text' }).check(z.trim(), z.minLength(1, { error: 'is empty' }));
/** What `questions --json` prints with each question, for people: it is not read. */
const told = z.optional(z.unknown());
const TOLD = { ask: told, why: told, changes: told, options: told, recommended: told };
const rules = z.array(
  z.strictObject({
    question: z.optional(text),
    task: z.optional(text),
    match: z.optional(text),
    answer: text,
    ...TOLD,
  }),
);
const unanswered = z.object({ question: text, answer: z.string().check(z.regex(/^\s*$/)) });

/** Reads the text of a file of answers (R-AGT-6, R-ASK-3). Throws `UserError` for one that makes no sense. */
export function parseAnswers(content: string, path: string): readonly AnswerRule[] {
  const value = jsonIn(content, path);
  requireFilledIn(value, path);
  const made = rules.safeParse(value);
  if (made.success) return made.data.map(asRule);
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

/** A list of questions that is not filled in is no mistake of form: those without an answer are named (R-ASK-3). */
function requireFilledIn(value: unknown, path: string): void {
  const entries: readonly unknown[] = Array.isArray(value) ? value : [];
  const ids = entries.flatMap((entry) => unanswered.safeParse(entry).data?.question ?? []);
  if (ids.length > 0)
    throw new UserError(
      `The file of answers ${path} has no answer to: ${ids.join(', ')}.`,
      'Fill in "answer" for each.',
    );
}

function asRule({ question, task, match, answer }: Readonly<z.infer<typeof rules>[number]>): AnswerRule {
  return {
    ...(question !== undefined && { question }),
    ...(task !== undefined && { task }),
    ...(match !== undefined && { match }),
    answer,
  };
}
