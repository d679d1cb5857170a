import { expect, test } from 'vitest';
import { parsePlan } from '../core/plan/parse.ts';
import { taskMarkdown } from '../core/plan/task-markdown.ts';
import { defaultPolicy } from '../core/policy.ts';
import type { RunEvent } from '../core/run/event.ts';
import { delegated, plannedTask, started } from '../core/run/test-rig.ts';
import type { Git } from '../ports/git.ts';
import { open } from './open.ts';

/** Opens a run whose branch no longer holds its last commit. */
async function openRewritten(events: readonly RunEvent[]) {
  const git: Pick<Git, 'inspect' | 'isAncestor'> = {
    inspect: async () => ({ branch: 'feat/demo', head: 'other', changes: [], staged: [], operation: undefined }),
    isAncestor: async () => false,
  };
  return await open({
    git: git as Git,
    tree: { dir: '/r' },
    envelopes: events.map((event, seq) => ({ v: 1, seq, at: '', spec: 'demo', run: 'r', event })),
    spec: { path: 'specs/demo', format: taskMarkdown },
    plan: parsePlan('- [ ] 1.1 a\n'),
    policy: defaultPolicy(1),
    stated: {},
    trailers: () => ({}),
  });
}

test('a branch that was rewritten while a task was at work is not gone on with, nor begun anew (R-ADV-2, R-DEL-5)', async () => {
  const events = [...started([plannedTask('1.1')]), delegated('1.1')];
  await expect(openRewritten(events)).rejects.toThrow('was rewritten while task 1.1 was running');
});

test('where no task was at work the run is given up, and a new one begins (R-ADV-2)', async () => {
  const opening = await openRewritten(started([plannedTask('1.1')]));
  expect(opening).toMatchObject({ kind: 'new', abandoned: 'the branch feat/demo was rewritten' });
});
