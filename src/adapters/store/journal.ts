import { isUtf8 } from 'node:buffer';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Envelope, RunEvent } from '../../core/run/data/event.ts';
import { isKnown, type Written } from '../../core/run/evolve.ts';
import type { Clock } from '../../ports/clock.ts';
import { type Journal, type JournalContent, JournalDamaged, JournalNewer, StorageFault } from '../../ports/store.ts';
import { codeOf, type Disk, disk, NO_FOLLOW, NO_WAIT, syncFolder, writeAll } from './disk.ts';
import { plainFile } from './plain-file.ts';
import { PRIVATE_FILE_MODE } from './private-folder.ts';
import { storageFault } from './storage-fault.ts';

const NEWLINE = 0x0a;
const TORN_TEXT_MAX = 200;

export interface JournalOrder {
  readonly file: string;
  readonly spec: string;
  readonly run: string;
  readonly clock: Clock;
  /** `seq` of the last envelope that the caller has read; 0 for a new journal. */
  readonly lastSeq: number;
  readonly disk?: Disk;
}

/** An open journal file; the caller that opened it closes it. */
export interface OpenJournal extends Journal {
  close(): void;
}

/**
 * What a journal holds; nothing if there is no such file. An unfinished last line is left out and told of (R-FILE-7).
 * Throws `JournalDamaged` for a line before the last that is broken or missing, `JournalNewer` for one that a newer version
 * wrote, `StorageFault` if it cannot be read.
 */
export async function readJournal(file: string): Promise<JournalContent> {
  const { envelopes, torn } = await examine(file);
  return torn === undefined ? { envelopes } : { envelopes, torn };
}

/**
 * Opens a journal for appending, made if it is not there; what a crash tore off its end is cut away first.
 * Throws as `readJournal` does, and an error if the journal has gone on since the caller read it.
 */
export async function openJournal(order: JournalOrder): Promise<OpenJournal> {
  const { file, lastSeq } = order;
  const { envelopes, goodBytes } = await examine(file);
  const last = envelopes.at(-1)?.seq ?? 0;
  if (last !== lastSeq)
    throw new Error(`${file} ends with event ${last} instead of event ${lastSeq}: another process is writing to it.`);
  return new AppendedFile(order, goodBytes);
}

class AppendedFile implements OpenJournal {
  readonly #order: JournalOrder;
  readonly #disk: Disk;
  readonly #fd: number;
  #seq: number;
  #goodBytes: number;

  constructor(order: JournalOrder, goodBytes: number) {
    this.#order = order;
    this.#disk = order.disk ?? disk;
    this.#seq = order.lastSeq;
    this.#goodBytes = goodBytes;
    const { O_RDWR, O_CREAT, O_APPEND } = constants;
    try {
      this.#fd = this.#disk.open(order.file, O_RDWR | O_CREAT | O_APPEND | NO_FOLLOW | NO_WAIT, PRIVATE_FILE_MODE);
      syncFolder(dirname(order.file), this.#disk);
    } catch (error) {
      throw storageFault(error, 'write', order.file);
    }
  }

  async append(events: readonly RunEvent[]): Promise<readonly Envelope[]> {
    const { spec, run, clock, file } = this.#order;
    const at = clock.now();
    const envelopes = events.map((event, n): Envelope => ({ v: 1, seq: this.#seq + 1 + n, at, spec, run, event }));
    const lines = Buffer.from(envelopes.map((envelope) => `${JSON.stringify(envelope)}\n`).join(''), 'utf8');
    try {
      this.#cutToGood();
      this.#write(lines);
    } catch (error) {
      throw storageFault(error, 'write', file);
    }
    this.#goodBytes += lines.byteLength;
    this.#seq += events.length;
    return envelopes;
  }

  close(): void {
    this.#disk.close(this.#fd);
  }

  #write(lines: Uint8Array): void {
    try {
      writeAll(this.#fd, lines, this.#disk);
      const size = this.#disk.size(this.#fd);
      if (size !== this.#goodBytes + lines.byteLength) throw changed(this.#order.file);
      this.#disk.sync(this.#fd, 'content');
    } catch (error) {
      this.#forgetHalf();
      throw error;
    }
  }

  /** A failed append must not be found by a reader. Should this fail as well, the next append or opener cuts it away. */
  #forgetHalf(): void {
    try {
      this.#cutToGood();
    } catch {
      // What failed first is what is told.
    }
  }

  #cutToGood(): void {
    if (this.#disk.size(this.#fd) > this.#goodBytes) {
      this.#disk.truncate(this.#fd, this.#goodBytes);
      this.#disk.sync(this.#fd, 'all');
    }
  }
}

function changed(file: string): StorageFault {
  return new StorageFault(
    'io',
    file,
    `Another program changed the journal of this run, ${file}. Move the folder of the run away to start a new run; committed tasks stay done.`,
  );
}

interface Examined extends JournalContent {
  /** Length of the part that counts. */
  readonly goodBytes: number;
}

async function examine(file: string): Promise<Examined> {
  const bytes = readOrNothing(file);
  const envelopes: Envelope[] = [];
  let start = 0;
  while (start < bytes.length) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    const line = bytes.subarray(start, end);
    const number = envelopes.length + 1;
    const envelope = newline === -1 ? undefined : envelopeIn(line);
    if (envelope === undefined) {
      if (end + 1 < bytes.length) throw new JournalDamaged(file, number, 'is not an event of a run');
      return {
        envelopes,
        goodBytes: start,
        torn: { line: number, text: line.toString('utf8').slice(0, TORN_TEXT_MAX) },
      };
    }
    if (envelope.seq !== number)
      throw new JournalDamaged(file, number, `is event ${envelope.seq} and not event ${number}`);
    if (!isOurs(envelope)) throw new JournalNewer(file, number);
    envelopes.push(envelope);
    start = end + 1;
  }
  return { envelopes, goodBytes: start };
}

function readOrNothing(file: string): Buffer {
  try {
    const fd = plainFile(openSync(file, constants.O_RDONLY | NO_WAIT), 'read', file);
    try {
      return readFileSync(fd);
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw storageFault(error, 'read', file);
  }
}

/** What one line holds; `undefined` if it is no envelope. */
function envelopeIn(line: Buffer): JournalLine | undefined {
  if (!isUtf8(line)) return undefined;
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return isLine(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

interface JournalLine extends Written {
  readonly seq: number;
}

function isLine(value: unknown): value is JournalLine {
  const found = value as { [key in keyof Envelope]?: unknown } | null;
  if (typeof found !== 'object' || found === null) return false;
  const event = found.event as { type?: unknown } | null | undefined;
  return (
    [found.v, found.seq].every(Number.isSafeInteger) &&
    [found.at, found.spec, found.run, event?.type].every((text) => typeof text === 'string')
  );
}

/** What the event holds is not looked at: this program wrote it. */
function isOurs(line: JournalLine): line is JournalLine & Envelope {
  return isKnown(line);
}
