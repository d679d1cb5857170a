/** The one queue through which everything enters a run. */
export class Inbox<T> {
  readonly #items: T[] = [];
  #fault: { readonly error: unknown } | undefined;
  #isWoken = false;
  #wake: (() => void) | undefined;

  put(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Makes `takeAll` return also if nothing has arrived. */
  wake(): void {
    this.#isWoken = true;
    this.#wake?.();
  }

  /** Makes the next `takeAll` throw: an effect failed in a way that no event tells. */
  fail(error: unknown): void {
    this.#fault ??= { error };
    this.#wake?.();
  }

  get isEmpty(): boolean {
    return this.#items.length === 0 && this.#fault === undefined;
  }

  /** Everything that has arrived, in its order. Waits for one item, or to be woken. */
  async takeAll(): Promise<readonly T[]> {
    while (this.isEmpty && !this.#isWoken) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    this.#isWoken = false;
    if (this.#fault) throw this.#fault.error;
    return this.#items.splice(0);
  }
}
