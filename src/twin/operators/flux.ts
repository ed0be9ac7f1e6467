/**
 * Plays Flux's helm-controller: a release makes what its chart makes (src/twin/charts), waits for it, and is ready. A chart
 * that the twin does not know makes nothing.
 */
import { parse } from "yaml";
import { Deployment, StatefulSet } from "../../contracts/apps.ts";
import { Certificate, Issuer } from "../../contracts/cert-manager-io.ts";
import { ConfigMap, PersistentVolumeClaim, Secret, Service, ServiceAccount } from "../../contracts/core.ts";
import { WorkloadMonitor } from "../../contracts/cozystack-io.ts";
import { HelmRelease } from "../../contracts/helm-toolkit-fluxcd-io.ts";
import { Ingress } from "../../contracts/networking-k8s-io.ts";
import { BucketAccessClass, BucketClass } from "../../contracts/objectstorage-k8s-io.ts";
import { IngressClass, PodDisruptionBudget } from "../../kube/core-kinds.ts";
import { isRecord } from "../../kube/json.ts";
import { type AnyKind, groupOf, type KubeObject } from "../../kube/object.ts";
import { type Chart, keptByHelm } from "../charts/chart.ts";
import { externalDns } from "../charts/external-dns.ts";
import { guestbook } from "../charts/guestbook.ts";
import { harbor } from "../charts/harbor.ts";
import { ingressNginx } from "../charts/ingress-nginx.ts";
import { nats } from "../charts/nats.ts";
import { openbao } from "../charts/openbao.ts";
import { qdrant } from "../charts/qdrant.ts";
import { seaweedfs } from "../charts/seaweedfs.ts";
import { type Player, player, type Scene } from "../player.ts";
import { collision, kindsAway, objectsAway, targetOf } from "./flux-away.ts";
import { conditionOf } from "./parts.ts";

/** By the name of the artifact with the chart. */
const charts: Readonly<Record<string, Chart>> = {
  guestbook,
  "cozystack-external-dns-application-default-external-dns-system": externalDns,
  "cozystack-ingress-application-default-ingress-system": ingressNginx,
  "cozystack-harbor-application-default-harbor-system": harbor,
  "cozystack-nats-application-default-nats-system": nats,
  "cozystack-openbao-application-default-openbao-system": openbao,
  "cozystack-qdrant-application-default-qdrant-system": qdrant,
  "cozystack-seaweedfs-application-default-seaweedfs-system": seaweedfs,
};

type Release = ReturnType<typeof HelmRelease>;

/** Kinds that no release can own: they have no namespace. */
const clusterKinds: readonly AnyKind[] = [BucketClass, BucketAccessClass, IngressClass];

const isOf =
  (object: KubeObject) =>
  (kind: AnyKind): boolean =>
    kind.kind === object.kind && kind.group === groupOf(object.apiVersion);

/** Whether an object does not go with its release by itself. Claims belong to the StatefulSets that they are for. */
function isLoose(object: KubeObject): boolean {
  const kept = Object.entries(keptByHelm).some(([key, value]) => object.metadata.annotations?.[key] === value);
  return kept || object.kind === PersistentVolumeClaim.kind || clusterKinds.some(isOf(object));
}

/** Another release that is not ready yet, and must be first. */
function missingRelease({ metadata: { namespace }, spec }: Release, scene: Scene): string | undefined {
  const missing = (spec.dependsOn ?? []).find((one) => {
    const { status } = scene.find(HelmRelease, one.name, one.namespace ?? namespace) ?? {};
    return status?.conditions?.some(({ type, status: is }) => type === "Ready" && is === "True") !== true;
  });
  return missing === undefined
    ? undefined
    : `dependency '${missing.namespace ?? namespace}/${missing.name}' is not ready`;
}

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

