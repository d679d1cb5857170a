import { mkdirSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../../ports/clock.ts';
import type { RecordedRun, RunArchive, RunFolder } from '../../ports/store.ts';
import { writeAtomically } from './atomic-write.ts';
import { codeOf, disk, syncFolder } from './disk.ts';
import { openJournal, readJournal } from './journal.ts';
import { makePrivateFolder, PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE, segmentOf } from './private-folder.ts';
import { readText } from './read-text.ts';
import { isRunId, nextRunId } from './run-id.ts';
import { storageFault } from './storage-fault.ts';

export interface ArchiveOrder {
  /** The private folder of the spec. */
  readonly dir: string;
  /** Name of the spec, as in the envelopes. */
  readonly spec: string;
  readonly clock: Clock;
  /** A number in [0, 1), another one at each call. */
  readonly chance: () => number;
}

/** The runs of one spec. Making one presumes the spec's lock; reading does not. */
export function runArchive({ dir, spec, clock, chance }: ArchiveOrder): RunArchive {
  const runs = join(dir, 'runs');
  const pathOf = (id: string) => join(runs, checked(id));
  const journalOf = (id: string) => join(pathOf(id), 'journal.jsonl');
  const read = async (id: string): Promise<RecordedRun> => ({ id, ...(await readJournal(journalOf(id))) });
  const list = () => runIds(runs);
  return {
    list,
    read,
    async latest() {
      for (const id of (await list()).toReversed()) {
        const run = await read(id);
        if (run.envelopes.length > 0) return run;
      }
      return undefined;
    },
    async create() {
      makePrivateFolder(runs);
      const id = nextRunId(clock.now(), chance(), (await list()).at(-1));
      makeRunFolder(pathOf(id));
      return id;
    },
    folder: (id) => runFolder(pathOf(id)),
    journal: (id, lastSeq) => openJournal({ file: journalOf(id), spec, run: id, clock, lastSeq }),
  };
}

const RECORD_BYTES_MAX = 64 * 1024 * 1024;

/** The folder of one run, whose path is absolute. Each part of a name, as a task's id, may be any text. */
export function runFolder(dir: string): RunFolder {
  const made = new Set<string>();
  const pathOf = (name: string): string => join(dir, ...name.split('/').map(segmentOf));
  const place = (name: string): string => {
    const path = pathOf(name);
    const folder = dirname(path);
    if (!made.has(folder)) makePrivateFolder(folder, 'crash');
    made.add(folder);
    return path;
  };
  return {
    logPath: place,
    async writeRecord(name, text) {
      // A record can be made again from the journal: it need not survive a power cut.
      writeAtomically(place(name), text, { mode: PRIVATE_FILE_MODE, survives: 'crash' });
    },
    readRecord: async (name) => readText(pathOf(name), RECORD_BYTES_MAX),
    async removeRecord(name) {
      const path = pathOf(name);
      try {
        disk.unlink(path);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') throw storageFault(error, 'write', path);
      }
    },
  };
}

async function runIds(runs: string): Promise<readonly string[]> {
  try {
    return (await readdir(runs)).filter(isRunId).sort();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw storageFault(error, 'read', runs);
  }
}

/** A run never moves into the folder of another one. */
function makeRunFolder(path: string): void {
  try {
    mkdirSync(path, { mode: PRIVATE_FOLDER_MODE });
    syncFolder(dirname(path), disk);
  } catch (error) {
    throw storageFault(error, 'write', path);
  }
}

function checked(id: string): string {
  if (!isRunId(id)) throw new Error(`"${id}" is not the id of a run.`);
  return id;
}
