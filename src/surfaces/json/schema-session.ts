import { z } from 'zod';
import { count, instant, ordinal } from './schema-parts.ts';

const step = z
  .enum(['delegate', 'wait', 'gate', 'complete', 'stuck', 'limit'])
  .describe('What the session is to do; gate: a person has to act.');

const task = z.object({ index: count.describe('Position in the plan, from 0.'), id: z.string(), title: z.string() });

/** What `next --json` prints (R-SES-1). */
export const nextSchema = z
  .object({
    v: z.literal(1).describe('Version of the format; a change that breaks readers makes it 2.'),
    spec: z.string(),
    do: step,
    delegations: z.array(
      z.object({
        task,
        role: z.enum(['executor', 'verifier', 'reviewer']),
        attempt: ordinal,
        given: ordinal.describe('How often it was given, this time included.'),
        token: z.string().describe('Names the delegation in "submit".'),
        workspace: z.string().describe('Absolute path of the folder to work in.'),
        prompt: z.string().describe('The whole task in words, for a helper that starts without any context.'),
      }),
    ),
    until: instant.nullable().describe('When to ask again; null if there is nothing to wait for.'),
    message: z.string(),
  })
  .meta({ title: 'specloop next', description: "What an agent's session is to do." });

/** What `submit` prints (R-SES-2). */
export const submitSchema = z
  .object({
    v: z.literal(1).describe('Version of the format; a change that breaks readers makes it 2.'),
    task,
    verdict: z
      .enum(['accepted', 'rejected', 'changed', 'waiting'])
      .describe('On the task; changed: the plan was changed as the answer asked; waiting: nothing is recorded yet.'),
    layer: z.string().nullable().describe('The layer that rejected the answer.'),
    reason: z.string().nullable(),
    next: step.describe('What "next" would say now.'),
  })
  .meta({ title: 'specloop submit', description: 'What came of the answer to a delegation.' });
