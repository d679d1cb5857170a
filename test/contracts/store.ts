import { describe, expect, test } from 'vitest';
import type { RunEvent } from '../../src/core/run/data/event.ts';
import type { RunArchive, SpecFiles } from '../../src/ports/store.ts';

/** Files and runs of one spec, with nothing in them. */
export interface StoreWorld {
  readonly files: SpecFiles;
  readonly archive: RunArchive;
}

const waited: RunEvent = { type: 'waited', task: '1.1', attempt: 1 };
const stopped: RunEvent = { type: 'stop-requested', signal: 'SIGINT' };

/** What the coordinator relies on, wherever files and journals are kept (R-FILE-5, R-FILE-7). */
export function storeContract(kind: string, make: () => StoreWorld): void {
  describe(`${kind} as store`, () => {
    filesContract(make);
    runsContract(make);
    journalContract(make);
  });
}

function filesContract(make: () => StoreWorld): void {
  test('a file is read as it was written, to the byte; one that is gone is undefined (R-FILE-5)', async () => {
    const { files } = make();
    expect(await files.read('tasks.md')).toBeUndefined();
    await files.write('tasks.md', '\uFEFF- [ ] 1.1 ünï\r\n');
    await files.write('tasks.md', '\uFEFF- [x] 1.1 ünï\r\n');
    expect(await files.read('tasks.md')).toBe('\uFEFF- [x] 1.1 ünï\r\n');
    await files.remove('tasks.md');
    await files.remove('tasks.md');
    expect(await files.read('tasks.md')).toBeUndefined();
  });

  test.each(['', '..', 'a/b'])('"%s" is not the name of a file', async (name) => {
    await expect(make().files.read(name)).rejects.toThrow('is not the name of a file');
  });
}

function runsContract(make: () => StoreWorld): void {
  test('runs are listed oldest first, and the latest is the newest that wrote a line (R-FILE-7)', async () => {
    const { archive } = make();
    expect(await archive.list()).toEqual([]);
    expect(await archive.latest()).toBeUndefined();
    const [first, second] = [await archive.create(), await archive.create()];
    const journal = await archive.journal(first, 0);
    await journal.append([waited]);
    journal.close();
    expect(await archive.list()).toEqual([first, second]);
    expect((await archive.latest())?.id).toBe(first);
    expect((await archive.read(second)).envelopes).toEqual([]);
  });
}

function journalContract(make: () => StoreWorld): void {
  test('what is appended is read back, numbered without a gap, also after it was opened again (R-FILE-7)', async () => {
    const { archive } = make();
    const id = await archive.create();
    const journal = await archive.journal(id, 0);
    const written = await journal.append([waited, stopped]);
    journal.close();
    const again = await archive.journal(id, 2);
    const more = await again.append([waited]);
    again.close();
    const { envelopes } = await archive.read(id);
    expect(envelopes).toEqual([...written, ...more]);
    expect(envelopes.map(({ v, seq, spec, run, event }) => ({ v, seq, spec, run, type: event.type }))).toEqual([
      { v: 1, seq: 1, spec: 'demo', run: id, type: 'waited' },
      { v: 1, seq: 2, spec: 'demo', run: id, type: 'stop-requested' },
      { v: 1, seq: 3, spec: 'demo', run: id, type: 'waited' },
    ]);
  });

  test('a journal that has gone on since it was read is not written into (R-FILE-6)', async () => {
    const { archive } = make();
    const id = await archive.create();
    const journal = await archive.journal(id, 0);
    await journal.append([waited]);
    journal.close();
    await expect(archive.journal(id, 0)).rejects.toThrow();
  });
}
