import { expect, test } from 'vitest';
import type { Comment, PullRequest, Seen } from '../../core/pull-request/seen.ts';
import { beforeFirstStep } from '../../core/pull-request/state.ts';
import type { RunState } from '../../core/run/data/state.ts';
import { redactor } from '../../core/text/redact.ts';
import type { World } from '../lane/world.ts';
import { takeStep } from './take-step.ts';

const pullRequest: PullRequest = {
  number: 1,
  url: 'https://github.com/acme/app/pull/1',
  state: 'open',
  head: 'c0ffee01',
  base: 'main',
  isDraft: false,
  title: '',
  body: '',
  mergeable: 'yes',
};
const author = { name: 'ada', isBot: false, isSelf: false, mayWrite: true };

/** What a look tells where somebody wrote this in a thread. */
async function seenWith(body: string): Promise<string | undefined> {
  const comment: Comment = { id: '1', author, body, url: '' };
  const seen: Seen = {
    pullRequest,
    checks: [],
    threads: [{ id: 'T', comments: [comment] }],
    changesRequested: [],
    answeredReviews: [],
  };
  const world: Partial<World> = {
    hosting: { forge: { look: async () => seen } } as unknown as NonNullable<World['hosting']>,
    clock: { now: () => '2026-01-01T00:00:00.000Z' } as World['clock'],
    redact: redactor(['s3cr3t-of-ours']),
    signal: new AbortController().signal,
    files: { read: async () => undefined } as unknown as World['files'],
    plan: { plan: { text: '' } } as unknown as World['plan'],
    spec: { format: { file: 'tasks.md' } } as unknown as World['spec'],
    workdir: '',
  };
  const state = { pullRequest: { ...beforeFirstStep, pullRequest: { number: 1, url: '' } } } as unknown as RunState;
  const event = await takeStep({ step: 'look' }, state, world as World);
  return event.type === 'pull-request-seen' ? event.threads[0]?.comments[0]?.body : undefined;
}

test('secrets are kept out of what was seen, text by text (R-SEC-2)', async () => {
  expect(await seenWith('The key is s3cr3t-of-ours.')).not.toContain('s3cr3t-of-ours');
  const bearer = await seenWith('Authorization: Bearer abcdefghijklmnopqrstuvwxyz0123456789');
  expect(bearer).toContain('Authorization');
  expect(bearer).not.toContain('abcdefghijklmnop');
  expect(await seenWith('-----BEGIN RSA PRIVATE KEY-----\nabc')).toBeDefined();
});
