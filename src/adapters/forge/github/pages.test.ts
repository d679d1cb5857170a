import { expect, test } from 'vitest';
import { everyPage } from './pages.ts';

const page = (nodes: readonly number[], endCursor?: string) => ({
  nodes,
  pageInfo: { hasNextPage: endCursor !== undefined, endCursor },
});

test('every page of a list is read', async () => {
  const pages: Record<string, ReturnType<typeof page>> = { a: page([2], 'b'), b: page([3]) };
  expect(await everyPage(page([1], 'a'), async (after) => pages[after])).toEqual([1, 2, 3]);
});

test('a list that is left out, or has no end, is not taken for a short one', async () => {
  const trouble = { name: 'ForgeFault', trouble: 'not-understood' };
  await expect(everyPage(undefined, async () => page([]))).rejects.toMatchObject(trouble);
  await expect(everyPage(page([], 'a'), async () => null)).rejects.toMatchObject(trouble);
  await expect(everyPage(page([], 'a'), async () => page([], 'a'))).rejects.toMatchObject(trouble);
});
