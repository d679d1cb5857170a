import {
  chmod,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyContent, copyPaths, type Trees } from './copy.ts';

let top: string;
let trees: Trees;
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'specloop-copy-'));
  trees = { from: join(top, 'from'), to: join(top, 'to') };
  await Promise.all([mkdir(trees.from), mkdir(trees.to)]);
});
afterEach(() => rm(top, { recursive: true, force: true }));

async function write(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

test('files keep their content, mode and time; empty folders and links are there as they were', async () => {
  await write(trees.from, 'a/bin/run.sh', '#!/bin/sh\n');
  await chmod(join(trees.from, 'a/bin/run.sh'), 0o755);
  await utimes(join(trees.from, 'a/bin/run.sh'), 1_000_000, 2_000_000);
  await mkdir(join(trees.from, 'a/empty'));
  await symlink('../nowhere', join(trees.from, 'a/broken'));
  await symlink('bin', join(trees.from, 'a/link'));
  expect(await copyPaths(trees, ['a/'])).toEqual({ files: 3, bytes: 10 });
  const copy = await stat(join(trees.to, 'a/bin/run.sh'));
  expect([copy.mode & 0o777, copy.mtimeMs]).toEqual([0o755, 2_000_000_000]);
  expect(await readdir(join(trees.to, 'a/empty'))).toEqual([]);
  expect(await readlink(join(trees.to, 'a/broken'))).toBe('../nowhere');
  expect(await readlink(join(trees.to, 'a/link'))).toBe('bin');
});

test('what is there stays, what is omitted or gone is left out', async () => {
  for (const path of ['a/x', 'a/y', 'a/z', 'b/c/d']) await write(trees.from, path, 'new');
  await write(trees.to, 'a/x', 'old');
  await chmod(join(trees.to, 'a'), 0o700);
  await copyPaths(trees, ['a', 'b/c/d', 'b/gone', 'gone/too'], new Set(['a/y']));
  expect(await readFile(join(trees.to, 'a/x'), 'utf8')).toBe('old');
  expect((await stat(join(trees.to, 'a'))).mode & 0o777).toBe(0o700);
  expect((await readdir(join(trees.to, 'a'))).sort()).toEqual(['x', 'z']);
  expect(await readdir(join(trees.to, 'b/c'))).toEqual(['d']);
});

test('no link is followed: a copy never lands outside of its tree (R-SEC-1)', async () => {
  const outside = join(top, 'outside');
  await mkdir(outside);
  for (const path of ['a/x', 'b/c/x', 'f']) await write(trees.from, path, 'text');
  await symlink(outside, join(trees.to, 'a'));
  await mkdir(join(trees.to, 'b'));
  await symlink(outside, join(trees.to, 'b/c'));
  await symlink(join(outside, 'f'), join(trees.to, 'f'));
  await copyPaths(trees, ['a/x', 'a', 'b', 'f']);
  await copyContent(trees);
  expect(await readdir(outside)).toEqual([]);
});

test('a folder that may not be written is copied with what is in it', async () => {
  await write(trees.from, 'a/x', 'text');
  await chmod(join(trees.from, 'a'), 0o555);
  await copyContent(trees);
  expect(await readFile(join(trees.to, 'a/x'), 'utf8')).toBe('text');
  expect((await stat(join(trees.to, 'a'))).mode & 0o777).toBe(0o555);
  await Promise.all([trees.from, trees.to].map((dir) => chmod(join(dir, 'a'), 0o755)));
});

test.runIf(process.platform === 'linux')('names that are no text are copied as they are', async () => {
  const name = Buffer.from([0x61, 0xff, 0x2e, 0x6a, 0x73]);
  await mkdir(join(trees.from, 'a'));
  await writeFile(Buffer.concat([Buffer.from(`${trees.from}/a/`), name]), 'text');
  expect(await copyPaths(trees, ['a'])).toEqual({ files: 1, bytes: 4 });
  expect(await readdir(join(trees.to, 'a'), { encoding: 'buffer' })).toEqual([name]);
});

test('a copy is a file of its own, also of one that has several names', async () => {
  await write(trees.from, 'x', 'text');
  await link(join(trees.from, 'x'), join(trees.from, 'y'));
  await copyContent(trees);
  expect((await lstat(join(trees.to, 'y'))).nlink).toBe(1);
});

test('a thousand paths are copied, each folder made once for all of them', async () => {
  const paths = Array.from({ length: 1000 }, (_, n) => `d${n % 7}/e${n % 3}/f${n}`);
  await Promise.all(paths.map((path) => write(trees.from, path, path)));
  expect((await copyPaths(trees, paths)).files).toBe(1000);
  expect(await readFile(join(trees.to, 'd5/e0/f12'), 'utf8')).toBe('d5/e0/f12');
});
