/**
 * Templates of former machines. As long as machines or sets of them are made from one it stays, as it is: Cluster API reads it
 * whenever it makes or repairs a machine, also in the middle of a rollover.
 */

import { KubevirtMachineTemplate } from "../../contracts/infrastructure-cluster-x-k8s-io.ts";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { ClusterLive, PoolsLive } from "./live.ts";

type Template = ClusterLive["templates"][number];

const helmRelease = "meta.helm.sh/release-name";
const clonedFrom = "cluster.x-k8s.io/cloned-from-name";

export interface Owner {
  /** Of the application whose templates these are. */
  readonly kind: string;
  readonly name: string;
  readonly release: string;
  /** Cluster API name of the cluster. */
  readonly cluster: string;
}

/** Whether the application made it: as we mark it, or as Helm did before it was taken over. */
function isOurs(template: Template, owner: Owner): boolean {
  const { annotations = {}, labels = {}, ownerReferences = [] } = template.metadata;
  const release = annotations[helmRelease];
  const inCluster = ownerReferences.some(({ kind, name }) => kind === "Cluster" && name === owner.cluster);
  if (release !== undefined) return release === owner.release && inCluster;
  return (
    labels["apps.cozystack.io/application.kind"] === owner.kind &&
    labels["apps.cozystack.io/application.name"] === owner.name
  );
}

const templateOf = (object: unknown): unknown =>
  valueAt(object, "spec", "template", "spec", "infrastructureRef", "name");

/** Names of templates that something is made from, or is about to be. */
function inUse({ sets, machines, deployments }: ClusterLive & Pick<PoolsLive, "deployments">): ReadonlySet<unknown> {
  return new Set([
    ...[...sets, ...Object.values(deployments)].map(templateOf),
    ...machines.map(({ metadata }) => metadata.annotations?.[clonedFrom]),
  ]);
}

/** Former templates that are in use, but for those of the names in `current`. */
export function keptTemplates(
  owner: Owner,
  live: ClusterLive & Pick<PoolsLive, "deployments">,
  current: ReadonlySet<string>,
): readonly KubeObject[] {
  const used = inUse(live);
  return live.templates
    .filter((template) => used.has(template.metadata.name) && !current.has(template.metadata.name))
    .filter((template) => isOurs(template, owner))
    .map(({ metadata: { name, namespace }, spec }) =>
      KubevirtMachineTemplate(name, { ...(namespace === undefined ? {} : { namespace }), spec }),
    )
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}
