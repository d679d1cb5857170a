import { expect, test } from 'vitest';
import { parsePlan } from '../core/plan/read/parse.ts';
import { taskMarkdown } from '../core/plan/task-markdown.ts';
import { defaultPolicy } from '../core/policy.ts';
import type { RunEvent } from '../core/run/data/event.ts';
import { delegated, plannedTask, returned, started } from '../core/run/test-rig.ts';
import type { Git } from '../ports/git.ts';
import { type OpeningFacts, open } from './open.ts';

/** Opens a run whose branch no longer holds its last commit. */
async function openRewritten(events: readonly RunEvent[]) {
  const git: Pick<Git, 'inspect' | 'isAncestor'> = {
    inspect: async () => ({ branch: 'feat/demo', head: 'other', changes: [], staged: [], operation: undefined }),
    isAncestor: async () => false,
  };
  return await open({ ...facts(git as Git, events), plan: parsePlan('- [ ] 1.1 a\n') });
}

function facts(git: Git, events: readonly RunEvent[]): Omit<OpeningFacts, 'plan'> {
  return {
    git,
    tree: { dir: '/r' },
    envelopes: events.map((event, seq) => ({ v: 1, seq, at: '', spec: 'demo', run: 'r', event })),
    spec: { path: 'specs/demo', format: taskMarkdown, progressFile: '.progress.md' },
    policy: defaultPolicy(1),
    stated: {},
    now: '2026-01-01T00:00:00.000Z',
    trailers: () => ({}),
  };
}

test('a branch that was rewritten while a task was at work is not gone on with, nor begun anew (R-ADV-2, R-DEL-5)', async () => {
  const events = [...started([plannedTask('1.1')]), delegated('1.1')];
  await expect(openRewritten(events)).rejects.toThrow('was rewritten while task 1.1 was running');
});

test('where no task was at work the run is given up, and a new one begins (R-ADV-2)', async () => {
  const opening = await openRewritten(started([plannedTask('1.1')]));
  expect(opening).toMatchObject({ kind: 'new', abandoned: 'the branch feat/demo was rewritten' });
});

test('a task that a person added and that is in no commit is taken up open, whatever its agent ticked (R-ADV-2, R-FILE-7)', async () => {
  const tasks = [plannedTask('1.1', { checked: true }), plannedTask('1.2')];
  const committed = '- [x] 1.1 a\n';
  const git: Pick<Git, 'inspect' | 'isAncestor' | 'fileAt'> = {
    inspect: async () => ({ branch: 'feat/demo', head: 'base', changes: [], staged: [], operation: undefined }),
    isAncestor: async () => true,
    fileAt: async () => committed,
  };
  const opening = await open({
    ...facts(git as Git, [...started(tasks), delegated('1.2'), returned('1.2')]),
    plan: parsePlan(`${committed}- [x] 1.2 b\n`),
  });
  expect(opening).toMatchObject({ kind: 'resume', plan: { text: `${committed}- [ ] 1.2 b\n` } });
});

test('a driver whose time is over gets nothing more to do (R-DEL-8, R-SES-1)', async () => {
  const git: Pick<Git, 'inspect' | 'isAncestor' | 'fileAt'> = {
    inspect: async () => ({ branch: 'feat/demo', head: 'c0', changes: [], staged: [], operation: undefined }),
    isAncestor: async () => true,
    fileAt: async () => '- [ ] 1.1 a\n',
  };
  const holder = { driver: 'session', token: 't', until: '2026-01-01T09:00:00.000Z' };
  const [begun, ...others] = started([plannedTask('1.1')]);
  const events = [{ ...begun, driver: 'session' }, ...others, { ...delegated('1.1'), holder }] as RunEvent[];
  const known = facts(git as Git, events);
  const resumedAt = async (now: string) =>
    await open({
      ...{ ...known, envelopes: known.envelopes.map((one) => ({ ...one, at: '2026-01-01T00:00:00.000Z' })) },
      ...{ plan: parsePlan('- [ ] 1.1 a\n'), driver: 'session', policy: { ...known.policy, maxTimeMs: 60_000 }, now },
    });
  expect(await resumedAt('2026-01-01T00:01:00.000Z')).toMatchObject({ event: { outOfTime: { limitMs: 60_000 } } });
  const early = await resumedAt('2026-01-01T00:00:20.000Z');
  expect(early).toMatchObject({ kind: 'resume', drivenMs: 20_000 });
  expect(early).not.toHaveProperty('event.outOfTime');
});
