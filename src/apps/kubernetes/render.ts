/** From a cluster's specification to its objects. */
import { KamajiControlPlane } from "../../contracts/controlplane-cluster-x-k8s-io.ts";
import { ConfigMap, Secret, Service } from "../../contracts/core.ts";
import { StorageClass } from "../../contracts/storage-k8s-io.ts";
import type { Exposure, Leftover, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import { refuse } from "../../sdk/errors.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { matching, optional } from "../../sdk/needs.ts";
import { keptTemplates } from "../../sdk/node-pool/kept-templates.ts";
import { clusterAccess, clusterNeeds, controlPlaneAddress, poolNeeds } from "../../sdk/node-pool/live.ts";
import { templateName } from "../../sdk/node-pool/machine-template.ts";
import { poolMonitor } from "../../sdk/node-pool/machines.ts";
import { poolName } from "../../sdk/node-pool/pool.ts";
import { poolConfiguration, poolMachines } from "../../sdk/node-pool/render.ts";
import { ownSecrets, talosSecret, talosSecretName, talosSecretNeed } from "../../sdk/node-pool/talos-secrets.ts";
import { addonReleases } from "./addons/render.ts";
import { autoscaler } from "./autoscaler.ts";
import { bootstrapToken } from "./bootstrap-token.ts";
import { checkCluster } from "./checks.ts";
import { cloudController } from "./cloud-controller.ts";
import { cluster } from "./control-plane.ts";
import { csiController } from "./csi-controller.ts";
import { poolsOf } from "./groups.ts";
import { ingress, ingressName } from "./ingress.ts";
import { dataStore, kubeconfigSecret, marked } from "./names.ts";
import { oidc, oidcKubeconfigSecret, oidcNeeds } from "./oidc.ts";
import type { Input } from "./spec.ts";
import { certificateSecrets, talosCertificates } from "./talos.ts";

export function needs(input: Input) {
  const { release } = input;
  return {
    ...clusterNeeds(release),
    ...poolNeeds(poolsOf(input)),
    ...oidcNeeds(input),
    controlPlane: optional(KamajiControlPlane, release),
    classes: matching(StorageClass, {}),
    secrets: talosSecretNeed(release),
  };
}

type Known = RenderInput<Input["spec"], ReturnType<typeof needs>>;

/** What there is as long as nothing stores the objects of control planes of this tenant. */
function awaiting({ release, namespace }: Input): Rendered {
  return ConfigMap(`${release}-awaiting-etcd`, {
    namespace,
    labels: {
      "app.kubernetes.io/managed-by": "Helm",
      "app.kubernetes.io/name": "kubernetes",
      "app.kubernetes.io/instance": release,
    },
    data: {
      status: "awaiting-etcd",
      message: "No etcd serves this tenant. Set spec.etcd: true on a Tenant above it, and the cluster is made.\n",
    },
  });
}

/** Without its store a control plane that exists would go, and with it every machine. */
function checkStore({ needs: { controlPlane }, ...input }: Known): void {
  if (dataStore(input) !== "" || controlPlane === undefined) return;
  refuse({
    code: "InvalidPlatform",
    field: "_namespace.etcd",
    message: "no etcd serves this tenant any more, and the cluster has its objects in one",
    remedy: "Switch spec.etcd of the Tenant on again, or delete the cluster first.",
  });
}

function machines(input: Known): readonly Rendered[] {
  const { release, name, needs: known } = input;
  const pools = poolsOf(input);
  const access = clusterAccess(known, ownSecrets(known.secrets));
  const owner = { kind: "Kubernetes", name, release, cluster: release };
  return [
    ...pools.flatMap((pool) => [...poolMachines(pool, known), ...poolConfiguration(pool, known, access)]),
    ...keptTemplates(owner, known, new Set(pools.map(templateName))),
  ];
}

export function render(input: Known): readonly Rendered[] {
  const { release, needs: known } = input;
  checkCluster(input, poolsOf(input), known.configuration);
  checkStore(input);
  const secrets = ownSecrets(known.secrets);
  const always = [
    ...talosCertificates(input),
    talosSecret(release, secrets, marked(input)),
    ...cloudController(input),
    ...csiController(input),
    ...oidc(input, known),
  ];
  if (dataStore(input) === "") return [...always, awaiting(input)];
  return [
    ...always,
    ...cluster(input, controlPlaneAddress(known)),
    ...machines(input),
    ...bootstrapToken(input, secrets),
    ...autoscaler(input),
    ...addonReleases(input, known.classes),
    ...ingress(input),
  ];
}

/** How many control planes there are is what Kamaji scales: upstream counts two of them. */
export function monitors(input: Input): readonly Monitor[] {
  const { release } = input;
  if (dataStore(input) === "") return [];
  return [
    {
      name: release,
      kind: "kubernetes",
      type: "control-plane",
      replicas: 2,
      minReplicas: 1,
      withNamespace: true,
      selector: { "kamaji.clastix.io/component": "deployment", "kamaji.clastix.io/name": release },
    },
    ...poolsOf(input).map(poolMonitor),
  ];
}

export function expose(input: Input): Exposure {
  const { release } = input;
  const own = (...names: readonly string[]) => ({ include: [{ names }], exclude: [] });
  return {
    ingresses: [release],
    secrets: [kubeconfigSecret(release)],
    services: [release],
    monitors: [release, ...poolsOf(input).map(poolName)],
    selected: {
      secrets: own(kubeconfigSecret(release), oidcKubeconfigSecret(release)),
      services: {
        include: [
          { names: [release, ingressName(release)] },
          { matchLabels: { "cluster.x-k8s.io/cluster-name": release } },
        ],
        exclude: [],
      },
      ingresses: own(release, ingressName(release)),
    },
  };
}

const ofCluster = (release: string) => ({ "cluster.x-k8s.io/cluster-name": release });

/** Volumes of what runs in the cluster. */
export const claims = ({ release }: Input): readonly StorageClaim[] => [
  { group: "cdi.kubevirt.io", kind: "DataVolume", labels: ofCluster(release) },
];

/** Addresses that were made for Services in the cluster, and certificates that their issuer leaves behind. */
export const leftovers = ({ release }: Input): readonly Leftover[] => [
  { kind: Service, labels: ofCluster(release), where: { path: ["spec", "type"], equals: "LoadBalancer" } },
  { kind: Secret, names: [...certificateSecrets(release), talosSecretName(release)] },
];
