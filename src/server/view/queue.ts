/**
 * Values from callbacks as an async iterable, for one reader.
 */

/** Thrown at the reader when it is too slow. */
export class QueueOverflow extends Error {
  constructor(limit: number) {
    super(`more than ${limit} values wait for their reader`);
    this.name = "QueueOverflow";
  }
}

export class EventQueue<T> implements AsyncIterable<T> {
  readonly #limit: number;
  #values: T[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  /** @param limit waiting values above which the queue ends with an error */
  constructor(limit: number) {
    this.#limit = limit;
  }

  push(value: T): void {
    if (this.#end !== undefined) return;
    if (this.#values.length >= this.#limit) {
      this.#values = [];
      this.close(new QueueOverflow(this.#limit));
      return;
    }
    this.#values.push(value);
    this.#wake?.();
  }

  /** What waits is still read, then the reader's loop ends, or fails. Later calls change nothing. */
  close(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for (;;) {
      const values = this.#values;
      this.#values = [];
      yield* values;
      if (this.#values.length > 0) continue;
      if (this.#end !== undefined) {
        if ("error" in this.#end) throw this.#end.error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

/** Reads to the end, or to where the reader stops; calls `end` then. */
export async function* readUntilEnd<T>(queue: EventQueue<T>, end: () => void): AsyncGenerator<T, void, undefined> {
  try {
    yield* queue;
  } finally {
    end();
  }
}
