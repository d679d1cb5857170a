/** The one queue through which everything enters a run. */
export class Inbox<T> {
  readonly #items: T[] = [];
  #fault: { readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;

  put(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Makes the next `takeAll` throw: an effect failed in a way that no event tells. */
  fail(error: unknown): void {
    this.#fault ??= { error };
    this.#wake?.();
  }

  /** Everything that has arrived, in its order; at least one item, which is waited for. */
  async takeAll(): Promise<readonly T[]> {
    while (this.#items.length === 0 && this.#fault === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#fault) throw this.#fault.error;
    return this.#items.splice(0);
  }
}
