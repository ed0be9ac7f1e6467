/**
 * Plays the VictoriaMetrics operator: the workloads of stores of metrics and logs, of alerting and of collecting, with the
 * labels that Services and monitors find them by.
 */
import { Deployment, StatefulSet } from "../../contracts/apps.ts";
import { Service } from "../../contracts/core.ts";
import {
  VLCluster,
  VMAgent,
  VMAlert,
  VMAlertmanager,
  VMCluster,
} from "../../contracts/operator-victoriametrics-com.ts";
import type { Kind, KubeObject } from "../../kube/object.ts";
import { type Act, type AnyPlayer, player, type Scene } from "../player.ts";
import { container, podSpec } from "./parts.ts";

/** A claim template of the operator's objects. */
interface Storage {
  readonly volumeClaimTemplate?: {
    readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
    readonly spec?: object;
  };
}

interface Part {
  /** Name of the program, and of its container. */
  readonly program: string;
  /** Name of the object it belongs to. */
  readonly instance: string;
  readonly replicas: number;
  readonly port: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly podLabels?: Readonly<Record<string, string>>;
  /** A part with volumes is a StatefulSet. */
  readonly storage?: Storage;
  readonly stateful?: boolean;
}

function workload({ program, instance, replicas, port, labels = {}, podLabels = {}, storage, stateful }: Part) {
  const name = `${program}-${instance}`;
  const selector = {
    "app.kubernetes.io/name": program,
    "app.kubernetes.io/instance": instance,
    "app.kubernetes.io/component": "monitoring",
    "managed-by": "vm-operator",
  };
  const metadata = { labels: { ...labels, ...selector } };
  const template = {
    metadata: { labels: { ...selector, ...podLabels } },
    spec: podSpec([container(program, undefined)]),
  };
  const service = Service(name, {
    ...metadata,
    spec: {
      selector,
      ports: [{ name: "http", port, protocol: "TCP" }],
      ...(stateful === true ? { clusterIP: "None" } : {}),
    },
  });
  if (stateful !== true) {
    return [
      service,
      Deployment(name, { ...metadata, spec: { replicas, selector: { matchLabels: selector }, template } }),
    ];
  }
  const claim = storage?.volumeClaimTemplate;
  const set = StatefulSet(name, {
    ...metadata,
    spec: {
      replicas,
      serviceName: name,
      podManagementPolicy: "Parallel",
      selector: { matchLabels: selector },
      template,
      ...(claim === undefined
        ? {}
        : {
            volumeClaimTemplates: [
              {
                metadata: { name: `${program}-db`, labels: { ...claim.metadata?.labels } },
                spec: { accessModes: ["ReadWriteOnce"], ...claim.spec },
              },
            ],
          }),
    },
  });
  return [service, set];
}

interface Reporting extends KubeObject {
  readonly status?: { readonly updateStatus?: string };
}

/** What the operator says of an object of which it made `parts`. */
function report(object: Reporting, parts: readonly Part[], scene: Scene): Act {
  const { generation = 1 } = object.metadata;
  if (scene.behaviour === "refuses") {
    return {
      children: [],
      status: { observedGeneration: generation, updateStatus: "failed", reason: "refused on request" },
    };
  }
  const made: readonly (KubeObject & { readonly status?: { readonly readyReplicas?: number } })[] = [
    ...scene.children(Deployment),
    ...scene.children(StatefulSet),
  ];
  const ready = parts.every(
    ({ program, instance, replicas }) =>
      (made.find(({ metadata }) => metadata.name === `${program}-${instance}`)?.status?.readyReplicas ?? 0) >= replicas,
  );
  const operational = ready && scene.behaviour === "normal";
  return {
    children: parts.flatMap(workload),
    status: {
      observedGeneration: generation,
      updateStatus: operational ? "operational" : "expanding",
    },
  };
}

function plays<T extends Reporting>(kind: Kind<T>, partsOf: (object: T) => readonly Part[]): AnyPlayer {
  return player<T>({
    kind,
    makes: [Deployment, StatefulSet, Service],
    play: (object, scene) => report(object, partsOf(object), scene),
  });
}

const labelsOf = (spec: { readonly managedMetadata?: { readonly labels?: Readonly<Record<string, string>> } }) =>
  spec.managedMetadata?.labels === undefined ? {} : { labels: spec.managedMetadata.labels };

export const victoriametrics = [
  plays(VMCluster, ({ metadata: { name: instance }, spec }) => {
    const { vminsert, vmselect, vmstorage } = spec;
    const common = { instance, ...labelsOf(spec) };
    const store = (part: { readonly storage?: Storage }) => ({
      stateful: true,
      ...(part.storage === undefined ? {} : { storage: part.storage }),
    });
    return [
      { program: "vminsert", replicas: vminsert?.replicaCount ?? 1, port: 8480, ...common },
      { program: "vmselect", replicas: vmselect?.replicaCount ?? 1, port: 8481, ...common, ...store(vmselect ?? {}) },
      {
        program: "vmstorage",
        replicas: vmstorage?.replicaCount ?? 1,
        port: 8482,
        ...common,
        ...store(vmstorage ?? {}),
      },
    ];
  }),
  plays(VLCluster, ({ metadata: { name: instance }, spec }) => {
    const { vlinsert, vlselect, vlstorage } = spec;
    const common = { instance, ...labelsOf(spec) };
    return [
      { program: "vlinsert", replicas: vlinsert?.replicaCount ?? 1, port: 9481, ...common },
      { program: "vlselect", replicas: vlselect?.replicaCount ?? 1, port: 9471, ...common },
      {
        program: "vlstorage",
        replicas: vlstorage?.replicaCount ?? 1,
        port: 9491,
        ...common,
        stateful: true,
        ...(vlstorage?.storage === undefined ? {} : { storage: vlstorage.storage }),
      },
    ];
  }),
  plays(VMAlert, ({ metadata: { name: instance }, spec }) => [
    { program: "vmalert", instance, replicas: 1, port: 8080, ...labelsOf(spec) },
  ]),
  plays(VMAlertmanager, ({ metadata: { name: instance }, spec }) => [
    {
      program: "vmalertmanager",
      instance,
      replicas: spec.replicaCount ?? 1,
      port: 9093,
      stateful: true,
      ...labelsOf(spec),
      ...(spec.podMetadata?.labels === undefined ? {} : { podLabels: spec.podMetadata.labels }),
    },
  ]),
  plays(VMAgent, ({ metadata: { name: instance }, spec }) => [
    {
      program: "vmagent",
      instance,
      replicas: spec.shardCount ?? 1,
      port: 8429,
      ...(spec.podMetadata?.labels === undefined ? {} : { podLabels: spec.podMetadata.labels }),
    },
  ]),
];
