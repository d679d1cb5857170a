import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StorageFault } from '../../ports/store.ts';
import { specFiles } from './spec-files.ts';

let outside: string;
let root: string;
let dir: string;
beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'specloop-place-'));
  root = join(outside, 'repository');
  dir = join(root, 'specs/demo');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'tasks.md'), 'the plan\n');
});
afterEach(() => rmSync(outside, { recursive: true, force: true }));

test.each(['specs', 'specs/demo'])(
  'a folder that was moved away for a link is brought back: %s (R-SEC-1)',
  async (path) => {
    const files = specFiles(dir, { heldIn: root });
    renameSync(join(root, path), join(outside, 'moved'));
    symlinkSync(join(outside, 'moved'), join(root, path));
    await expect(files.read('tasks.md')).rejects.toBeInstanceOf(StorageFault);
    await files.write('tasks.md', 'ticked\n');
    expect(lstatSync(join(root, path)).isDirectory()).toBe(true);
    expect(readFileSync(join(dir, 'tasks.md'), 'utf8')).toBe('ticked\n');
    expect(readdirSync(outside)).toEqual(['repository']);
    expect(await files.takeBack()).toEqual([`A link had replaced the folder ${path}; the folder was restored.`]);
    expect(await files.takeBack()).toEqual([]);
  },
);

test('what a link leads to is left alone, if it is another folder (R-SEC-1)', async () => {
  const files = specFiles(dir, { heldIn: root });
  const other = join(outside, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'tasks.md'), 'precious\n');
  rmSync(join(root, 'specs'), { recursive: true });
  symlinkSync(outside, join(root, 'specs'));
  symlinkSync(other, join(outside, 'demo'));
  await files.write('.ralph-state.json', '{}');
  expect(readFileSync(join(other, 'tasks.md'), 'utf8')).toBe('precious\n');
  expect(readdirSync(other)).toEqual(['tasks.md']);
  expect(readdirSync(dir)).toEqual(['.ralph-state.json']);
});

test('what is in the place of a file makes way: a link goes, a folder keeps what it holds (R-VER-3)', async () => {
  const files = specFiles(dir, { heldIn: root });
  rmSync(join(dir, 'tasks.md'));
  symlinkSync('/etc/hostname', join(dir, 'tasks.md'));
  mkdirSync(join(dir, '.progress.md'));
  writeFileSync(join(dir, '.progress.md/mine'), 'x');
  await files.write('tasks.md', 'ours\n');
  await files.write('.progress.md', 'ours\n');
  expect(lstatSync(join(dir, 'tasks.md')).isFile()).toBe(true);
  expect(readFileSync(join(dir, 'replaced-1-.progress.md/mine'), 'utf8')).toBe('x');
});
