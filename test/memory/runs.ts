import type { Envelope } from '../../src/core/run/data/event.ts';
import type { Clock } from '../../src/ports/clock.ts';
import type { RecordedRun, RunArchive } from '../../src/ports/store.ts';

export interface MemoryRunsOptions {
  /** Awaited in the middle of a line: a test that never resolves it tears the line off there. */
  readonly between?: () => Promise<void>;
}

/** What one run keeps: its journal, each event as it is read back from its line, and its records. */
export interface MemoryRun {
  readonly envelopes: Envelope[];
  /** What a crash tore off the end of the journal. */
  torn: string;
  /** By name, as `1.2/evidence.md`. */
  readonly records: Map<string, string>;
}

/** Runs by their ids, oldest first; they outlive whoever wrote them. */
export type MemoryRunStore = Map<string, MemoryRun>;

/** A store of its own that begins with what this one holds. */
export function copyOfRuns(runs: MemoryRunStore): MemoryRunStore {
  return new Map(
    [...runs].map(([id, { envelopes, torn, records }]) => [
      id,
      { envelopes: [...envelopes], torn, records: new Map(records) },
    ]),
  );
}

/** The runs of one spec, in memory. */
export class MemoryRuns implements RunArchive {
  readonly #runs: MemoryRunStore;
  readonly #of: { readonly spec: string; readonly clock: Clock };
  readonly #between: () => Promise<void>;

  constructor(
    runs: MemoryRunStore,
    of: { readonly spec: string; readonly clock: Clock },
    { between = async () => {} }: MemoryRunsOptions = {},
  ) {
    this.#runs = runs;
    this.#of = of;
    this.#between = between;
  }

  async list(): Promise<readonly string[]> {
    return [...this.#runs.keys()];
  }

  async read(id: string): Promise<RecordedRun> {
    const { envelopes = [], torn = '' } = this.#runs.get(id) ?? {};
    const content = { id, envelopes: [...envelopes] };
    return torn === '' ? content : { ...content, torn: { line: envelopes.length + 1, text: torn } };
  }

  async latest(): Promise<RecordedRun | undefined> {
    for (const id of [...this.#runs.keys()].reverse()) {
      const run = await this.read(id);
      if (run.envelopes.length > 0) return run;
    }
    return undefined;
  }

  async create(): Promise<string> {
    const second = this.#of.clock.now().slice(0, 19).replace(/[-:]/g, '');
    const id = `${second}Z-${this.#runs.size.toString(16).padStart(6, '0')}`;
    this.#runs.set(id, { envelopes: [], torn: '', records: new Map() });
    return id;
  }

  folder(id: string): ReturnType<RunArchive['folder']> {
    const { records } = this.#run(id);
    return {
      logPath: (name) => `/runs/${id}/${name}`,
      writeRecord: async (name, text) => void records.set(name, text),
      readRecord: async (name) => records.get(name),
      removeRecord: async (name) => void records.delete(name),
    };
  }

  async journal(id: string, lastSeq: number): ReturnType<RunArchive['journal']> {
    const run = this.#run(id);
    const found = run.envelopes.length;
    if (found !== lastSeq)
      throw new Error(`The journal of ${id} ends with event ${found} and not with event ${lastSeq}.`);
    run.torn = '';
    return {
      append: async (events) => {
        const { spec, clock } = this.#of;
        const before = run.envelopes.length;
        try {
          for (const event of events) {
            const envelope: Envelope = { v: 1, seq: run.envelopes.length + 1, at: clock.now(), spec, run: id, event };
            const line = JSON.stringify(envelope);
            run.torn = line.slice(0, line.length / 2);
            await this.#between();
            run.torn = '';
            run.envelopes.push(JSON.parse(line) as Envelope);
          }
          return run.envelopes.slice(before);
        } catch (error) {
          run.torn = '';
          run.envelopes.length = before;
          throw error;
        }
      },
      close: () => {},
    };
  }

  #run(id: string): MemoryRun {
    const run = this.#runs.get(id);
    if (run === undefined) throw new Error(`There is no run ${id}.`);
    return run;
  }
}
