/**
 * Members of a pool by how much they hold and do not use, so that the richest are found without looking at all.
 */

/** Where a member's headroom is kept. */
export interface Counted {
  /** Billionths. */
  room: bigint;
}

/** By powers of two: members of one class differ by less than a factor of two. */
export class Headrooms {
  readonly #classes = new Map<number, Set<string>>();

  set(member: string, counted: Counted, room: bigint): void {
    const [before, after] = [classOf(counted.room), classOf(room)];
    counted.room = room;
    if (before === after) return;
    if (before > 0) this.#classes.get(before)?.delete(member);
    if (after === 0) return;
    const members = this.#classes.get(after);
    if (members === undefined) this.#classes.set(after, new Set([member]));
    else members.add(member);
  }

  /** Members with headroom, the richest class first. */
  *richest(): Generator<string> {
    for (const size of [...this.#classes.keys()].sort((a, b) => b - a)) yield* this.#classes.get(size) ?? [];
  }
}

/** 0: no headroom. */
function classOf(room: bigint): number {
  return room <= 0n
    ? 0
    : room.toString(16).length * 4 - 3 + Math.floor(Math.log2(Number.parseInt(room.toString(16)[0] ?? "1", 16)));
}
