import { type ChildProcess, spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beganAt, begunSoFar, tableFromProc, tableFromPs } from './table.ts';
import { until } from './test-rig.ts';

const MARK = `TABLE_TEST=${process.pid}x${Date.now()}`;
let marked: ChildProcess;
let other: ChildProcess;

beforeAll(async () => {
  const [name = '', value = ''] = MARK.split('=');
  const start = (env: Record<string, string>) => spawn('sleep', ['300'], { env, detached: true, stdio: 'ignore' });
  marked = start({ A: 'b', [name]: value, LARGE: 'x'.repeat(100_000) });
  other = start({ [name]: `${value}y`, NOT: MARK });
  await until('both run', () => tableFromProc(MARK).filter(({ parent }) => parent === process.pid).length >= 2);
});
afterAll(() => {
  marked.kill('SIGKILL');
  other.kill('SIGKILL');
});

describe.each([
  ['/proc', tableFromProc],
  ['ps', tableFromPs],
])('the process table from %s', (_, table) => {
  test('shows which processes carry exactly the mark, and their place', () => {
    const entries = table(MARK).filter(({ pid }) => pid === marked.pid || pid === other.pid);
    const place = (pid = 0) => ({ pid, parent: process.pid, group: pid, session: pid });
    expect(entries).toHaveLength(2);
    expect(entries).toContainEqual(expect.objectContaining({ ...place(marked.pid), marked: true }));
    expect(entries).toContainEqual(expect.objectContaining({ ...place(other.pid), marked: false }));
  });

  test('tells when a process began in the same words each time', () => {
    const began = () => table(MARK).find(({ pid }) => pid === marked.pid)?.began;
    expect(began()).toMatch(/\d/);
    expect(began()).toBe(began());
  });

  test('holds no zombies', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0 & exec sleep 300'], { stdio: 'ignore' });
    const children = () => table(MARK).filter((entry) => entry.parent === parent.pid);
    const became = () => table(MARK).some(({ pid }) => pid === parent.pid);
    await until('the child is over', () => became() && children().length === 0);
    parent.kill('SIGKILL');
  });
});

test('what began before a given time is left out, what began at that time or later is not', () => {
  const since = beganAt(marked.pid ?? 0);
  const ids = tableFromProc(MARK, since).map(({ pid }) => pid);
  expect(ids).toEqual(expect.arrayContaining([marked.pid, other.pid]));
  expect(beganAt(1)).toBeLessThan(since ?? 0);
  expect(ids).not.toContain(1);
  expect(beganAt(2 ** 30)).toBeUndefined();
});

test('who begins is counted, whoever begins it', async () => {
  const before = begunSoFar() ?? 0;
  const parent = spawn('sh', ['-c', 'sleep 0; sleep 0'], { stdio: 'ignore' });
  await new Promise((resolve) => parent.once('exit', resolve));
  expect(begunSoFar() ?? 0).toBeGreaterThanOrEqual(before + 3);
});
