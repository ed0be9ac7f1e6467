/** Names that the Altinity operator derives, and how long ours may be for them. */
import { sha256hex } from "../../sdk/hash.ts";
import { checkName, nameForms } from "../../sdk/names.ts";
import type { Input, Spec } from "./spec.ts";

/** Names of the one cluster in each of the operator's two objects. They are part of the names of pods and volumes. */
export const serverCluster = "clickhouse";
export const keeperCluster = "cluster1";

const digits = (count: number): number => String(Math.max(count - 1, 0)).length;

/** Characters left for an object's name in the longest name that derives from it: the volume with a host's settings. */
function room(prefix: string, cluster: string, shards: number, replicas: number): number {
  // <prefix>-<object>-deploy-confd-<cluster>-<shard>-<replica>
  const around = `${prefix}--deploy-confd-${cluster}--`.length;
  return nameForms["DNS-1123 label"].limit - around - digits(shards) - digits(replicas);
}

/** Longest release name with at most ten shards and ten replicas. */
export const longestRelease = room("chi", serverCluster, 1, 1);

/** Refuses a name under which no server would start: the operator would report success and make no pod. */
export function checkNames({ release, spec }: Pick<Input, "release" | "spec">): void {
  const limit = room("chi", serverCluster, spec.shards, spec.replicas);
  checkName(release, "DNS-1035 label", "the name of the installation", "metadata.name", limit);
}

const hashLength = 6;

/**
 * The Keeper's object: `<release>-keeper`, or a shorter name with a hash of the release where the operator's volume names
 * would be too long.
 */
export function keeperName(release: string, { clickhouseKeeper }: Pick<Spec, "clickhouseKeeper">): string {
  const limit = room("chk", keeperCluster, 1, clickhouseKeeper.replicas);
  const name = `${release}-keeper`;
  if (name.length <= limit) return name;
  const tail = `-${sha256hex(release).slice(0, hashLength)}-keeper`;
  return `${release.slice(0, limit - tail.length).replace(/-+$/, "")}${tail}`;
}

/** Label `app` of the Keeper's pods: always the plain name, by which monitor and scrape find them. */
export const keeperLabel = (release: string): string => `${release}-keeper`;
