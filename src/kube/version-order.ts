/**
 * The order of program versions: by number, part by part; a pre-release before its release.
 */

interface Version {
  readonly numbers: readonly number[];
  readonly pre: readonly string[];
}

function parse(version: string): Version {
  const [core = "", ...rest] = version.replace(/^v/, "").replace(/\+.*$/, "").split("-");
  const pre = rest.join("-");
  return {
    numbers: core.split(".").map((part) => Number.parseInt(part, 10) || 0),
    pre: pre === "" ? [] : pre.split("."),
  };
}

const numeric = /^[0-9]+$/;

function comparePart(a: string, b: string): number {
  if (numeric.test(a) && numeric.test(b)) return Number(a) - Number(b);
  if (numeric.test(a) !== numeric.test(b)) return numeric.test(a) ? -1 : 1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function comparePre(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length;
  for (let index = 0; index < Math.max(a.length, b.length); index += 1) {
    const [x, y] = [a[index], b[index]];
    if (x === undefined || y === undefined) return a.length - b.length;
    const order = comparePart(x, y);
    if (order !== 0) return order;
  }
  return 0;
}

/** Below 0 when `a` comes before `b`. As semantic versioning says; missing numbers count as 0, a leading `v` is ignored. */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [parse(a), parse(b)];
  for (let index = 0; index < Math.max(x.numbers.length, y.numbers.length); index += 1) {
    const order = (x.numbers[index] ?? 0) - (y.numbers[index] ?? 0);
    if (order !== 0) return order;
  }
  return comparePre(x.pre, y.pre);
}
