/**
 * Keys that wait for their time: a binary heap by due time. A key has one time, the earliest it was given.
 */
export interface Delays {
  readonly size: number;
  /** The earliest time, if any key waits. */
  readonly earliest: number | undefined;
  add(key: string, due: number): void;
  remove(key: string): void;
  /** Takes the keys whose time has come, in the order of their times. */
  take(now: number): readonly string[];
}

interface Entry {
  readonly key: string;
  readonly due: number;
}

export function delays(): Delays {
  const dueOf = new Map<string, number>();
  const heap: Entry[] = [];

  const at = (index: number): number => heap[index]?.due ?? Number.POSITIVE_INFINITY;
  const swap = (a: number, b: number): void => {
    const [x, y] = [heap[a], heap[b]];
    if (x === undefined || y === undefined) return;
    heap[a] = y;
    heap[b] = x;
  };
  const push = (entry: Entry): void => {
    heap.push(entry);
    for (let index = heap.length - 1; index > 0; ) {
      const parent = (index - 1) >> 1;
      if (at(parent) <= at(index)) return;
      swap(parent, index);
      index = parent;
    }
  };
  const pop = (): Entry | undefined => {
    swap(0, heap.length - 1);
    const entry = heap.pop();
    for (let index = 0; ; ) {
      const [left, right] = [2 * index + 1, 2 * index + 2];
      const child = at(right) < at(left) ? right : left;
      if (at(child) >= at(index)) return entry;
      swap(child, index);
      index = child;
    }
  };
  /** Removed and moved keys leave an entry behind: it is dropped when it comes up. */
  const dropStale = (): void => {
    for (let top = heap[0]; top !== undefined && dueOf.get(top.key) !== top.due; top = heap[0]) pop();
  };

  return {
    get size() {
      return dueOf.size;
    },
    get earliest() {
      dropStale();
      return heap[0]?.due;
    },
    add(key, due) {
      const known = dueOf.get(key);
      if (known !== undefined && known <= due) return;
      dueOf.set(key, due);
      push({ key, due });
    },
    remove(key) {
      dueOf.delete(key);
    },
    take(now) {
      const keys: string[] = [];
      for (dropStale(); at(0) <= now; dropStale()) {
        const entry = pop();
        if (entry === undefined) break;
        dueOf.delete(entry.key);
        keys.push(entry.key);
      }
      return keys;
    },
  };
}
