import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { HeldLock, LockResult, Owner } from '../../ports/store.ts';
import { type KernelLocks, kernelLocks } from './kernel-lock.ts';
import { acquireLock, readHolder } from './lock.ts';
import { type OwnerRecord, removeDeadRecord } from './owner-record.ts';
import { thisProcess } from './process-identity.ts';
import { type Built, build, type Contender, startContender } from './test-rig.ts';

let built: Built;
let dir: string;
let contenders: Contender[];

beforeAll(() => {
  built = build();
});
afterAll(() => {
  built.remove();
});
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'specloop-lock-'));
  contenders = [];
});
afterEach(async () => {
  for (const { signal } of contenders) signal('SIGKILL');
  await Promise.all(contenders.map(({ over }) => over));
  rmSync(dir, { recursive: true, force: true });
});

const since = '2026-11-27T12:00:00.000Z';
const me: Owner = { ...thisProcess(), since };
/** No system counts its processes this far. */
const DEAD = 999_999_999;

const noKernelLocks = {
  tryLock(): boolean {
    throw new Error('no kernel locks here');
  },
};

function contender(kind: 'kernel' | 'record' = 'kernel'): Contender {
  const started = startContender(built, dir, kind);
  contenders.push(started);
  return started;
}

async function repeated<T>(times: number, ask: () => Promise<T>): Promise<readonly T[]> {
  const answers: T[] = [];
  while (answers.length < times) answers.push(await ask());
  return answers;
}

function held(result: LockResult): HeldLock {
  if (!result.ok) throw new Error(`It is held by ${JSON.stringify(result.holder)}.`);
  return result.lock;
}

function leaveRecord(record: { readonly [key in keyof OwnerRecord]?: OwnerRecord[key] | undefined }): void {
  writeFileSync(join(dir, 'owner.json'), JSON.stringify({ ...me, lockedBy: 'kernel', ...record }));
}

/** What is told beside the owner where the record is the lock. */
function removable(kind: 'kernel' | 'record') {
  return kind === 'record' ? { removable: join(dir, 'owner.json') } : {};
}

