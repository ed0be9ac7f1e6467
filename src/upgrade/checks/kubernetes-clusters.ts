/**
 * Tenants' clusters: what their orders say, and the way into each.
 */
import { kubeconfigKey, kubeconfigSecret } from "../../apps/kubernetes/names.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import type { UnknownObject } from "../../kube/object.ts";
import { concurrently } from "../../reconcile/concurrently.ts";
import { applicationRef, applicationsOf, type Ordered } from "./applications.ts";
import { textIn } from "./fields.ts";
import { revertersOf } from "./gitops.ts";
import { type Answer, listOf, type Reader, unreadableOf } from "./source.ts";

export type NodeGroups =
  | { readonly are: "none" }
  | { readonly are: "groups"; readonly names: readonly string[] }
  /** Stored before anything checked it. */
  | { readonly are: "noMap" };

export interface ClusterOrder {
  readonly version: string | undefined;
  readonly storageClass: string;
  readonly nodeGroups: NodeGroups;
  /** Whether the order says how many machines may be unhealthy, for all groups. */
  readonly saysUnhealthy: boolean;
  /** Whether Flux runs in it by an add-on. */
  readonly flux: boolean;
  readonly imageFactory: string | undefined;
  /** Who would write the version again. */
  readonly reverters: readonly string[];
}

export type Cluster = Ordered<ClusterOrder>;

export const clusterKind = "Kubernetes";
export const clusterRef = (cluster: Pick<Cluster, "namespace" | "name">) => applicationRef(clusterKind, cluster);
export const clusterText = ({ namespace, name }: Pick<Cluster, "namespace" | "name">): string =>
  `cluster ${namespace}/${name}`;

function nodeGroupsOf(spec: unknown): NodeGroups {
  const groups = valueAt(spec, "nodeGroups");
  if (groups === undefined || groups === null) return { are: "none" };
  return isRecord(groups) ? { are: "groups", names: Object.keys(groups).sort() } : { are: "noMap" };
}

function saysUnhealthy(spec: unknown): boolean {
  if (valueAt(spec, "nodeHealthCheck", "maxUnhealthy") !== undefined) return true;
  const groups = valueAt(spec, "nodeGroups");
  const all = isRecord(groups) ? Object.values(groups) : [];
  return all.length > 0 && all.every((group) => valueAt(group, "maxUnhealthy") !== undefined);
}

function orderOf(spec: unknown, object: UnknownObject): ClusterOrder {
  return {
    version: textIn(spec, "version"),
    storageClass: textIn(spec, "storageClass") ?? "",
    nodeGroups: nodeGroupsOf(spec),
    saysUnhealthy: saysUnhealthy(spec),
    flux: valueAt(spec, "addons", "fluxcd", "enabled") === true,
    imageFactory: textIn(spec, "talos", "imageFactoryURL"),
    reverters: revertersOf(object, "spec", "version"),
  };
}

/** All tenants' clusters. */
export const clustersSource = applicationsOf({ kind: clusterKind, plural: "kuberneteses" }, orderOf, {
  managedFields: true,
});

/** Control planes that run, by namespace and name. */
export const controlPlanesSource = listOf(
  { group: "kamaji.clastix.io", plural: "tenantcontrolplanes" },
  ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
  { metadataOnly: true },
);

export const releaseOf = ({ name }: Pick<Cluster, "name">): string => `kubernetes-${name}`;

/** With the address from outside, and within this cluster. */
const keys = ["super-admin.conf", kubeconfigKey] as const;

/** Clusters at a time into which we look. */
const clustersAtATime = 8;

/** What was read in one cluster; undefined where it has no control plane yet. */
export interface Inside<T> {
  readonly cluster: Cluster;
  readonly answer: Answer<T> | undefined;
}

/**
 * Looks into each cluster by the kubeconfig that its control plane left: from outside first, then by its address in here. A cluster that
 * cannot be reached is unreadable, one whose control plane was never made is not looked into.
 */
export function insideEach<T>(
  reader: Reader,
  clusters: readonly Cluster[],
  running: ReadonlySet<string>,
  work: (reader: Reader) => Promise<Answer<T>>,
): Promise<readonly Inside<T>[]> {
  return concurrently(clusters, clustersAtATime, async (cluster) => ({
    cluster,
    answer: await inside(reader, cluster, running, work),
  }));
}

async function inside<T>(
  reader: Reader,
  cluster: Cluster,
  running: ReadonlySet<string>,
  work: (reader: Reader) => Promise<Answer<T>>,
): Promise<Answer<T> | undefined> {
  const release = releaseOf(cluster);
  const secret = await reader.get({ group: "", plural: "secrets" }, kubeconfigSecret(release), cluster.namespace);
  if (secret.is !== "read") return secret;
  const what = clusterText(cluster);
  if (secret.value === undefined) {
    if (!running.has(`${cluster.namespace}/${release}`)) return undefined;
    return unreadableOf(what, `its control plane runs, but there is no Secret ${kubeconfigSecret(release)}`);
  }
  let answer: Answer<T> = unreadableOf(what, `Secret ${kubeconfigSecret(release)} has neither ${keys.join(" nor ")}`);
  for (const key of keys) {
    const encoded = valueAt(secret.value, "data", key);
    if (typeof encoded !== "string" || encoded === "") continue;
    const entered = await reader.within(what, Buffer.from(encoded, "base64").toString("utf8"), work);
    answer = entered.is === "read" ? entered.value : entered;
    if (answer.is !== "unreadable") return answer;
  }
  return answer;
}

/** For answers of `insideEach` that are none. */
export const unreadClusters = <T>(all: readonly Inside<T>[]) =>
  all.flatMap(({ answer }) => (answer?.is === "unreadable" ? [{ what: answer.what, problem: answer.problem }] : []));
