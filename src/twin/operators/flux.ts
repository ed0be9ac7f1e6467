/**
 * Plays Flux's helm-controller: a release makes what its chart makes (src/twin/charts), waits for it, and is ready. A chart
 * that the twin does not know makes nothing.
 */
import { Deployment, StatefulSet } from "../../contracts/apps.ts";
import { ConfigMap, Secret, Service, ServiceAccount } from "../../contracts/core.ts";
import { WorkloadMonitor } from "../../contracts/cozystack-io.ts";
import { HelmRelease } from "../../contracts/helm-toolkit-fluxcd-io.ts";
import { IngressClass, PodDisruptionBudget } from "../../kube/core-kinds.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { Chart } from "../charts/chart.ts";
import { ingressNginx } from "../charts/ingress-nginx.ts";
import { guestbook } from "../charts/guestbook.ts";
import { nats } from "../charts/nats.ts";
import { qdrant } from "../charts/qdrant.ts";
import { type Player, player, type Scene } from "../player.ts";
import { conditionOf } from "./parts.ts";

/** By the name of the artifact with the chart. */
const charts: Readonly<Record<string, Chart>> = {
  guestbook,
  "cozystack-ingress-application-default-ingress-system": ingressNginx,
  "cozystack-nats-application-default-nats-system": nats,
  "cozystack-qdrant-application-default-qdrant-system": qdrant,
};

type Release = ReturnType<typeof HelmRelease>;

/** What keeps the release from being installed: a Secret or ConfigMap with values that is not there. */
function missingValues({ metadata: { namespace }, spec }: Release, scene: Scene): string | undefined {
  const missing = (spec.valuesFrom ?? []).find(({ kind, name, optional = false }) => {
    if (optional) return false;
    return (
      (kind === "Secret" ? scene.find(Secret, name, namespace) : scene.find(ConfigMap, name, namespace)) === undefined
    );
  });
  return missing === undefined ? undefined : `could not find ${missing.kind} '${namespace}/${missing.name}'`;
}

function childrenOf({ metadata: { name, namespace = "" }, spec }: Release, { token }: Scene): readonly KubeObject[] {
  return charts[spec.chartRef?.name ?? ""]?.({ name, namespace, values: spec.values, token }) ?? [];
}

/** Of the whole cluster: nothing owns them, so that they go when the release is uninstalled. */
const isClusterWide = ({ kind }: KubeObject): boolean => kind === IngressClass.kind;

const isComplete = ({
  spec,
  status,
}: {
  readonly spec: { readonly replicas?: number };
  readonly status?: { readonly readyReplicas?: number };
}) => (status?.readyReplicas ?? 0) >= (spec.replicas ?? 1);

/** Whether everything that the chart made runs. */
function isUp(children: readonly KubeObject[], scene: Scene): boolean {
  const wanted = children.filter(({ kind }) => kind === StatefulSet.kind || kind === Deployment.kind).length;
  const live = [...scene.children(StatefulSet), ...scene.children(Deployment)];
  return live.length >= wanted && live.every(isComplete);
}

const release: Player<Release> = {
  kind: HelmRelease,
  makes: [WorkloadMonitor, StatefulSet, Deployment, Service, ServiceAccount, ConfigMap, Secret, PodDisruptionBudget, IngressClass],
  reads: [Secret, ConfigMap],
  finalizer: "finalizers.fluxcd.io",
  play(object, scene) {
    const { generation = 1 } = object.metadata;
    const reported = (isReady: boolean, reason: string, message: string) => ({
      observedGeneration: generation,
      conditions: [
        {
          ...conditionOf("Ready", isReady, { reason, message }, object.status?.conditions, scene),
          observedGeneration: generation,
        },
      ],
    });
    const missing = missingValues(object, scene);
    const refused = scene.behaviour === "refuses";
    // What is installed stays as it is.
    const installed = scene.children(Service).length > 0;
    const made = (missing !== undefined || refused) && !installed ? [] : childrenOf(object, scene);
    const children = made.filter((one) => !isClusterWide(one));
    const unowned = made.filter(isClusterWide);
    if (missing !== undefined) return { children, unowned, status: reported(false, "ValuesError", missing) };
    if (refused)
      return { children, unowned, status: reported(false, "InstallFailed", "Helm install failed: refused on request") };
    const left = scene.pace("work") - scene.since(`generation ${generation}`);
    const done = scene.behaviour !== "neverReady" && left <= 0 && isUp(children, scene);
    const status = done
      ? reported(true, "InstallSucceeded", "Helm install succeeded")
      : reported(false, "Progressing", "Running 'install' action with timeout of 10m0s");
    return { children, unowned, status, ...(left > 0 ? { again: left } : {}) };
  },
  farewell: (object, scene) =>
    childrenOf(object, scene)
      .filter(isClusterWide)
      .map(({ metadata: { name } }) => ({ kind: IngressClass, name })),
};

export const flux = [player(release)];
