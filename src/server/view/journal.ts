/**
 * The recent changes of a view, so that a watch continues where another connection, perhaps to another replica, ended.
 *
 * A view has several kinds behind it, each with a watch of its own. Versions are comparable across them, but a change of
 * one kind may arrive a little after a later one of another, and not in the same order everywhere. So a resumed watch is
 * told some changes again (`overlap`) rather than none too few: delivery is at least once, in an order that ends right.
 */
import { compareResourceVersions } from "../../kube/resource-version.ts";
import type { World } from "../../kube/world.ts";

export interface Entry<E> {
  readonly version: string;
  /** Milliseconds of the monotonic clock. */
  readonly at: number;
  readonly change: E;
}

export interface JournalOptions {
  readonly world: Pick<World, "monotonic">;
  /** Entries that are kept. Default 8,192. */
  readonly capacity?: number;
  /** How far apart the watches of two kinds may be. Milliseconds, default 5,000. */
  readonly overlap?: number;
}

const atLeast = (a: string, b: string): boolean => (compareResourceVersions(a, b) ?? 0) >= 0;

/** The newer of two versions. */
export const newest = (a: string, b: string): string => (atLeast(a, b) ? a : b);

export class Journal<E> {
  readonly #world: Pick<World, "monotonic">;
  readonly #capacity: number;
  readonly #overlap: number;
  #entries: Entry<E>[] = [];
  #floor: string | undefined;
  #version = "0";

  constructor({ world, capacity = 8192, overlap = 5000 }: JournalOptions) {
    this.#world = world;
    this.#capacity = capacity;
    this.#overlap = overlap;
  }

  /** Begins: the view's state is complete up to `version`, and nothing is known of what was before. */
  start(version: string): void {
    this.#entries = [];
    this.#floor = version;
    this.#version = version;
  }

  get started(): boolean {
    return this.#floor !== undefined;
  }

  /** The newest change, whichever kind it was of. Every replica comes to the same one. */
  get version(): string {
    return this.#version;
  }

  append(version: string, change: E): void {
    if (!this.started) return;
    this.#entries.push({ version, at: this.#world.monotonic(), change });
    this.#version = newest(version, this.#version);
    // Dropped by halves, since dropping one by one would move the whole list each time.
    if (this.#entries.length < this.#capacity * 2) return;
    for (const { version: gone } of this.#entries.splice(0, this.#entries.length - this.#capacity)) {
      this.#floor = newest(gone, this.#floor ?? "0");
    }
  }

  /**
   * The changes that somebody who knows everything up to `version` may not know, oldest first; undefined when some of them
   * are no longer here.
   */
  since(version: string): readonly Entry<E>[] | undefined {
    if (this.#floor === undefined || !atLeast(version, this.#floor)) return undefined;
    let known: Entry<E> | undefined;
    for (const entry of this.#entries) {
      if (atLeast(version, entry.version) && (known === undefined || atLeast(entry.version, known.version)))
        known = entry;
    }
    const from = known === undefined ? Number.NEGATIVE_INFINITY : known.at - this.#overlap;
    return this.#entries.filter((entry) => !atLeast(version, entry.version) || entry.at >= from);
  }
}
