/** From an Etcd specification to its objects. */

import { VerticalPodAutoscaler } from "../../contracts/autoscaling-k8s-io.ts";
import { Service } from "../../contracts/core.ts";
import { EtcdCluster } from "../../contracts/etcd-operator-cozystack-io.ts";
import { DataStore } from "../../contracts/kamaji-clastix-io.ts";
import type { Exposure, Monitor, StorageClaim } from "../../sdk/app.ts";
import { mostListed } from "../../sdk/listed.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { checkModuleName } from "../../sdk/module-name.ts";
import { sanitize } from "../../sdk/resources.ts";
import { topologySpread } from "../../sdk/scheduling.ts";
import { observed } from "./alerts.ts";
import { certificates } from "./certificates.ts";
import { defragmentation } from "./defrag.ts";
import { clientPort, cluster, clusterLabel, endpoint, certificates as names, secretOf, serviceLabel } from "./names.ts";
import { quotaBytes } from "./rules.ts";
import type { Input } from "./spec.ts";

const instanceLabel = { "app.kubernetes.io/instance": cluster };
const serverLabels = { "app.kubernetes.io/name": "etcd", ...instanceLabel };

/** One member a node where there are nodes enough, unless the platform says otherwise. */
const spread = {
  maxSkew: 1,
  topologyKey: "kubernetes.io/hostname",
  whenUnsatisfiable: "ScheduleAnyway",
  labelSelector: { matchLabels: instanceLabel },
} as const;

function members({ spec, context }: Input): Rendered {
  const { cpu, memory } = spec.resources;
  const resources = sanitize({ cpu, memory }, context);
  const limited = Object.keys(resources.limits).length > 0;
  return EtcdCluster(cluster, {
    spec: {
      version: spec.version,
      replicas: spec.replicas,
      storage: { size: spec.size, ...(spec.storageClass === "" ? {} : { storageClassName: spec.storageClass }) },
      options: {
        quotaBackendBytes: quotaBytes(spec.size),
        autoCompactionMode: "periodic",
        autoCompactionRetention: "5m",
        snapshotCount: 10000,
      },
      ...(limited ? { resources } : {}),
      additionalMetadata: { labels: serviceLabel },
      tls: {
        client: {
          serverSecretRef: { name: secretOf(names.server) },
          operatorClientSecretRef: { name: secretOf(names.client) },
        },
        peer: { secretRef: { name: secretOf(names.peer) } },
      },
      topologySpreadConstraints: [...(topologySpread(context, spread.labelSelector) ?? [spread])],
    },
  });
}

/** Keeps the DNS names of members that were adopted from the former operator. */
function headless({ namespace }: Input): Rendered {
  const port = (name: string, number: number) => ({ name, port: number, targetPort: number, protocol: "TCP" as const });
  return Service(`${cluster}-headless`, {
    namespace,
    labels: { ...serverLabels, ...serviceLabel },
    spec: {
      clusterIP: "None",
      publishNotReadyAddresses: true,
      selector: clusterLabel,
      ports: [port("client", clientPort), port("peer", clientPort + 1)],
    },
  });
}

/** What control planes of Kubernetes clusters name to keep their objects here, in this tenant and in those below it. */
function dataStore({ namespace }: Input): Rendered {
  const from = (name: string, keyPath: string) => ({ secretReference: { name: secretOf(name), namespace, keyPath } });
  const pair = (name: string) => ({ certificate: from(name, "tls.crt"), privateKey: from(name, "tls.key") });
  return DataStore(namespace, {
    spec: {
      driver: "etcd",
      endpoints: [endpoint(namespace)],
      tlsConfig: { certificateAuthority: pair(names.authority), clientCertificate: pair(names.client) },
    },
  });
}

/** Initial: a member that is evicted to become larger is one less to agree with. */
function autoscaler({ context }: Input): Rendered {
  const requests = (cpu: string, memory: string) => sanitize({ cpu, memory }, context).requests;
  return VerticalPodAutoscaler(cluster, {
    spec: {
      targetRef: { apiVersion: `${EtcdCluster.group}/${EtcdCluster.version}`, kind: EtcdCluster.kind, name: cluster },
      updatePolicy: { updateMode: "Initial" },
      resourcePolicy: {
        containerPolicies: [
          { containerName: "etcd", minAllowed: requests("250m", "256Mi"), maxAllowed: requests("5000m", "8Gi") },
        ],
      },
    },
  });
}

export function render(input: Input): readonly Rendered[] {
  checkModuleName(input.name, cluster);
  return [
    ...certificates(input),
    members(input),
    headless(input),
    dataStore(input),
    autoscaler(input),
    defragmentation(input),
    ...observed,
  ];
}

export function monitors({ release, spec }: Input): readonly Monitor[] {
  return [
    {
      name: release,
      replicas: spec.replicas,
      minReplicas: Math.floor(spec.replicas / 2) + 1,
      selector: { ...serverLabels, "app.kubernetes.io/managed-by": "etcd-operator" },
      withNamespace: true,
    },
  ];
}

export function expose({ release }: Input): Exposure {
  return { services: [cluster], monitors: [release], level: "super-admin" };
}

/**
 * Members' volumes, those of adopted members by their names (only as many as can be), and all Secrets that cert-manager leaves behind. Nothing is kept:
 * a member that found a volume of a former cluster would look for members that are gone.
 */
export function claims({ spec }: Input): readonly StorageClaim[] {
  const adopted = Array.from(
    { length: Math.min(mostListed, Math.max(1, spec.replicas)) },
    (_, index) => `data-${cluster}-${index}`,
  );
  return [
    { group: "", kind: "PersistentVolumeClaim", names: adopted },
    { group: "", kind: "PersistentVolumeClaim", labels: clusterLabel },
    { group: "", kind: "Secret", names: Object.values(names).map(secretOf) },
  ];
}
