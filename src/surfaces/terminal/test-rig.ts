import { Writable } from 'node:stream';
import { cells } from './width.ts';

const TOKENS = /\x1b\](?<command>[^\x07\x1b]*)(?:\x07|\x1b\\)|\x1b\[(?<count>[0-9;?]*)(?<action>[A-Za-z])|[\s\S]/gu;

/** A terminal that understands as much as is written to it, and remembers what scrolled away. Throws for anything else. */
export class VirtualTerminal extends Writable {
  columns: number;
  readonly rows: number;
  /** What was written, one entry a write. */
  readonly writes: string[] = [];
  /** Operating system commands, as `9;4;1;50`. */
  readonly commands: string[] = [];
  readonly #lines: string[][] = [[]];
  #row = 0;
  #column = 0;

  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
  }

  /** Everything from the first line on, without blank ends. */
  get text(): string {
    return this.#lines
      .map((line) => line.join('').trimEnd())
      .join('\n')
      .trimEnd();
  }

  /** The line the cursor is on. */
  get cursorLine(): string {
    return this.#lines[this.#row]?.join('').trimEnd() ?? '';
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    const text = chunk.toString('utf8');
    this.writes.push(text);
    for (const { 0: token, groups } of text.matchAll(TOKENS)) {
      if (groups?.command !== undefined) this.commands.push(groups.command);
      else if (groups?.action !== undefined) this.#control(groups.action, groups.count ?? '');
      else this.#type(token);
    }
    done();
  }

  #control(action: string, count: string): void {
    const top = Math.max(0, this.#lines.length - this.rows);
    switch (action) {
      case 'm':
        return;
      case 'A':
        this.#row = Math.max(top, this.#row - Number(count));
        return;
      case 'B':
        this.#row = Math.min(this.#lines.length - 1, this.#row + Number(count));
        return;
      case 'K':
        this.#line().splice(this.#column);
        return;
      case 'J':
        this.#line().splice(this.#column);
        for (const below of this.#lines.slice(this.#row + 1)) below.length = 0;
        return;
      default:
        throw new Error(`Not understood: ESC [ ${count} ${action}`);
    }
  }

  #type(char: string): void {
    if (char === '\r') {
      this.#column = 0;
    } else if (char === '\n') {
      this.#down();
    } else {
      if (this.#column + cells(char) > this.columns) this.#down();
      const line = this.#line();
      while (line.length < this.#column) line.push(' ');
      line.splice(this.#column, cells(char), char, ...Array.from({ length: Math.max(0, cells(char) - 1) }, () => ''));
      this.#column += cells(char);
    }
  }

  #down(): void {
    this.#column = 0;
    this.#row++;
    if (this.#row === this.#lines.length) this.#lines.push([]);
  }

  #line(): string[] {
    const line = this.#lines[this.#row];
    if (line === undefined) throw new Error('The cursor left the screen.');
    return line;
  }
}