/** `over` laid onto `base`. */
function laid(base: unknown, over: unknown): unknown {
  if (!isRecord(base) || !isRecord(over)) return over;
  return { ...base, ...Object.fromEntries(Object.entries(over).map(([key, one]) => [key, laid(base[key], one)])) };
}

/** The release's own values over those of Secrets, whole documents only. */
function valuesOf({ metadata: { namespace }, spec }: Release, scene: Scene): unknown {
  const documents = (spec.valuesFrom ?? []).flatMap(({ kind, name, valuesKey = "values.yaml", targetPath }) => {
    if (kind !== "Secret" || targetPath !== undefined) return [];
    const text = scene.find(Secret, name, namespace)?.data?.[valuesKey];
    return text === undefined ? [] : [parse(Buffer.from(text, "base64").toString("utf8"))];
  });
  return [...documents, spec.values ?? {}].reduce(laid, {});
}

function childrenOf(object: Release, scene: Scene): readonly KubeObject[] {
  const { metadata, spec } = object;
  const chart = charts[spec.chartRef?.name ?? ""];
  const { name, namespace = "" } = metadata;
  return chart?.({ name, namespace, values: valuesOf(object, scene), token: scene.token }) ?? [];
}

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
  makes: [
    WorkloadMonitor,
    StatefulSet,
    Deployment,
    Service,
    ConfigMap,
    Secret,
    Ingress,
    PersistentVolumeClaim,
    Issuer,
    Certificate,
    ServiceAccount,
    PodDisruptionBudget,
    ...clusterKinds,
  ],
  reads: [Secret, ConfigMap, HelmRelease],
  inClusters: kindsAway,
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
    const dependency = missingRelease(object, scene);
    const missing = dependency ?? missingValues(object, scene);
    const refused = scene.behaviour === "refuses";
    // What is installed stays as it is.
    const installed = scene.children(Service).length > 0;
    const all = (missing !== undefined || refused) && !installed ? [] : childrenOf(object, scene);
    const children = all.filter((one) => !isLoose(one));
    const made = { children, unowned: all.filter(isLoose) };
    if (missing !== undefined) {
      const reason = dependency === undefined ? "ValuesError" : "DependencyNotReady";
      return { ...made, status: reported(false, reason, missing) };
    }
    if (refused)
      return { ...made, status: reported(false, "InstallFailed", "Helm install failed: refused on request") };
    const target = targetOf(object);
    const cluster = target === undefined ? "simulated" : scene.cluster(target);
    if (cluster === "down")
      return {
        ...made,
        status: reported(false, "InstallFailed", "Helm install failed: Kubernetes cluster unreachable"),
      };
    const away = cluster === "simulated" ? [] : objectsAway(object, valuesOf(object, scene), scene);
    const inTheWay = cluster === "simulated" ? undefined : collision(away, cluster);
    // An upgrade that is refused changes nothing.
    if (inTheWay !== undefined)
      return { ...made, status: reported(false, "InstallFailed", `Helm install failed: ${inTheWay}`) };
    const left = scene.pace("work") - scene.since(`generation ${generation}`);
    const done = scene.behaviour !== "neverReady" && left <= 0 && isUp(children, scene);
    const status = done
      ? reported(true, "InstallSucceeded", "Helm install succeeded")
      : reported(false, "Progressing", "Running 'install' action with timeout of 10m0s");
    const there = target === undefined ? {} : { inCluster: { cluster: target, objects: away } };
    return { ...made, ...there, status, ...(left > 0 ? { again: left } : {}) };
  },
  farewell(object, scene) {
    const target = targetOf(object);
    // Nothing can be uninstalled where nothing answers. What is suspended is let go as it is.
    if (target !== undefined && object.spec.suspend !== true && scene.cluster(target) === "down") return "notYet";
    return childrenOf(object, scene).flatMap((child) => {
      const kind = clusterKinds.find(isOf(child));
      return kind === undefined ? [] : [{ kind, name: child.metadata.name }];
    });
  },
};

export const flux = [player(release)];
