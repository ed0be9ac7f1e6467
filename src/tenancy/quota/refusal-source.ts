/**
 * Refusals that controllers of this process met themselves: they make no events of them.
 */
import type { Amounts } from "./amounts.ts";
import { refusalIn } from "./demands.ts";

export type RefusalListener = (namespace: string, amounts: Amounts) => void;

export interface RefusalSource {
  /** Tells what was refused from now on. Returns how to stop. */
  onRefusal(listener: RefusalListener): () => void;
}

export class Refusals implements RefusalSource {
  readonly #listeners = new Set<RefusalListener>();

  onRefusal(listener: RefusalListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Something could not be created in the namespace; `message` is the API server's. */
  tell(namespace: string, message: string): void {
    const amounts = refusalIn({ message });
    if (amounts === undefined) return;
    for (const listener of this.#listeners) listener(namespace, amounts);
  }
}
