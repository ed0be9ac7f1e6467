/**
 * What everything at and below a namespace uses, by key: one addition for each ancestor and event.
 */
import { type Amounts, noAmounts } from "./amounts.ts";

export class SubtreeUse {
  readonly #usage = new Map<string, Map<string, bigint>>();

  of(namespace: string, key: string): bigint {
    return this.#usage.get(namespace)?.get(key) ?? 0n;
  }

  /** A namespace used `before` and uses `after`; `lineage`: itself and its ancestors. */
  change(lineage: readonly string[], before: Amounts = noAmounts, after: Amounts = noAmounts): void {
    for (const key of new Set([...before.keys(), ...after.keys()])) {
      const more = (after.get(key) ?? 0n) - (before.get(key) ?? 0n);
      if (more === 0n) continue;
      for (const each of lineage) this.#add(each, key, more);
    }
  }

  #add(namespace: string, key: string, more: bigint): void {
    const usage = this.#usage.get(namespace) ?? new Map<string, bigint>();
    this.#usage.set(namespace, usage);
    const sum = (usage.get(key) ?? 0n) + more;
    if (sum === 0n) usage.delete(key);
    else usage.set(key, sum);
    if (usage.size === 0) this.#usage.delete(namespace);
  }
}
