/** Where two states of the same objects differ, each object as a text under its name. */
export function difference(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => `${key}\n  was ${before.get(key)}\n  is  ${after.get(key)}`);
}
