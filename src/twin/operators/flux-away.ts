/** Releases that Flux installs into tenants' clusters, where API servers answer for those. */

import type { HelmRelease } from "../../contracts/helm-toolkit-fluxcd-io.ts";
import { StorageClass } from "../../contracts/storage-k8s-io.ts";
import { type AnyKind, groupOf, type KubeObject } from "../../kube/object.ts";
import type { Chart } from "../charts/chart.ts";
import { kubevirtCsiNode } from "../charts/kubevirt-csi-node.ts";
import type { ClusterView, Scene } from "../player.ts";

type Release = ReturnType<typeof HelmRelease>;

/** By the name of the artifact with the chart. What another one makes there, nobody looks at. */
const charts: Readonly<Record<string, Chart>> = {
  "cozystack-kubernetes-application-kubevirt-kubernetes-kubevirt-csi-node": kubevirtCsiNode,
};

/** Kinds of what they make. */
export const kindsAway: readonly AnyKind[] = [StorageClass];

/** The control plane of the cluster that the release goes into; undefined: this cluster. */
export function targetOf({ spec }: Release): string | undefined {
  return /^(.+)-admin-kubeconfig$/.exec(spec.kubeConfig?.secretRef?.name ?? "")?.[1];
}

const nameKey = "meta.helm.sh/release-name";
const namespaceKey = "meta.helm.sh/release-namespace";
const managed = { "app.kubernetes.io/managed-by": "Helm" };

/** What the chart makes in the cluster, as Helm marks it. */
export function objectsAway({ metadata, spec }: Release, values: unknown, scene: Scene): readonly KubeObject[] {
  const name = spec.releaseName ?? metadata.name;
  const namespace = spec.targetNamespace ?? metadata.namespace ?? "";
  const marks = { [nameKey]: name, [namespaceKey]: namespace };
  const all = charts[spec.chartRef?.name ?? ""]?.({ name, namespace, values, token: scene.token }) ?? [];
  return all.map((object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      labels: { ...object.metadata.labels, ...managed },
      annotations: { ...object.metadata.annotations, ...marks },
    },
  }));
}

const kindOf = ({ apiVersion, kind }: KubeObject): AnyKind | undefined =>
  kindsAway.find((one) => one.kind === kind && one.group === groupOf(apiVersion));

/** In what words Helm refuses an object that is there already and is not its own; undefined: it refuses none. */
export function collision(objects: readonly KubeObject[], cluster: ClusterView): string | undefined {
  for (const object of objects) {
    const kind = kindOf(object);
    if (kind === undefined) continue;
    const { name, namespace, annotations } = object.metadata;
    const live = cluster.find(kind, name, namespace);
    if (live === undefined || live.metadata.annotations?.[nameKey] === annotations?.[nameKey]) continue;
    const where = `${object.kind} "${name}" in namespace "${namespace ?? ""}"`;
    return `Unable to continue with install: ${where} exists and cannot be imported into the current release: invalid ownership metadata; annotation validation error: missing key "${nameKey}": must be set to "${annotations?.[nameKey]}"`;
  }
  return undefined;
}
