import { beforeEach, expect, test } from 'vitest';
import type { Workspace } from '../ports/workspace.ts';
import { type Places, Squashes } from './squashes.ts';

const accepted = (key: string, attempt = 1) => ({ key, attempt, base: 'c0', spare: ['tasks.md'] });

let squashed: string[];
let ends: (() => void)[];
let fault: Error | undefined;
beforeEach(() => {
  squashed = [];
  ends = [];
  fault = undefined;
});

/** Each squash ends when the test says so. */
const places = {
  workspaces: { find: async (key: string) => (key === 'gone' ? undefined : ({ tree: { dir: key } } as Workspace)) },
  git: {
    squash: async ({ dir }: { dir: string }) => {
      squashed.push(dir);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (fault) throw fault;
      return { commit: `work of ${dir}`, paths: [] };
    },
  },
} as unknown as Places;

async function endAll(count: number): Promise<void> {
  await expect.poll(() => ends.length).toBe(count);
  for (const end of ends.splice(0)) end();
}

test('what was begun ahead is not done twice, however often it is begun (R-PAR-3)', async () => {
  const squashes = new Squashes();
  squashes.begin(places, accepted('1.2'));
  squashes.begin(places, accepted('1.2'));
  const taken = squashes.take(places, accepted('1.2'));
  await endAll(1);
  expect(await taken).toMatchObject({ work: { commit: 'work of 1.2' } });
  expect(squashed).toEqual(['1.2']);
});

test('what was begun for one attempt is not taken for another, nor a second time', async () => {
  const squashes = new Squashes();
  squashes.begin(places, accepted('1.2'));
  const other = squashes.take(places, accepted('1.2', 2));
  await endAll(2);
  await other;
  await squashes.take(places, accepted('1.2'));
  const again = squashes.take(places, accepted('1.2'));
  await endAll(1);
  await again;
  expect(squashed).toHaveLength(3);
});

test('what goes wrong ahead of the turn is told at the turn', async () => {
  const squashes = new Squashes();
  fault = new Error('disk full');
  squashes.begin(places, accepted('1.2'));
  await endAll(1);
  await expect(squashes.take(places, accepted('1.2'))).rejects.toThrow('disk full');
  squashes.begin(places, accepted('gone'));
  expect(await squashes.take(places, accepted('gone'))).toBeUndefined();
});

test('a run that ends waits for what nobody took', async () => {
  const squashes = new Squashes();
  squashes.begin(places, accepted('1.2'));
  let isSettled = false;
  const settling = squashes.settle().then(() => {
    isSettled = true;
  });
  await expect.poll(() => squashed).toEqual(['1.2']);
  expect(isSettled).toBe(false);
  fault = new Error('too late');
  await endAll(1);
  await settling;
});
