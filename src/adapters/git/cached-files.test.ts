import { expect, test } from 'vitest';
import { cached } from './cached-files.ts';

const TREE = { dir: '/repo' };
const ID = 'a'.repeat(40);

/** A reader that tells what it was asked for, and fails the first `failures` times. */
function reader(failures = 0) {
  const asked: string[] = [];
  const fileAt = cached(async (_tree, commit, path) => {
    asked.push(`${commit.slice(0, 4)}:${path}`);
    if (asked.length <= failures) throw new Error('no git');
    return path === 'gone' ? undefined : `text of ${path}`;
  });
  return { asked, fileAt };
}

test('a file of a commit is read once, there or not', async () => {
  const { asked, fileAt } = reader();
  for (const path of ['a', 'gone', 'a', 'gone'])
    expect(await fileAt(TREE, ID, path)).toBe(path === 'a' ? 'text of a' : undefined);
  expect(asked).toEqual(['aaaa:a', 'aaaa:gone']);
});

test('what may move is read every time, and so is what failed', async () => {
  const { asked, fileAt } = reader();
  for (const commit of ['HEAD', 'HEAD', ID.slice(1)]) await fileAt(TREE, commit, 'a');
  expect(asked).toHaveLength(3);
  const failing = reader(1);
  await expect(failing.fileAt(TREE, ID, 'a')).rejects.toThrow('no git');
  expect(await failing.fileAt(TREE, ID, 'a')).toBe('text of a');
});

test('only the last few files are kept', async () => {
  const { asked, fileAt } = reader();
  for (const path of ['a', 'b', 'a', 'c', 'd', 'e', 'a', 'b']) await fileAt(TREE, ID, path);
  expect(asked.map((entry) => entry.slice(5))).toEqual(['a', 'b', 'c', 'd', 'e', 'b']);
});
