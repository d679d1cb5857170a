import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Envelope, RunEvent } from '../../core/run/data/event.ts';
import type { Clock } from '../../ports/clock.ts';
import { JournalDamaged, StorageFault } from '../../ports/store.ts';
import { type Disk, disk } from './disk.ts';
import { type OpenJournal, openJournal, readJournal } from './journal.ts';

let dir: string;
let file: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'specloop-journal-'));
  file = join(dir, 'journal.jsonl');
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

const AT = '2026-11-27T23:15:13.000Z';
const clock: Clock = { now: () => AT, sleepUntil: async () => {}, sleepMs: async () => {} };
const RUN = '20261127T231513Z-4f3a9c';

const waited = (attempt: number): RunEvent => ({ type: 'waited', task: '1.1', attempt });
const envelope = (seq: number): Envelope => ({ v: 1, seq, at: AT, spec: 'demo', run: RUN, event: waited(seq) });
const line = (seq: number): string => `${JSON.stringify(envelope(seq))}\n`;
const open = (lastSeq: number, on: Disk = disk): Promise<OpenJournal> =>
  openJournal({ file, spec: 'demo', run: RUN, clock, lastSeq, disk: on });

test('events are written one envelope a line, several in one step, counted from 1 without a gap (R-FILE-7)', async () => {
  const journal = await open(0);
  expect(await journal.append([waited(1)])).toEqual([envelope(1)]);
  expect(await journal.append([waited(2), waited(3)])).toEqual([envelope(2), envelope(3)]);
  journal.close();
  expect(readFileSync(file, 'utf8')).toBe(line(1) + line(2) + line(3));
  expect(await readJournal(file)).toEqual({ envelopes: [envelope(1), envelope(2), envelope(3)] });
});

test('an opened journal goes on where the last one ended (R-FILE-7)', async () => {
  writeFileSync(file, line(1) + line(2));
  const journal = await open(2);
  await journal.append([waited(3)]);
  journal.close();
  expect(readFileSync(file, 'utf8')).toBe(line(1) + line(2) + line(3));
});

test('the journal is for the user alone (R-SEC-2)', async () => {
  (await open(0)).close();
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a journal that is not there holds nothing', async () => {
  expect(await readJournal(file)).toEqual({ envelopes: [] });
});

test('wherever a crash tears the last line, it is dropped, reported, and cut away before the next (R-FILE-7)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: line(3).length - 1 }), async (length) => {
      const torn = line(3).slice(0, length);
      writeFileSync(file, line(1) + line(2) + torn);
      expect(await readJournal(file)).toEqual({
        envelopes: [envelope(1), envelope(2)],
        torn: { line: 3, text: torn.slice(0, 200) },
      });
      const journal = await open(2);
      await journal.append([waited(3)]);
      journal.close();
      expect(readFileSync(file, 'utf8')).toBe(line(1) + line(2) + line(3));
    }),
    { numRuns: 50 },
  );
});

test.each([
  ['zeros', '\0\0\0\0\0\0'],
  ['zeros and a line end', '\0\0\0\0\0\0\n'],
  ['the end of a line', '"attempt":3}}\n'],
])('a last line that a power cut turned into %s is dropped and told of (R-FILE-7)', async (_what, torn) => {
  writeFileSync(file, line(1) + torn);
  const { envelopes, torn: told } = await readJournal(file);
  expect(envelopes).toEqual([envelope(1)]);
  expect(told?.line).toBe(2);
  const journal = await open(1);
  await journal.append([waited(2)]);
  journal.close();
  expect(readFileSync(file, 'utf8')).toBe(line(1) + line(2));
});

test.each([
  ['a version', { ...envelope(2), v: 2 }],
  ['an event', { ...envelope(2), event: { type: 'worker-joined' } }],
  ['an effect', { ...envelope(2), event: { type: 'effect-started', effect: { do: 'send-to-worker' } } }],
])(
  '%s that this version does not know was written by a newer one, and nothing is done (R-FILE-7)',
  async (_, newer) => {
    const text = `${line(1)}${JSON.stringify(newer)}\n`;
    writeFileSync(file, text);
    const told = 'journal.jsonl:2 was written by a newer specloop.';
    await expect(readJournal(file)).rejects.toMatchObject({
      name: 'JournalNewer',
      message: expect.stringContaining(told),
    });
    await expect(open(2)).rejects.toThrow(told);
    expect(readFileSync(file, 'utf8')).toBe(text);
  },
);

