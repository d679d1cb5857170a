import type { Printed } from '../../ports/process.ts';

const FIRST_CAPACITY = 4096;

/** The last bytes of a stream, in memory that never exceeds `bytesMax` (R-DEL-6). */
export class Tail {
  readonly #bytesMax: number;
  #ring = Buffer.alloc(0);
  #total = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  push(chunk: Buffer): void {
    this.#makeRoom(this.#total + chunk.length);
    const capacity = this.#ring.length;
    const kept = chunk.subarray(Math.max(0, chunk.length - capacity));
    const at = capacity === 0 ? 0 : (this.#total + chunk.length - kept.length) % capacity;
    const fits = Math.min(kept.length, capacity - at);
    kept.copy(this.#ring, at, 0, fits);
    kept.copy(this.#ring, 0, fits);
    this.#total += chunk.length;
  }

  /** Only grows while nothing was lost yet, so the bytes lie in order from 0. */
  #makeRoom(wanted: number): void {
    const capacity = this.#ring.length;
    if (wanted <= capacity || capacity === this.#bytesMax) return;
    const larger = Buffer.allocUnsafe(Math.min(this.#bytesMax, Math.max(wanted, capacity * 2, FIRST_CAPACITY)));
    this.#ring.copy(larger, 0, 0, this.#total);
    this.#ring = larger;
  }

  printed(): Printed {
    const truncated = this.#total > this.#ring.length;
    if (!truncated) return { text: this.#ring.toString('utf8', 0, this.#total), truncated, bytes: this.#total };
    const at = this.#ring.length === 0 ? 0 : this.#total % this.#ring.length;
    const inOrder = Buffer.concat([this.#ring.subarray(at), this.#ring.subarray(0, at)]);
    return { text: inOrder.toString('utf8', startOfCharacter(inOrder)), truncated, bytes: this.#total };
  }
}

const UTF8_CONTINUATIONS_MAX = 3;

/** Index of the first byte that does not belong to a character whose beginning was lost. */
function startOfCharacter(bytes: Buffer): number {
  let start = 0;
  while (start < UTF8_CONTINUATIONS_MAX && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return start;
}
