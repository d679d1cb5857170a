import { expect, test } from 'vitest';
import { plannedTask, play } from '../../core/run/test-rig.ts';
import type { World } from '../lane/world.ts';
import { watchedSince } from './watched.ts';

test('work whose watch lost its record is not taken for work that nothing was noticed around (R-VER-14, R-ADV-2)', async () => {
  const { state } = play([plannedTask('1.1')], {});
  const kept: unknown[] = [];
  const place = {
    tree: { dir: '/r' },
    spec: { name: 'demo', run: 'r1' },
    redact: (text: string) => text,
    git: { mend: async () => [] },
    watch: { noticedSince: async () => undefined, release: async () => {} },
    handedOver: { noticed: async () => undefined, keepNoticed: async (_: string, found: unknown) => kept.push(found) },
  } as unknown as World;
  const found = await watchedSince(state, place, { key: '1.1', attempt: 1, when: 'begin', token: 't' });
  expect(found?.violations).toEqual([expect.stringContaining('could not be compared')]);
  expect(kept).toEqual([found]);
});
