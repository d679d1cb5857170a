import type { Envelope, RunEvent } from '../core/run/data/event.ts';
import { UserError } from '../core/user-error.ts';

/** Files of one spec in one working tree. Text keeps its byte order mark and line ends. */
export interface SpecFiles {
  /**
   * The file's text; `undefined` if there is none. A name is a plain file name, never a path.
   * Throws `NotText` for bytes that are not UTF-8, `TooLarge` past the size limit (R-PARSE-6), `StorageFault` else.
   */
  read(file: string): Promise<string | undefined>;
  /** Replaces the file in one step and keeps its mode (R-FILE-5). Throws `StorageFault`. */
  write(file: string, text: string): Promise<void>;
  /** Removes the file; one that is gone is no failure. Throws `StorageFault`. */
  remove(file: string): Promise<void>;
  /**
   * Puts the folder back in its place, should a link or a file have taken it, and tells what was put back since it was
   * asked last, one sentence each (R-SEC-1, R-VER-3). Throws `StorageFault`.
   */
  takeBack(): Promise<readonly string[]>;
}

/**
 * Trouble with the disk that is known to happen, told apart for the exit code (R-UX-4): `disk-full` can be resumed,
 * `not-writable` is a permission, a read-only file system or a symbolic link in the way, `io` is all else.
 * The message is a sentence for people: what failed, where, and what to do.
 */
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

/** A file whose bytes are not UTF-8; `line` is the first such line, counted from 1 (R-PARSE-6). */
export class NotText extends UserError {
  readonly path: string;
  readonly line: number;
  constructor(path: string, line: number) {
    super(`${path}:${line} is not UTF-8 text.`, 'Save the file as UTF-8, then run the command again.');
    this.name = 'NotText';
    this.path = path;
    this.line = line;
  }
}

/** A file that is larger than what is read into memory (R-PARSE-6). */
export class TooLarge extends UserError {
  readonly path: string;
  readonly bytes: number;
  constructor(path: string, { bytes, bytesMax }: { readonly bytes: number; readonly bytesMax: number }) {
    super(`${path} has ${bytes} bytes; at most ${bytesMax} are read.`, 'Remove what does not belong in it.');
    this.name = 'TooLarge';
    this.path = path;
    this.bytes = bytes;
  }
}

/** The journal of one run: append-only, one envelope a line (R-FILE-7). */
export interface Journal {
  /**
   * Writes the events down in one step, durably, and resolves with their envelopes. A crash may leave the first of them
   * without the rest, never the other way round. Throws `StorageFault`; then nothing of them
   * is in the journal, and the next append may be tried.
   */
  append(events: readonly RunEvent[]): Promise<readonly Envelope[]>;
}

/** What a journal holds, and what a crash tore off its end (R-FILE-7). */
export interface JournalContent {
  readonly envelopes: readonly Envelope[];
  /** The unfinished last line, which counts as never written; its text is cut for show. */
  readonly torn?: { readonly line: number; readonly text: string };
}

/** A journal that cannot be trusted: a line before the last is broken or missing. Nothing of it is guessed (R-FILE-7). */
export class JournalDamaged extends UserError {
  readonly path: string;
  readonly line: number;
  constructor(path: string, line: number, problem: string) {
    super(
      `${path}:${line} ${problem}.`,
      'Move the folder of this run away, then start a new run; committed tasks stay done.',
    );
    this.name = 'JournalDamaged';
    this.path = path;
    this.line = line;
  }
}

/** A journal with an event, or in a form, that this version does not know (R-FILE-7). */
export class JournalNewer extends UserError {
  constructor(path: string, line: number) {
    super(
      `${path}:${line} was written by a newer specloop.`,
      'Update specloop, or move the folder of this run away; committed tasks stay done.',
    );
    this.name = 'JournalNewer';
  }
}

/** What the run's folder keeps in addition to the journal, for people. */
export interface RunFolder {
  /** Absolute path of the log that one agent or command writes, in a folder that exists: `name` as `1.2/attempt-1.log`. */
  logPath(name: string): string;
  /** Replaces one readable record, `name` as `1.2/evidence.md`. Throws `StorageFault`. */
  writeRecord(name: string, text: string): Promise<void>;
  /** What the last `writeRecord` of this name wrote; `undefined` without one. Throws `StorageFault`. */
  readRecord(name: string): Promise<string | undefined>;
  /** Removes a record; one that is not there is no failure. Throws `StorageFault`. */
  removeRecord(name: string): Promise<void>;
}

/** One earlier or running run of a spec. */
export interface RecordedRun extends JournalContent {
  readonly id: string;
}

/** The runs of one spec, in the private folder of the repository, where neither commits nor `git clean` reach. */
export interface RunArchive {
  /** Ids of all runs, oldest first. */
  list(): Promise<readonly string[]>;
  /** What one run's journal holds; nothing if it never wrote a line. Throws `JournalDamaged`. */
  read(id: string): Promise<RecordedRun>;
  /** The newest run that wrote a line; `undefined` if there is none. Throws `JournalDamaged`. */
  latest(): Promise<RecordedRun | undefined>;
  /** Makes the folder of a run that is later than all others, and resolves with its id, as `20261127T231513Z-4f3a9c`. */
  create(): Promise<string>;
  /** The folder of one run. */
  folder(id: string): RunFolder;
  /** Opens the journal of one run for appending after `lastSeq`; cuts off what a crash tore. */
  journal(id: string, lastSeq: number): Promise<Journal & { close(): void }>;
}

/** Who holds a lock, for messages (R-FILE-6). It never decides by itself that a lock is free. */
export interface Owner {
  readonly pid: number;
  /** When the process began, in the unit of its system; tells a reused pid apart. Absent where the system does not tell. */
  readonly startTime?: string;
  /** The boot, and where pids are counted apart, their name space. Absent where the system does not tell. */
  readonly boot?: string;
  readonly host: string;
  /** ISO 8601, UTC. */
  readonly since: string;
}

/** A lock that is held until it is released or the process ends, however it ends. */
export interface HeldLock {
  /**
   * Whether this process still keeps all others out. A lock file that was removed or replaced is made and locked again;
   * false where another process was faster, or its folder is gone.
   */
  stillOurs(): boolean;
  /** Gives the lock back. Twice is no failure. */
  release(): void;
}

/** Whether someone holds a lock, and who. */
export type Holding =
  | { readonly held: false }
  /** `owner` is absent when the one who holds it left no readable record. */
  | {
      readonly held: true;
      readonly owner?: Owner;
      /** Where the system has no kernel locks: the file to remove once a person knows that the owner is gone. */
      readonly removable?: string;
    };

export type LockResult =
  | { readonly ok: true; readonly lock: HeldLock }
  | {
      readonly ok: false;
      readonly holder?: Owner;
      /** Where the system has no kernel locks: the file to remove once a person knows that the holder is gone. */
      readonly removable?: string;
    };
