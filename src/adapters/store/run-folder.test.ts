import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Clock } from '../../ports/clock.ts';
import type { RunArchive } from '../../ports/store.ts';
import { branchPrivateFolder, segmentOf, specPrivateFolder } from './private-folder.ts';
import { runArchive, runFolder } from './run-folder.ts';

let root: string;
let dir: string;
let archive: RunArchive;
let now: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'specloop-runs-'));
  dir = specPrivateFolder(join(root, '.git'), 'specs/demo');
  now = '2026-11-27T23:15:13.000Z';
  const clock: Clock = { now: () => now, sleepUntil: async () => {}, sleepMs: async () => {} };
  archive = runArchive({ dir, spec: 'demo', clock, chance: () => 0.25 });
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a spec without a run has none', async () => {
  expect(await archive.list()).toEqual([]);
  expect(await archive.latest()).toBeUndefined();
  expect(existsSync(join(root, '.git'))).toBe(false);
});

test('a run has its folder in the private folder of the spec, for the user alone (R-SEC-2)', async () => {
  expect(await archive.create()).toBe('20261127T231513Z-400000');
  const run = join(root, '.git', '.specloop', 'specs', 'specs%2Fdemo', 'runs', '20261127T231513Z-400000');
  expect(['..', '.', '../..'].map((above) => modeOf(join(run, above)))).toEqual(['700', '700', '700']);
});

test('the newest run that wrote a line is the latest, also of two within one second', async () => {
  const first = await archive.create();
  const second = await archive.create();
  const neverBegan = await archive.create();
  for (const id of [first, second]) {
    const journal = await archive.journal(id, 0);
    await journal.append([{ type: 'time-ran-out', limitMs: 1 }]);
    journal.close();
  }
  expect(await archive.list()).toEqual([first, second, neverBegan]);
  expect(await archive.latest()).toEqual({
    id: second,
    envelopes: [{ v: 1, seq: 1, at: now, spec: 'demo', run: second, event: { type: 'time-ran-out', limitMs: 1 } }],
  });
});

test('the latest run tells of a torn last line (R-FILE-7)', async () => {
  const id = await archive.create();
  const journal = await archive.journal(id, 0);
  await journal.append([{ type: 'time-ran-out', limitMs: 1 }]);
  journal.close();
  appendFileSync(join(dir, 'runs', id, 'journal.jsonl'), '{"v":1,"se');
  expect((await archive.latest())?.torn).toEqual({ line: 2, text: '{"v":1,"se' });
});

test('what is no run in the folder of the runs is no run', async () => {
  mkdirSync(join(dir, 'runs', 'notes'), { recursive: true });
  expect(await archive.list()).toEqual([]);
  await expect(archive.read('../../other')).rejects.toThrow('is not the id of a run');
});

test('logs and records have their folder, for the user alone (R-SEC-2)', async () => {
  const folder = runFolder(join(root, 'run'));
  const log = folder.logPath('1.2/attempt-1.log');
  expect(log).toBe(join(root, 'run', '1.2', 'attempt-1.log'));
  writeFileSync(log, 'what it printed');
  await folder.writeRecord('1.2/evidence.md', 'first');
  await folder.writeRecord('1.2/evidence.md', 'second');
  expect(readFileSync(join(root, 'run', '1.2', 'evidence.md'), 'utf8')).toBe('second');
  expect(await folder.readRecord('1.2/evidence.md')).toBe('second');
  expect(await folder.readRecord('1.3/evidence.md')).toBeUndefined();
  expect([dirname(log), join(root, 'run', '1.2', 'evidence.md')].map(modeOf)).toEqual(['700', '600']);
});

test('a record that was removed is gone, and one that is not there is no failure', async () => {
  const folder = runFolder(join(root, 'run'));
  await folder.writeRecord('1.2/check.json', '{}');
  await folder.removeRecord('1.2/check.json');
  await folder.removeRecord('1.2/check.json');
  expect(await folder.readRecord('1.2/check.json')).toBeUndefined();
});

test.each(['../../../evil', '/etc/passwd', '..', '', 'a//b', 'a/./b', '\0', 'ü/🎯', `${'9.'.repeat(200)}1/log`])(
  'a record of any name stays in the folder of its run: %j (R-SEC-1)',
  async (name) => {
    await runFolder(join(root, 'run')).writeRecord(name, 'x');
    const path = relative(join(root, 'run'), runFolder(join(root, 'run')).logPath(name));
    expect(path).toMatch(/^[A-Za-z0-9%~_-]/);
    expect(readFileSync(join(root, 'run', path), 'utf8')).toBe('x');
  },
);

test('unlike names have unlike files', () => {
  const long = 'x'.repeat(500);
  const names = [
    'specs/demo',
    'specs%2Fdemo',
    'specs/demo/',
    '',
    '.',
    '..',
    '%2E',
    '%~',
    'a.b',
    'a-b',
    long,
    `${long}y`,
  ];
  expect(new Set(names.map(segmentOf)).size).toBe(names.length);
  expect(branchPrivateFolder('/r/.git', 'feat/demo')).toBe('/r/.git/.specloop/branches/feat%2Fdemo');
});

test('a link in the place of a private folder is refused (R-SEC-1)', async () => {
  mkdirSync(join(root, 'elsewhere'));
  mkdirSync(join(root, 'run'));
  symlinkSync('../elsewhere', join(root, 'run', '1.2'));
  expect(() => runFolder(join(root, 'run')).logPath('1.2/attempt-1.log')).toThrow('it is a symbolic link');
});
