/**
 * The PostgreSQL that an application keeps for itself: a Cluster of CloudNativePG whose database and user are both `app`, with
 * its password in Secret `<name>-app`.
 */
import { Cluster } from "../contracts/postgresql-cnpg-io.ts";
import type { StorageClaim } from "./app.ts";
import type { AppContext } from "./context.ts";
import type { Rendered } from "./manifest.ts";
import { type Need, optional } from "./needs.ts";
import type { Resources } from "./resources.ts";
import { topologySpread } from "./scheduling.ts";

type Live = ReturnType<typeof Cluster>;

const repository = "ghcr.io/cloudnative-pg/postgresql";
const pinned = `${repository}:17.7-standard-trixie`;

/** The operator's Secret with user, password and uri. */
export const databaseSecret = (name: string): string => `${name}-app`;

/** The live Cluster, whose image is kept. */
export function databaseNeed(name: string): Need<Live | undefined> {
  return optional(Cluster, name);
}

/**
 * The image of a Cluster: the pinned one for a new one and for any of major version 17; of an older one the image it runs,
 * which a plain `major.minor` tag names without its flavour. A major version never changes by itself.
 */
export function databaseImage(live: Live | undefined): string {
  const image = live?.spec.imageName;
  if (image === undefined || image === "") return pinned;
  const tag = image.slice(image.lastIndexOf(":") + 1);
  if (/^17\./.test(tag)) return pinned;
  return /^\d+\.\d+$/.test(tag) ? `${image}-standard-trixie` : image;
}

const usual: Resources = {
  limits: { cpu: "1", memory: "2048Mi" },
  requests: { cpu: "100m", memory: "512Mi" },
};

export interface ServiceDatabase {
  readonly instances: number;
  readonly size: string;
  /** Empty: the cluster's default. */
  readonly storageClass?: string;
  /** Makes the database at the beginning with these settings. Default: what the operator does by itself. */
  readonly initdb?: Readonly<Record<string, string>>;
  /** Default: up to one CPU and 2 GiB. */
  readonly resources?: Resources;
  /** Whether the platform's rules of spreading hold for it. */
  readonly spread?: boolean;
}

/** The Cluster `name`. `live` is the answer to {@link databaseNeed}. */
export function serviceDatabase(
  name: string,
  { instances, size, storageClass = "", initdb, spread = false, resources = usual }: ServiceDatabase,
  live: Live | undefined,
  context: AppContext,
): Rendered {
  const constraints = spread ? topologySpread(context, { matchLabels: { "cnpg.io/cluster": name } }) : undefined;
  return Cluster(name, {
    spec: {
      instances,
      imageName: databaseImage(live),
      storage: { size, ...(storageClass === "" ? {} : { storageClass }) },
      ...(initdb === undefined ? {} : { bootstrap: { initdb } }),
      ...(constraints === undefined ? {} : { topologySpreadConstraints: [...constraints] }),
      monitoring: { enablePodMonitor: true },
      resources,
      inheritedMetadata: { labels: { "policy.cozystack.io/allow-to-apiserver": "true" } },
    },
  });
}

/** Its volumes. */
export function databaseClaims(name: string): StorageClaim {
  return { group: "", kind: "PersistentVolumeClaim", labels: { "cnpg.io/cluster": name } };
}
