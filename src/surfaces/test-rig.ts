import { Writable } from 'node:stream';

/** A stream that keeps what is written to it. */
export class Paper extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

/** A stream whose reader takes nothing until `go` is called. */
export class SlowPaper extends Writable {
  text = '';
  #waiting: (() => void)[] = [];
  #isOpen = false;

  constructor() {
    super({ highWaterMark: 1 });
  }

  go(): void {
    this.#isOpen = true;
    for (const done of this.#waiting.splice(0)) done();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString('utf8');
    if (this.#isOpen) done();
    else this.#waiting.push(done);
  }
}

/** A stream whose every write fails. */
export function broken(code: string): Writable {
  return new Writable({
    write(_chunk, _encoding, done) {
      done(Object.assign(new Error(`write ${code}`), { code }));
    },
  });
}
