import { expect, test } from 'vitest';
import type { RunEvent } from '../../core/run/data/event.ts';
import { taskRecord } from '../../core/view/record/record.ts';
import { batch, begun, broken, envelopes, recorded, rejected, steps, task } from '../../core/view/test-rig.ts';
import { recordsSurface } from './records.ts';

const two = [task('1.1'), task('1.2')];

async function written(
  earlier: readonly RunEvent[],
  ...events: readonly (readonly RunEvent[])[]
): Promise<readonly (readonly [string, string])[]> {
  const files: [string, string][] = [];
  const all = steps(earlier, ...events);
  const surface = recordsSurface({
    write: async (name, text) => void files.push([name, text]),
    earlier: all.slice(0, earlier.length).map(({ envelope }) => envelope),
  });
  for (const { envelope, after } of all.slice(earlier.length)) await surface.show(envelope, after);
  await surface.close();
  return files;
}

test('a record is written when an attempt is rejected and when its task is done (R-VER-9)', async () => {
  const events = [begun(two), rejected('1.1'), recorded('1.1', 2), recorded('1.2')];
  const files = await written([], ...events);
  expect(files.map(([name]) => name)).toEqual(['1.1/record.md', '1.1/record.md', '1.2/record.md']);
  expect(files[1]?.[1]).toBe(taskRecord(envelopes(...events), '1.1'));
  expect(files[2]?.[1]).toBe(taskRecord(envelopes(...events), '1.2'));
});

test('after a resume the record still tells the attempts from before (R-ADV-2)', async () => {
  const earlier = [...begun(two), ...rejected('1.1')];
  const files = await written(earlier, [{ type: 'run-resumed', head: 'c0ffee0123456789' }], recorded('1.1', 2));
  expect(files.map(([name]) => name)).toEqual(['1.1/record.md']);
  expect(files[0]?.[1]).toMatch(/## Attempt 1: rejected at verify[\s\S]*## Attempt 2: accepted/);
});

test('a commit that is found at a resume completes its record (R-ADV-2)', async () => {
  const earlier = [...begun(two), ...recorded('1.1').slice(0, 5)];
  const files = await written(earlier, [{ type: 'run-resumed', head: 'c1', recorded: { task: '1.1', commit: 'c1' } }]);
  expect(files).toEqual([['1.1/record.md', expect.stringContaining('Done in commit c1.')]]);
});

test('a member that is opened again when its batch is closed keeps the record of its first attempt (R-PAR-5)', async () => {
  const pair = [task('1.1', { parallel: true }), task('1.2', { parallel: true, verifyCommand: null })];
  const files = await written([], begun(pair), batch('1.1', '1.2'), [broken('1.2', '1.1')], recorded('1.2', 2));
  expect(files.map(([name]) => name)).toEqual(['1.1/record.md', '1.2/record.md', '1.2/record.md', '1.2/record.md']);
  expect(files[2]?.[1]).toMatch(/Not done\.\s+## Attempt 1: rejected at merge/);
  expect(files[3]?.[1]).toMatch(/## Attempt 1: rejected at merge[\s\S]*## Attempt 2: accepted/);
});
