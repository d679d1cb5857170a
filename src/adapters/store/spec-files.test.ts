import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { NotText, type SpecFiles, StorageFault, TooLarge } from '../../ports/store.ts';
import { specFiles } from './spec-files.ts';

let dir: string;
let files: SpecFiles;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'specloop-spec-'));
  files = specFiles(dir);
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

test('text is read as it was written: byte order mark, CRLF and missing last newline (R-FILE-5)', async () => {
  const text = '\uFEFF# Täsks 🎯\r\n- [ ] 1.1 a\r\nend';
  await files.write('tasks.md', text);
  expect(await files.read('tasks.md')).toBe(text);
});

test('a file that is not there reads as nothing, an empty one as empty', async () => {
  await files.write('.progress.md', '');
  expect(await files.read('tasks.md')).toBeUndefined();
  expect(await files.read('.progress.md')).toBe('');
});

test('a file is removed, and removing it again is no failure', async () => {
  await files.write('.progress-task-3.md', 'x');
  await files.remove('.progress-task-3.md');
  await files.remove('.progress-task-3.md');
  expect(readdirSync(dir)).toEqual([]);
});

test('bytes that are not UTF-8 are refused with the line they stand in (R-PARSE-6)', async () => {
  writeFileSync(
    join(dir, 'tasks.md'),
    Buffer.concat([Buffer.from('# Tasks\n\nä\n'), Buffer.from([0x2d, 0xff, 0xfe, 0x0a])]),
  );
  const reading = files.read('tasks.md');
  await expect(reading).rejects.toBeInstanceOf(NotText);
  await expect(reading).rejects.toThrow(`${join(dir, 'tasks.md')}:4 is not UTF-8 text.`);
});

test('a character cut off by the end of the file is not UTF-8', async () => {
  writeFileSync(join(dir, 'tasks.md'), Buffer.from('✓').subarray(0, 2));
  await expect(files.read('tasks.md')).rejects.toMatchObject({ name: 'NotText', line: 1 });
});

test('a file past the limit is refused without being read (R-PARSE-6)', async () => {
  await files.write('tasks.md', 'x'.repeat(101));
  const reading = specFiles(dir, { bytesMax: 100 }).read('tasks.md');
  await expect(reading).rejects.toBeInstanceOf(TooLarge);
  await expect(reading).rejects.toThrow('has 101 bytes; at most 100 are read.');
  expect(await specFiles(dir, { bytesMax: 101 }).read('tasks.md')).toHaveLength(101);
});

test('a link is not followed, neither to read nor to write (R-SEC-1)', async () => {
  writeFileSync(join(dir, 'secret'), 'key');
  symlinkSync('secret', join(dir, '.ralph-state.json'));
  await expect(files.read('.ralph-state.json')).rejects.toMatchObject({ name: 'StorageFault', kind: 'not-writable' });
  await expect(files.write('.ralph-state.json', '{}')).rejects.toBeInstanceOf(StorageFault);
});

test('a pipe in the place of a file is refused and not waited for', async () => {
  execFileSync('mkfifo', [join(dir, 'tasks.md')]);
  await expect(files.read('tasks.md')).rejects.toThrow('it is not a regular file');
  await expect(files.write('tasks.md', 'x')).rejects.toThrow('it is not a regular file');
});

test.each(['../tasks.md', 'a/b', '', '.', '..', 'a\\b', 'a\0b'])(
  'a name that is a path is a mistake of the caller: %j',
  async (name) => {
    await expect(files.read(name)).rejects.toThrow("is not the name of a file in a spec's folder");
  },
);
