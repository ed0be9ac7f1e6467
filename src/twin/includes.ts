import { isRecord } from "../kube/json.ts";

/**
 * Whether a merge patch with `wanted` would leave `live` as it is: objects are compared by the keys of `wanted`, where null
 * means absent; lists and scalars as a whole.
 */
export function includes(live: unknown, wanted: unknown): boolean {
  if (wanted === null) return live === undefined || live === null;
  if (isRecord(wanted))
    return isRecord(live) && Object.entries(wanted).every(([key, value]) => includes(live[key], value));
  if (!Array.isArray(wanted)) return live === wanted;
  if (!Array.isArray(live) || live.length !== wanted.length) return false;
  return wanted.every((value, index) => includes(live[index], value));
}
