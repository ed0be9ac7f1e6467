/**
 * From the needs an application declares to requests, and from answers to the record its render receives.
 */
import type { Answers, Need, NeedRequest, Needs, Resolved } from "./needs.ts";

const isNeed = (value: Need<unknown> | Readonly<Record<string, Need<unknown>>>): value is Need<unknown> =>
  typeof value["read"] === "function";

/** All requests, nested ones included, in the order declared. */
export function requestsOf(needs: Needs): readonly NeedRequest[] {
  return Object.values(needs).flatMap((need) => {
    if (need === undefined) return [];
    return isNeed(need) ? [need.request] : Object.values(need).map((each) => each.request);
  });
}

/** The value of every need. */
export function resolveNeeds<N extends Needs>(needs: N | undefined, answers: Answers): Resolved<N>;
// The compiler cannot follow a mapped type through Object.entries: the overload states it.
export function resolveNeeds(needs: Needs | undefined, answers: Answers): object {
  const entries = Object.entries(needs ?? {}).map(([name, need]) => {
    if (need === undefined) return [name, undefined] as const;
    if (isNeed(need)) return [name, need.read(answers)] as const;
    const nested = Object.entries(need).map(([key, each]) => [key, each.read(answers)] as const);
    return [name, Object.fromEntries(nested)] as const;
  });
  return Object.fromEntries(entries);
}
