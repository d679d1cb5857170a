import { expect, test } from 'vitest';
import { putFile } from '../memory/tree.ts';
import { describe, live, liveOn } from './live.ts';
import { plain } from './scenarios.ts';
import { TASKS, World } from './world.ts';

test('a task that a person adds when all seems done is not passed over (R-RETRY-5)', async () => {
  const golden = await live(plain);
  const lastLook = golden.world.calls.findLastIndex(({ name }) => name === 'files.read tasks.md') + 1;
  const life = await liveOn(new World({ ...plain, reruns: 1 }), {
    accidents: [],
    onPoint: ({ at, step }, { tree }) => {
      if (at === lastLook && step === 0)
        putFile(tree.files, TASKS, `${tree.files.get(TASKS)}- [ ] 9.1 Build the annex\n`);
    },
  });
  expect(life.ends.map((end) => (end.how === 'over' ? end.state.ended?.result : end.how))).toEqual([
    'stuck',
    'completed',
  ]);
  expect(describe(life, [])).toBe('');
  expect(life.world.tree.files.get(TASKS)).toContain('- [x] 9.1 Build the annex');
});
