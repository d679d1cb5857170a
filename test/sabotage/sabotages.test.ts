import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sabotages } from './sabotages.mjs';

test('each sabotage has its place in the code, once', () => {
  const misplaced = sabotages.filter(
    ({ file, find }) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split(find).length !== 2,
  );
  expect(misplaced.map(({ name }) => name)).toEqual([]);
});
