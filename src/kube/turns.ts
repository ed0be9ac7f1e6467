/**
 * Keys that wait, first come first served within a group. Between groups, the one with the least under way goes first;
 * those that are level take turns, and none has more under way than `limit`. Each key waits once.
 */
export interface Turns {
  readonly size: number;
  add(key: string): void;
  remove(key: string): void;
  /** Takes the next key, if any may be taken. `load` is how many keys of a group are under way. */
  next(load: (group: string) => number): string | undefined;
}

export function turns(groupOf: (key: string) => string, limit: number): Turns {
  // A Map keeps insertion order: the group that waited longest for its turn comes first.
  const groups = new Map<string, Set<string>>();
  let size = 0;

  const choose = (load: (group: string) => number): string | undefined => {
    let best: string | undefined;
    let least = limit;
    for (const group of groups.keys()) {
      const under = load(group);
      if (under < least) [best, least] = [group, under];
      if (under === 0) break;
    }
    return best;
  };

  return {
    get size() {
      return size;
    },
    add(key) {
      const group = groupOf(key);
      const keys = groups.get(group);
      if (keys?.has(key) === true) return;
      if (keys === undefined) groups.set(group, new Set([key]));
      else keys.add(key);
      size += 1;
    },
    remove(key) {
      const group = groupOf(key);
      const keys = groups.get(group);
      if (keys?.delete(key) !== true) return;
      size -= 1;
      if (keys.size === 0) groups.delete(group);
    },
    next(load) {
      const group = choose(load);
      const keys = group === undefined ? undefined : groups.get(group);
      if (group === undefined || keys === undefined) return undefined;
      const [key] = keys;
      if (key === undefined) return undefined;
      keys.delete(key);
      size -= 1;
      // To the end of the line, if it has more.
      groups.delete(group);
      if (keys.size > 0) groups.set(group, keys);
      return key;
    },
  };
}
