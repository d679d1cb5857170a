import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { differing } from '../../core/verify/fingerprint.ts';
import { fingerprint } from './fingerprint.ts';

let dir: string;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'specloop-fingerprint-')));
  mkdirSync(join(dir, '.git'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const kinds = async (...paths: string[]) => [...(await fingerprint({ dir }, paths)).values()].map(({ is }) => is);

test('a link that leads out of the tree is distinguished from one that stays in it (R-VER-13)', async () => {
  mkdirSync(join(dir, 'src'));
  symlinkSync('../README.md', join(dir, 'src/in'));
  symlinkSync(join(dir, 'src'), join(dir, 'absolute'));
  symlinkSync('../../elsewhere', join(dir, 'src/out'));
  symlinkSync(tmpdir(), join(dir, 'tmp'));
  symlinkSync('tmp/..', join(dir, 'through'));
  symlinkSync('.git/config', join(dir, 'config'));

  expect(await kinds('src/in', 'absolute')).toEqual(['link', 'link']);
  expect(await kinds('src/out', 'tmp', 'through', 'config')).toEqual(Array(4).fill('outward-link'));
});

test('what git cannot hold, and what is out of reach, has a kind of its own', async () => {
  mkdirSync(join(dir, 'folder'));
  writeFileSync(join(dir, 'file'), '');
  symlinkSync('folder', join(dir, 'link'));
  expect(await kinds('folder', 'gone', 'file/below', 'link/below')).toEqual(['other', 'absent', 'absent', 'absent']);
});

test('that a file can be run is part of it', async () => {
  writeFileSync(join(dir, 'run.sh'), 'x\n', { mode: 0o644 });
  const before = await fingerprint({ dir }, ['run.sh']);
  chmodSync(join(dir, 'run.sh'), 0o600);
  expect(differing(before, await fingerprint({ dir }, ['run.sh'], before))).toEqual([]);
  chmodSync(join(dir, 'run.sh'), 0o755);
  expect(differing(before, await fingerprint({ dir }, ['run.sh'], before))).toEqual(['run.sh']);
});

test('a file of the same length that is written again right after it was read is noticed', async () => {
  for (let n = 0; n < 50; n++) {
    writeFileSync(join(dir, 'a'), 'one');
    const before = await fingerprint({ dir }, ['a']);
    writeFileSync(join(dir, 'a'), 'two');
    expect(differing(before, await fingerprint({ dir }, ['a'], before))).toEqual(['a']);
  }
});

test('a large file is read in parts', async () => {
  writeFileSync(join(dir, 'large'), Buffer.alloc(3 << 20, 'a'));
  const before = await fingerprint({ dir }, ['large']);
  writeFileSync(join(dir, 'large'), Buffer.concat([Buffer.alloc((3 << 20) - 1, 'a'), Buffer.from('b')]));
  expect(differing(before, await fingerprint({ dir }, ['large'], before))).toEqual(['large']);
});

test('a repository inside the tree is its commit', async () => {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', join(dir, 'web'), '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  mkdirSync(join(dir, 'web'));
  git('init', '-q');
  const empty = await fingerprint({ dir }, ['web/']);
  git('commit', '-q', '--allow-empty', '-m', 'one');
  const one = await fingerprint({ dir }, ['web/']);
  git('commit', '-q', '--allow-empty', '-m', 'two');
  const two = await fingerprint({ dir }, ['web/']);
  expect([...one.values()][0]?.is).toBe('repository');
  expect(differing(empty, one)).toEqual(['web/']);
  expect(differing(one, two)).toEqual(['web/']);
});
