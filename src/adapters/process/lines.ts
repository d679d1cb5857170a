const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const FIRST_CAPACITY = 4096;

/**
 * Splits a stream into lines. Works on bytes, so a character that two chunks share stays whole, and keeps at most
 * `lineBytesMax` bytes of a line (R-DEL-6).
 */
export class LineSplitter {
  readonly #lineBytesMax: number;
  readonly #onLine: (line: string) => void;
  /** The beginning of a line whose end has not come yet. */
  #begun = Buffer.alloc(0);
  #length = 0;

  constructor(lineBytesMax: number, onLine: (line: string) => void) {
    this.#lineBytesMax = lineBytesMax;
    this.#onLine = onLine;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#complete(chunk.subarray(start, end));
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** Tells of a last line without a line break, if there is one. */
  end(): void {
    if (this.#length > 0) this.#complete(Buffer.alloc(0));
  }

  #complete(rest: Buffer): void {
    if (this.#length === 0) {
      this.#onLine(textOf(rest.subarray(0, this.#lineBytesMax)));
      return;
    }
    this.#keep(rest);
    const line = textOf(this.#begun.subarray(0, this.#length));
    this.#begun = Buffer.alloc(0);
    this.#length = 0;
    this.#onLine(line);
  }

  #keep(part: Buffer): void {
    const kept = part.subarray(0, this.#lineBytesMax - this.#length);
    const wanted = this.#length + kept.length;
    if (wanted > this.#begun.length) {
      const larger = Buffer.allocUnsafe(
        Math.min(this.#lineBytesMax, Math.max(wanted, this.#begun.length * 2, FIRST_CAPACITY)),
      );
      this.#begun.copy(larger, 0, 0, this.#length);
      this.#begun = larger;
    }
    kept.copy(this.#begun, this.#length);
    this.#length = wanted;
  }
}

function textOf(line: Buffer): string {
  const end = line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length;
  return line.toString('utf8', 0, end);
}
