import { expect, test } from 'vitest';
import type * as z from 'zod/mini';
import type { Gh, RestRequest } from './gh.ts';
import { rerunJob } from './rerun.ts';

const began = '2026-11-29T08:00:00Z';
const job = (id: number, change = {}) => ({ id, name: 'test', status: 'completed', started_at: began, ...change });

/** GitHub has a job 1 of the run 7, and these in the newest attempt; `posted` is what it is told to run. */
function reader(newest: readonly (readonly ReturnType<typeof job>[])[]) {
  const posted: string[] = [];
  const answer = ({ method, path }: RestRequest): unknown => {
    if (method === 'POST') posted.push(path);
    if (path === 'repos/a/b/actions/jobs/1') return { ...job(1), run_id: 7 };
    const page = Number(/^repos\/a\/b\/actions\/runs\/7\/jobs\?.*&page=(\d+)$/.exec(path)?.[1]);
    return { total_count: newest.flat().length, jobs: newest[page - 1] ?? [] };
  };
  const gh = { rest: async (request: RestRequest, schema: z.ZodMiniType) => schema.parse(answer(request)) };
  const repository = { owner: 'a', name: 'b' };
  return { posted, of: { gh: gh as unknown as Gh, repository, authors: () => Promise.reject(new Error('asked')) } };
}

test('a job that came along into a newer attempt is run again by its number there (R-PR-10)', async () => {
  const { of, posted } = reader([[job(4, { name: 'build' })], [job(5)]]);
  expect(await rerunJob(of, '1')).toBe(true);
  expect(posted).toEqual(['repos/a/b/actions/jobs/5/rerun']);
});

test('a job that was run again since is not started once more, while it runs and after (R-PR-10)', async () => {
  for (const status of ['in_progress', 'completed']) {
    const { of, posted } = reader([[job(5, { status, started_at: '2026-11-29T08:05:00Z' })]]);
    expect(await rerunJob(of, '1')).toBe(true);
    expect(posted).toEqual([]);
  }
});

test('a job that the newest attempt does not have cannot be run again', async () => {
  expect(await rerunJob(reader([[job(5, { name: 'build' })]]).of, '1')).toBe(false);
});