test.each([
  ['a torn line', line(1).slice(0, 40), 'journal.jsonl:2 is not an event of a run.'],
  ['an empty line', '', 'journal.jsonl:2 is not an event of a run.'],
  ['JSON that is no envelope', '{"v":1,"seq":2}', 'journal.jsonl:2 is not an event of a run.'],
  ['a line that is missing', line(3).trimEnd(), 'journal.jsonl:2 is event 3 and not event 2.'],
  ['a line that is doubled', line(1).trimEnd(), 'journal.jsonl:2 is event 1 and not event 2.'],
])(
  '%s before the last line makes the journal unusable, and says so with the line (R-FILE-7)',
  async (_what, broken, told) => {
    writeFileSync(file, `${line(1)}${broken}\n${line(3)}`);
    await expect(readJournal(file)).rejects.toBeInstanceOf(JournalDamaged);
    await expect(readJournal(file)).rejects.toThrow(told);
    await expect(open(3)).rejects.toMatchObject({ hint: expect.stringContaining('Move the folder of this run away') });
  },
);

test('a journal that has gone on since it was read is not written to (R-FILE-6)', async () => {
  writeFileSync(file, line(1) + line(2));
  await expect(open(1)).rejects.toThrow('ends with event 2 instead of event 1: another process is writing to it');
});

test('a link in the place of the journal is refused (R-SEC-1)', async () => {
  writeFileSync(join(dir, 'elsewhere'), line(1));
  symlinkSync('elsewhere', file);
  await expect(open(1)).rejects.toMatchObject({ name: 'StorageFault', kind: 'not-writable' });
});

/** A disk on which one call fails while `isFull` holds; a write then still brings part of the line to disk. */
function faulty(call: 'write' | 'sync' | 'size', code: string): { readonly disk: Disk; isFull: boolean } {
  const fail = () => {
    throw Object.assign(new Error(`${code}: injected`), { code });
  };
  const state = { isFull: false, disk };
  state.disk = {
    ...disk,
    write(fd, bytes, offset) {
      if (!state.isFull || call !== 'write') return disk.write(fd, bytes, offset);
      return offset === 0 ? disk.write(fd, bytes.subarray(0, 20), 0) : fail();
    },
    sync: (fd, what) => (state.isFull && call === 'sync' && what === 'content' ? fail() : disk.sync(fd, what)),
    size: (fd) => (state.isFull && call === 'size' ? fail() : disk.size(fd)),
  };
  return state;
}

test.each([
  ['write', 'ENOSPC', 'disk-full'],
  ['sync', 'EIO', 'io'],
  ['size', 'EIO', 'io'],
] as const)(
  'after a %s that fails nothing of the event is left, and the next append goes well (R-FILE-7)',
  async (call, code, kind) => {
    const trouble = faulty(call, code);
    const journal = await open(0, trouble.disk);
    await journal.append([waited(1)]);
    trouble.isFull = true;
    const failed = journal.append([waited(2), waited(3)]);
    await expect(failed).rejects.toBeInstanceOf(StorageFault);
    await expect(failed).rejects.toMatchObject({ kind });
    expect(readFileSync(file, 'utf8')).toBe(line(1));
    trouble.isFull = false;
    expect(await journal.append([waited(2)])).toEqual([envelope(2)]);
    journal.close();
    expect(await readJournal(file)).toEqual({ envelopes: [envelope(1), envelope(2)] });
  },
);

test('a line that another process put between is noticed, and ours is taken back (R-FILE-6)', async () => {
  const journal = await open(0);
  await journal.append([waited(1)]);
  const intruding: Disk = {
    ...disk,
    write(fd, bytes, offset) {
      writeFileSync(file, 'intruder\n', { flag: 'a' });
      return disk.write(fd, bytes, offset);
    },
  };
  const other = await open(1, intruding);
  await expect(other.append([waited(2)])).rejects.toThrow('Another program changed the journal of this run');
  expect(readFileSync(file, 'utf8')).toBe(line(1));
  other.close();
  journal.close();
});
