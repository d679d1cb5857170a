import { z } from 'zod';
import { commit, count, inserted, instant, ordinal, tasks, texts } from './schema-parts.ts';

const pullRequest = z
  .object({
    number: ordinal,
    url: z.string(),
    state: z.enum(['open', 'closed', 'merged']),
    head: commit,
    base: z.string(),
    isDraft: z.boolean(),
    title: z.string(),
    body: z.string(),
    mergeable: z.enum(['yes', 'conflict', 'unknown']),
  })
  .meta({ id: 'PullRequest', description: 'A pull request as the forge tells of it.' });

const check = z
  .object({
    name: z.string(),
    state: z.enum(['pending', 'passed', 'failed', 'cut-off']),
    isRequired: z.boolean(),
    job: z.string().optional(),
    url: z.string().optional(),
    summary: z.string().optional(),
  })
  .meta({ id: 'Check', description: 'One check of the head commit.' });

const comment = z
  .object({
    id: z.string(),
    author: z.object({ name: z.string(), isBot: z.boolean(), isSelf: z.boolean(), mayWrite: z.boolean() }),
    body: z.string(),
    url: z.string(),
  })
  .meta({ id: 'Comment', description: 'What somebody wrote on the forge: untrusted text.' });

const thread = z
  .object({
    id: z.string(),
    path: z.string().optional(),
    line: z.number().optional(),
    hunk: z.string().optional(),
    comments: z.array(comment),
  })
  .meta({ id: 'Thread', description: 'A discussion of one place of the change that is not resolved.' });

const origin = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('check'), head: z.string(), name: z.string() }),
  z.object({ kind: z.literal('thread'), thread: z.string(), comment: z.string(), words: z.string() }),
  z.object({ kind: z.literal('review'), review: z.string(), words: z.string() }),
  z.object({ kind: z.literal('base'), base: z.string(), commit: z.string() }),
]);

const finding = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('check'),
    id: z.string(),
    origin,
    name: z.string(),
    job: z.string().optional(),
    summary: z.string().optional(),
    url: z.string().optional(),
  }),
  z.object({ kind: z.literal('thread'), id: z.string(), origin, thread, leftOut: count }),
  z.object({ kind: z.literal('review'), id: z.string(), origin, review: comment }),
]);

const answerTo = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('thread'), thread: z.string(), comment: z.string() }),
  z.object({ kind: z.literal('review'), review: z.string(), author: z.string() }),
]);

const baseMerge = { base: z.string(), theirs: commit, commit, conflicts: texts };

const step = { do: z.literal('pull-request') };

/** The steps on the way of a pull request, as effects. */
export const pullRequestSteps = z.discriminatedUnion('step', [
  z.object({ ...step, step: z.literal('push'), commit }),
  z.object({ ...step, step: z.literal('compare') }),
  z.object({ ...step, step: z.literal('open') }),
  z.object({ ...step, step: z.literal('look') }),
  z.object({ ...step, step: z.literal('rerun'), check: z.string(), job: z.string() }),
  z.object({ ...step, step: z.literal('merge'), base: z.string() }),
  z.object({ ...step, step: z.literal('adopt'), id: z.string(), ...baseMerge }),
  z.object({ ...step, step: z.literal('plan'), findings: z.array(finding) }),
  z.object({ ...step, step: z.literal('answer'), to: answerTo, task: z.string().optional() }),
  z.object({ ...step, step: z.literal('record') }),
]);

/** What happens between a run and the forge. */
export const pullRequestEvents = [
  of('branch-pushed', { commit, isNew: z.boolean() }),
  of('push-refused', {
    cause: z.enum(['protected', 'hook', 'behind', 'denied', 'unreachable', 'other']),
    output: z.string(),
  }),
  of('branch-compared', {
    relation: z.enum(['same', 'ahead', 'merged', 'blocked', 'rewritten', 'gone']),
    head: commit,
    output: z.string().optional(),
    tasks: tasks.optional(),
    foreign: texts.optional(),
  }),
  of('base-merged', { ...baseMerge, isPlanInConflict: z.boolean().optional() }),
  of('pull-request-opened', { pullRequest, isNew: z.boolean() }),
  of('pull-request-seen', {
    pullRequest,
    checks: z.array(check),
    threads: z.array(thread),
    changesRequested: z.array(comment),
    answeredReviews: texts,
  }),
  of('check-rerun', { check: z.string(), isRunning: z.boolean() }),
  of('tasks-planned', {
    inserted: z.array(inserted),
    head: commit,
    tasks: tasks.optional(),
    notes: texts.optional(),
    foreign: texts.optional(),
  }),
  of('comment-answered', { to: answerTo, task: z.string().optional() }),
  of('lifecycle-recorded', {
    head: commit,
    done: z.array(z.object({ task: z.string(), command: z.string().optional(), output: z.string().optional() })),
    notes: texts.optional(),
  }),
  of('lifecycle-unproved', { task: z.string(), command: z.string(), output: z.string() }),
  of('forge-failed', {
    trouble: z.enum(['limited', 'unavailable', 'missing', 'signed-out', 'denied', 'gone', 'refused', 'not-understood']),
    message: z.string(),
    retryAt: instant.optional(),
  }),
] as const;

function of<const Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), at: instant, ...shape });
}
