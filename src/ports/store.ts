import type { Envelope, RunEvent } from '../core/run/event.ts';

/** The files of a spec that the coordinator writes (R-FILE-3). */
export type SpecFile = 'tasks.md' | '.progress.md' | '.ralph-state.json';

/** Files of one spec in one working tree. Text keeps its byte order mark and line ends. */
export interface SpecFiles {
  /** The file's text; `undefined` if there is none. Throws `NotText` for bytes that are not UTF-8. */
  read(file: SpecFile | string): Promise<string | undefined>;
  /** Replaces the file in one step and keeps its mode (R-FILE-5). Throws `StorageFault`. */
  write(file: SpecFile | string, text: string): Promise<void>;
  /** Removes the file; one that is gone is no failure. */
  remove(file: SpecFile | string): Promise<void>;
}

/** A disk that is full or a folder that cannot be written: known to happen, and told apart (R-UX-4). */
export class StorageFault extends Error {
  readonly kind: 'disk-full' | 'not-writable' | 'io';
  readonly path: string;
  constructor(kind: StorageFault['kind'], path: string, message: string) {
    super(message);
    this.name = 'StorageFault';
    this.kind = kind;
    this.path = path;
  }
}

/** The journal of one run: append-only, one envelope a line (R-FILE-7). */
export interface Journal {
  /** Writes the event down, durably, and resolves with its envelope. Throws `StorageFault`. */
  append(event: RunEvent): Promise<Envelope>;
}

/** What the run's folder keeps beside the journal, for people. */
export interface RunFolder {
  /** Absolute path of the log that one agent or command writes: `name` as `1.2/attempt-1.log`. */
  logPath(name: string): string;
  /** Replaces one readable record, `name` as `1.2/evidence.md`. */
  writeRecord(name: string, text: string): Promise<void>;
}
