/**
 * The order of resource versions. Since 1.35 Kubernetes promises that those of one kind are decimal numbers that grow;
 * they are longer than a JavaScript number is exact.
 */

const decimal = /^(?:0|[1-9][0-9]*)$/;

/**
 * Below 0 when `a` is older than `b`, 0 when they are the same, above 0 when it is newer; undefined when a server
 * behind the aggregation layer uses versions of another form.
 */
export function compareResourceVersions(a: string, b: string): number | undefined {
  if (a === b) return 0;
  if (!decimal.test(a) || !decimal.test(b)) return undefined;
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : 1;
}

/** Whether `a` is known to be older than `b`. */
export function isOlder(a: string | undefined, b: string | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  return (compareResourceVersions(a, b) ?? 0) < 0;
}
