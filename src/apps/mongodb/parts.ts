/** What a cluster consists of, by its specification. */
import { onlyShard } from "./rules.ts";
import type { Spec } from "./spec.ts";

/** The replica sets with data. */
export function shards(spec: Spec): Spec["shardingConfig"]["shards"] {
  return spec.sharding ? spec.shardingConfig.shards : [{ name: onlyShard, replicas: spec.replicas, size: spec.size }];
}

/** Names of the operator's StatefulSets without the release: `<release>-<name>`. */
export function sets(spec: Spec): readonly string[] {
  return [...shards(spec).map(({ name }) => name), ...(spec.sharding ? ["cfg", "mongos"] : [])];
}

/** Which Service clients speak to. */
export const entrance = (spec: Spec): string => (spec.sharding ? "mongos" : onlyShard);

/** Labels that the operator puts on pods and claims. */
export const clusterLabels = (release: string) => ({
  "app.kubernetes.io/name": "percona-server-mongodb",
  "app.kubernetes.io/instance": release,
});
