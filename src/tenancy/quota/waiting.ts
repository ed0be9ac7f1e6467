/**
 * Members of a pool that got less than they should have, in the order in which they came, with what something in them was
 * refused. The sum is kept, so that nobody has to look at all.
 */
export class Waiting {
  readonly #wanted = new Map<string, bigint>();
  #sum = 0n;

  set(namespace: string, wanted: bigint): void {
    this.#sum += wanted - (this.#wanted.get(namespace) ?? 0n);
    this.#wanted.set(namespace, wanted);
  }

  delete(namespace: string): void {
    this.#sum -= this.#wanted.get(namespace) ?? 0n;
    this.#wanted.delete(namespace);
  }

  /** What all but this one were refused, together. */
  wantedByOthers(namespace: string): bigint {
    return this.#sum - (this.#wanted.get(namespace) ?? 0n);
  }

  /** Who came first, up to so many. */
  *first(count: number): Generator<string> {
    let given = 0;
    for (const namespace of this.#wanted.keys()) {
      if (given >= count) return;
      given += 1;
      yield namespace;
    }
  }
}
