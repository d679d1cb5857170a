/** The one queue through which everything enters a run. */
export class Inbox<T> {
  readonly #items: T[] = [];
  #fault: { readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;

  put(item: T): void {
    this.#items.push(item);
    this.#wake?.();
  }

  /** Makes the next `take` throw: an effect failed in a way that no event tells. */
  fail(error: unknown): void {
    this.#fault ??= { error };
    this.#wake?.();
  }

  async take(): Promise<T> {
    while (this.#items.length === 0 && this.#fault === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#fault) throw this.#fault.error;
    return this.#items.shift() as T;
  }
}
