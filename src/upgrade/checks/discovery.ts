/**
 * Which version of a kind a cluster serves, asked once for each group.
 */
import { type Ask, kindsOfGroup } from "../../kube/discovery.ts";
import type { Kind } from "../../kube/object.ts";
import type { Resource } from "./source.ts";

/** The served kind of a resource; undefined when the API server says that it has none. Rejects where it gives no answer. */
export type Discovery = (resource: Resource) => Promise<Kind | undefined>;

export function discovery(ask: Ask): Discovery {
  const groups = new Map<string, Promise<ReadonlyMap<string, Kind>>>();
  return async ({ group, plural }) => {
    const known = groups.get(group) ?? kindsOfGroup(ask, group);
    groups.set(group, known);
    return (await known).get(plural);
  };
}