describe.each([
  ['the kernel', 'kernel', undefined],
  ['the record, where there are no kernel locks,', 'record', noKernelLocks],
] as const)('a lock held by %s', (_what, kind, kernel) => {
  test('is refused to another process with who holds it, and free once released (R-FILE-6)', async () => {
    const other = contender(kind);
    expect(await other.ask('acquire')).toMatchObject({ ok: true });
    const refused = await acquireLock(dir, me, kernel);
    expect(refused).toMatchObject({ ok: false, holder: { pid: other.pid, host: hostname() } });
    await other.ask('release');
    held(await acquireLock(dir, me, kernel)).release();
  });

  test('is refused to the same process as well', async () => {
    const lock = held(await acquireLock(dir, me, kernel));
    expect(await acquireLock(dir, me, kernel)).toMatchObject({ ok: false, holder: me });
    lock.release();
  });

  test('is free at once when its holder was killed (R-FILE-6)', async () => {
    const other = contender(kind);
    await other.ask('acquire');
    other.signal('SIGKILL');
    await other.over;
    const lock = held(await acquireLock(dir, me, kernel));
    expect(await readHolder(dir, kernel)).toEqual({ held: true, owner: me, ...removable(kind) });
    lock.release();
  });

  test('stays held while its holder is stopped, however long (R-FILE-6)', async () => {
    const other = contender(kind);
    await other.ask('acquire');
    other.signal('SIGSTOP');
    expect(await acquireLock(dir, me, kernel)).toMatchObject({ ok: false, holder: { pid: other.pid } });
    other.signal('SIGCONT');
    expect(await other.ask('still-ours')).toBe(true);
  });

  test('is never held by two of many that start at once (R-FILE-6)', async () => {
    const racers = Array.from({ length: 4 }, () => contender(kind));
    const rounds = Array.from({ length: 25 }, (_, round) => round);
    const answers = await Promise.all(racers.flatMap(({ ask }) => rounds.map(() => ask(`race ${join(dir, 'alone')}`))));
    expect(answers).toContain('held'); // A racer that finds another one in the lock ends with an error.
  });

  test('is taken from a killed holder by one of many only (R-FILE-6)', async () => {
    const dead = contender(kind);
    await dead.ask('acquire');
    dead.signal('SIGKILL');
    await dead.over;
    const heirs = Array.from({ length: 4 }, () => contender(kind));
    await Promise.all(heirs.map(({ ask }) => ask('read')));
    const answers = (await Promise.all(heirs.map(({ ask }) => ask('acquire')))) as LockResult[];
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test('tells who holds it, and nobody once released', async () => {
    expect(await readHolder(dir, kernel)).toEqual({ held: false });
    const lock = held(await acquireLock(dir, me, kernel));
    expect(await readHolder(dir, kernel)).toEqual({ held: true, owner: me, ...removable(kind) });
    lock.release();
    lock.release();
    expect(await readHolder(dir, kernel)).toEqual({ held: false });
  });

  test('tells nobody when its holder was killed', async () => {
    const other = contender(kind);
    await other.ask('acquire');
    other.signal('SIGKILL');
    await other.over;
    expect(await readHolder(dir, kernel)).toEqual({ held: false });
  });

  test('is no longer ours once its file was replaced, and releasing it leaves the other one alone', async () => {
    const lock = held(await acquireLock(dir, me, kernel));
    expect(lock.stillOurs()).toBe(true);
    renameSync(dir, `${dir}-moved`);
    expect(lock.stillOurs()).toBe(false);
    mkdirSync(dir);
    const other = contender(kind);
    await other.ask('acquire');
    lock.release();
    expect(await readHolder(dir, kernel)).toMatchObject({ held: true, owner: { pid: other.pid } });
    rmSync(`${dir}-moved`, { recursive: true });
  });

  test('keeps others out after its file was removed, and is made again (R-FILE-6)', async () => {
    if (kind === 'record') return; // There the file is the record.
    const lock = held(await acquireLock(dir, me, kernel));
    rmSync(join(dir, 'lock'));
    const other = contender(kind);
    expect(await other.ask('acquire')).toMatchObject({ ok: false, holder: { pid: process.pid } });
    expect(await other.ask('read')).toMatchObject({ held: true, owner: { pid: process.pid } });
    expect(lock.stillOurs()).toBe(true);
    lock.release();
    expect(await other.ask('acquire')).toMatchObject({ ok: true });
  });

  test('is for the user alone (R-SEC-2)', async () => {
    const lock = held(await acquireLock(join(dir, 'deep'), me, kernel));
    const modes = readdirSync(join(dir, 'deep')).map((name) => statSync(join(dir, 'deep', name)).mode & 0o777);
    expect(new Set(modes)).toEqual(new Set([0o600]));
    expect(statSync(join(dir, 'deep')).mode & 0o777).toBe(0o700);
    lock.release();
  });
});

test('looking at a lock all the time never keeps anybody from taking it', async () => {
  const [watcher, taker] = [contender(), contender()];
  await Promise.all([watcher.ask('read'), taker.ask('read')]);
  const watching = repeated(2000, () => watcher.ask('read'));
  const taken = await repeated(50, async () => ({
    taken: await taker.ask('acquire'),
    released: await taker.ask('release'),
  }));
  await watching;
  expect(taken).toEqual(Array(50).fill({ taken: { ok: true, lock: {} }, released: 'done' }));
});

describe('the record of an earlier holder', () => {
  test.each([
    ['of a process that is dead', { pid: DEAD }],
    ['of a pid that another process has now', { startTime: '1' }],
    ['of an earlier boot', { pid: DEAD, boot: 'earlier' }],
    ['of another host', { pid: DEAD, host: 'elsewhere' }],
  ])('%s does not keep the lock where the kernel says that it is free (R-FILE-6)', async (_whose, record) => {
    leaveRecord(record);
    expect(await readHolder(dir)).toEqual({ held: false });
    held(await acquireLock(dir, me)).release();
  });

  test('that is broken does not keep the lock where the kernel says that it is free', async () => {
    writeFileSync(join(dir, 'owner.json'), '{"pid": 1');
    expect(await readHolder(dir)).toEqual({ held: false });
    held(await acquireLock(dir, me)).release();
  });

  test('of this host before it was started again does not keep the lock where there are no kernel locks (R-FILE-6)', async () => {
    leaveRecord({ pid: process.pid, boot: 'earlier/pid:[1]', lockedBy: 'record' });
    expect(await readHolder(dir, noKernelLocks)).toEqual({ held: false });
    held(await acquireLock(dir, me, noKernelLocks)).release();
  });

  test.each([
    ['of another pid name space of this boot', { pid: DEAD, boot: `${me.boot?.split('/')[0]}/pid:[1]` }],
    ['of an unknown boot', { pid: DEAD, boot: undefined }],
    ['of another host', { pid: DEAD, host: 'elsewhere' }],
    ['of a living process', {}],
  ])('%s keeps the lock where there are no kernel locks, however old it is (R-FILE-6)', async (_whose, record) => {
    leaveRecord({ since: '1999-01-01T00:00:00.000Z', ...record, lockedBy: 'record' });
    expect(await acquireLock(dir, me, noKernelLocks)).toMatchObject({
      ok: false,
      holder: { since: '1999-01-01T00:00:00.000Z' },
      removable: join(dir, 'owner.json'),
    });
    expect(await acquireLock(dir, me)).toMatchObject({ ok: false });
    expect(await readHolder(dir, noKernelLocks)).toMatchObject({ held: true });
  });

  test('that is half written keeps the lock where there are no kernel locks', async () => {
    writeFileSync(join(dir, 'owner.json'), '{"pid": 1');
    const refused = await acquireLock(dir, me, noKernelLocks);
    expect(refused).toEqual({ ok: false, removable: join(dir, 'owner.json') });
    expect(await readHolder(dir, noKernelLocks)).toEqual({ held: true, removable: join(dir, 'owner.json') });
  });

  test('of a process that is dead is left alone while another one takes it over', async () => {
    leaveRecord({ pid: DEAD, lockedBy: 'record' });
    writeFileSync(join(dir, 'takeover.json'), '');
    const refused = await acquireLock(dir, me, noKernelLocks);
    expect(refused).toEqual({ ok: false, removable: join(dir, 'takeover.json') });
  });
});

test('a holder that has not signed yet is not named, and still keeps the lock', async () => {
  const other = contender();
  await other.ask('acquire');
  leaveRecord({ pid: DEAD });
  expect(await acquireLock(dir, me)).toEqual({ ok: false });
  expect(await readHolder(dir)).toEqual({ held: true });
});

/** Kernel locks that first do something else, call by call, and then what they should. */
function kernelAfter(...first: readonly (() => boolean)[]): KernelLocks & { readonly calls: () => number } {
  let calls = 0;
  return {
    tryLock: (fd, kind) => first[calls++]?.() ?? kernelLocks.tryLock(fd, kind),
    calls: () => calls,
  };
}

test('a lock that somebody only looks at for a moment is tried again (R-FILE-6)', async () => {
  const busy = () => false;
  held(await acquireLock(dir, me, kernelAfter(busy, busy, busy))).release();
});

test('a lock that a living process has signed is refused without trying again', async () => {
  leaveRecord({});
  const kernel = kernelAfter(() => false);
  expect(await acquireLock(dir, me, kernel)).toEqual({ ok: false, holder: me });
  expect(kernel.calls()).toBe(1);
});

test('a lock file that was replaced before it was locked is not taken for the lock (R-FILE-6)', async () => {
  const replaced = () => {
    renameSync(join(dir, 'lock'), join(dir, 'earlier'));
    return true;
  };
  const lock = held(await acquireLock(dir, me, kernelAfter(replaced)));
  expect(lock.stillOurs()).toBe(true);
  lock.release();
});

test('the record of a dead holder is not removed when it is another one by now (R-FILE-6)', () => {
  const seen: OwnerRecord = { ...me, pid: DEAD, lockedBy: 'record' };
  leaveRecord({ lockedBy: 'record' });
  expect(removeDeadRecord(dir, seen, me)).toBe(join(dir, 'owner.json'));
  expect(readdirSync(dir)).toEqual(['owner.json']);
  leaveRecord(seen);
  expect(removeDeadRecord(dir, seen, me)).toBeUndefined();
  expect(readdirSync(dir)).toEqual([]);
});

test('a link in the place of the lock is refused, and its target left alone (R-SEC-1)', async () => {
  writeFileSync(join(dir, 'target'), 'precious');
  symlinkSync('target', join(dir, 'lock'));
  await expect(acquireLock(dir, me)).rejects.toMatchObject({ name: 'StorageFault', kind: 'not-writable' });
  await expect(readHolder(dir)).rejects.toMatchObject({ name: 'StorageFault' });
  expect(readFileSync(join(dir, 'target'), 'utf8')).toBe('precious');
});

test('a lock whose file and record were removed is lost to whoever comes next (R-FILE-6)', async () => {
  const lock = held(await acquireLock(dir, me));
  for (const name of ['lock', 'owner.json']) rmSync(join(dir, name));
  expect(await contender().ask('acquire')).toMatchObject({ ok: true });
  expect(lock.stillOurs()).toBe(false);
});

test('a pipe in the place of the lock is reported, and waited for by no one (R-FILE-6)', async () => {
  execFileSync('mkfifo', [join(dir, 'lock')]);
  const fault = { name: 'StorageFault', message: expect.stringMatching(/not a regular file\. Move it away/) };
  await expect(readHolder(dir)).rejects.toMatchObject(fault);
  await expect(acquireLock(dir, me)).rejects.toMatchObject(fault);
});
