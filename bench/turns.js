import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Lets two runs go on in turns, so that whatever else the machine does slows both alike. A run waits for its turn inside
 * its agent; a turn is the time between two such stops, a whole number of tasks.
 */
export class Turns {
  /** Lengths of the turns of each side, in milliseconds. */
  lengths = { ours: [], floor: [] };
  #waiting = {};
  #over = new Set();
  #begun = 0;
  #side;
  #server;

  /** Listens at this path; the first turn begins when both sides wait. */
  async listen(path) {
    this.#server = createServer((socket) => {
      socket.once('data', (side) => this.#arrived(side.toString().trim(), socket));
      socket.on('error', () => {});
    });
    this.#server.listen(path);
    await once(this.#server, 'listening');
  }

  /** This side ended; what came after its last stop does not count. */
  leave(side) {
    this.#over.add(side);
    if (this.#side === side) this.#side = undefined;
    this.#pass();
  }

  close() {
    this.#server.close();
  }

  #arrived(side, socket) {
    if (this.#side === side) {
      this.lengths[side].push(performance.now() - this.#begun);
      this.#side = undefined;
    }
    this.#waiting[side] = socket;
    this.#pass();
  }

  /** The side with fewer turns goes first; a side is only let go when the other one stands still. */
  #pass() {
    if (this.#side !== undefined) return;
    const sides = ['ours', 'floor'].filter((side) => !this.#over.has(side));
    if (sides.some((side) => this.#waiting[side] === undefined)) return;
    const [next] = sides.sort((a, b) => this.lengths[a].length - this.lengths[b].length);
    if (next === undefined) return;
    const socket = this.#waiting[next];
    delete this.#waiting[next];
    this.#side = next;
    this.#begun = performance.now();
    socket.end();
  }
}
