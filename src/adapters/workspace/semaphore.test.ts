import { expect, test } from 'vitest';
import { Semaphore } from './semaphore.ts';

test('as many as it has room for go on at once, the others in their order, also behind one that failed', async () => {
  const semaphore = new Semaphore(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const act = (n: number) =>
    semaphore.run(async () => {
      begun.push(n);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (n === 1) throw new Error('one');
      return n;
    });
  const all = [1, 2, 3, 4].map((n) => act(n).catch((error: Error) => error.message));
  expect(begun).toEqual([1, 2]);
  for (const wanted of [
    [1, 2, 3],
    [1, 2, 3, 4],
  ]) {
    ends.shift()?.();
    await expect.poll(() => begun).toEqual(wanted);
  }
  for (const end of ends) end();
  expect(await Promise.all(all)).toEqual(['one', 2, 3, 4]);
  expect(await semaphore.run(async () => 5)).toBe(5);
});
