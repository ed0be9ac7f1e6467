/**
 * What a pool's machines are made from. The template's name holds a digest of its text: machines of another text are other
 * machines, and every worker of a running installation would be replaced if the text of an unchanged pool were another one.
 * So it is written line by line, as the charts write that such installations were made by.
 */
import { createHash } from "node:crypto";
import { stringify } from "yaml";
import { KubevirtMachineTemplate } from "../../contracts/infrastructure-cluster-x-k8s-io.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Resources, sanitize } from "../resources.ts";
import { topologySpread } from "../scheduling.ts";
import { instanceTypeOf, type NodePool, poolName, roleLabels } from "./pool.ts";

/** Address of the disk with which machines start: the image that reads its configuration from a second disk. */
export const diskImage = ({ talos }: NodePool): string =>
  `${talos.imageFactoryURL.replace(/\/$/, "")}/image/${talos.schematicID}/${talos.version}/openstack-amd64.raw.xz`;

/** Cores as a number where they are whole ones. */
const cores = (value: string | number): string | number => (/^[0-9]+$/.test(String(value)) ? Number(value) : value);

function podResources(pool: NodePool): Resources {
  const base = sanitize({ "ephemeral-storage": "2Gi" }, pool.context);
  const { podCpuLimit: limit, podCpuRequest: request } = pool;
  return {
    limits: { ...(limit === undefined ? {} : { cpu: String(limit) }), ...base.limits },
    requests: { ...(request === undefined ? {} : { cpu: String(request) }), ...base.requests },
  };
}

const constraintsOf = (pool: NodePool) =>
  topologySpread(pool.context, { matchLabels: { "cluster.x-k8s.io/cluster-name": pool.cluster } });

function machineLabels(pool: NodePool): Readonly<Record<string, string>> {
  return {
    "apps.cozystack.io/application.group": "apps.cozystack.io",
    "apps.cozystack.io/application.kind": "Kubernetes",
    "apps.cozystack.io/application.name": pool.application,
    ...roleLabels(pool.roles),
    "cluster.x-k8s.io/deployment-name": poolName(pool),
  };
}

function domain(pool: NodePool): object {
  const { cpu, memory } = pool.resources;
  return {
    ...(cpu === undefined || cpu === "" ? {} : { cpu: { threads: 1, cores: cores(cpu), sockets: 1 } }),
    devices: {
      ...(pool.gpus.length === 0
        ? {}
        : { gpus: pool.gpus.map(({ name }, at) => ({ name: `gpu${at + 1}`, deviceName: name })) }),
      disks: [
        {
          name: "system",
          disk: { bus: "virtio", pciAddress: "0000:07:00.0" },
          blockSize: { custom: { logical: 512, physical: 4096 } },
        },
      ],
      interfaces: [{ name: "default", bridge: {} }],
      ...(pool.logSerialConsole ? { logSerialConsole: true } : {}),
    },
    ...(memory === undefined || memory === "" ? {} : { memory: { guest: memory } }),
    resources: podResources(pool),
  };
}

function machineSpec(pool: NodePool): object {
  const type = instanceTypeOf(pool);
  const constraints = constraintsOf(pool);
  return {
    ...(type === undefined ? {} : { instancetype: { kind: "VirtualMachineClusterInstancetype", name: type } }),
    runStrategy: "Always",
    dataVolumeTemplates: [
      {
        metadata: { name: "disk-system", annotations: { "cdi.kubevirt.io/storage.usePopulator": "false" } },
        spec: {
          source: { http: { url: diskImage(pool) } },
          storage: {
            resources: { requests: { storage: pool.diskSize } },
            ...(pool.storageClass === "" ? {} : { storageClassName: pool.storageClass }),
          },
        },
      },
    ],
    template: {
      metadata: {
        annotations: { "kubevirt.io/allow-pod-bridge-network-live-migration": "true" },
        labels: machineLabels(pool),
      },
      spec: {
        ...(constraints === undefined ? {} : { topologySpreadConstraints: constraints }),
        domain: domain(pool),
        evictionStrategy: "External",
        volumes: [{ name: "system", dataVolume: { name: "disk-system" } }],
        networks: [{ name: "default", pod: {} }],
      },
    },
  };
}

/** A text that YAML would read as something else is quoted. */
const scalar = (value: string | number): string =>
  typeof value === "string" && /^[0-9.]+$/.test(value) ? `"${value}"` : String(value);

const lines = (indent: number, ...texts: readonly string[]): readonly string[] =>
  texts.map((text) => `${" ".repeat(indent)}${text}`);

function amounts(indent: number, map: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(map)
    .sort()
    .map((key) => `${" ".repeat(indent)}${key}: ${scalar(map[key] ?? "")}`);
}

function constraintLines(pool: NodePool): readonly string[] {
  const constraints = constraintsOf(pool);
  if (constraints === undefined) return [];
  const each = constraints.flatMap((constraint, at) => {
    const { labelSelector, ...rest } = constraint;
    const isLast = at === constraints.length - 1;
    const shown = isLast || labelSelector === undefined ? rest : constraint;
    const text = stringify([shown], { sortMapEntries: true, lineWidth: 0, indentSeq: false }).trimEnd().split("\n");
    const label = `cluster.x-k8s.io/cluster-name: ${pool.cluster}`;
    return [
      ...lines(10, ...text),
      ...(isLast ? [...lines(12, "labelSelector:"), ...lines(14, "matchLabels:"), ...lines(16, label)] : []),
    ];
  });
  return [...lines(10, "topologySpreadConstraints:"), ...each];
}

/** The text that the template's name is a digest of. */
export function templateText(pool: NodePool): string {
  const type = instanceTypeOf(pool);
  const roles = Object.keys(roleLabels(pool.roles)).map((label) => `${label}: ""`);
  const { cpu, memory } = pool.resources;
  const { limits, requests } = podResources(pool);
  return [
    "spec:",
    ...lines(2, "virtualMachineBootstrapCheck:", "  checkStrategy: none", "virtualMachineTemplate:", "  metadata:"),
    ...lines(6, `namespace: ${pool.namespace}`, "labels:"),
    ...lines(8, ...roles),
    ...lines(4, "spec:"),
    ...(type === undefined
      ? []
      : lines(6, "instancetype:", "  kind: VirtualMachineClusterInstancetype", `  name: ${type}`)),
    ...lines(6, "runStrategy: Always", "dataVolumeTemplates:", "- metadata:", "    name: disk-system"),
    ...lines(10, "annotations:", '  cdi.kubevirt.io/storage.usePopulator: "false"'),
    ...lines(8, "spec:", "  source:", "    http:", `      url: ${diskImage(pool)}`),
    ...lines(10, "storage:", "  resources:", "    requests:", `      storage: "${pool.diskSize}"`),
    ...(pool.storageClass === "" ? [] : lines(12, `storageClassName: "${pool.storageClass}"`)),
    ...lines(6, "template:", "  metadata:", "    annotations:"),
    ...lines(12, 'kubevirt.io/allow-pod-bridge-network-live-migration: "true"'),
    ...lines(10, "labels:", "  apps.cozystack.io/application.group: apps.cozystack.io"),
    ...lines(12, "apps.cozystack.io/application.kind: Kubernetes"),
    ...lines(12, `apps.cozystack.io/application.name: "${pool.application}"`, ...roles),
    ...lines(12, `cluster.x-k8s.io/deployment-name: ${poolName(pool)}`),
    ...lines(8, "spec:"),
    ...constraintLines(pool),
    ...lines(10, "domain:"),
    ...(cpu === undefined || cpu === ""
      ? []
      : lines(12, "cpu:", "  threads: 1", `  cores: ${cores(cpu)}`, "  sockets: 1")),
    ...lines(12, "devices:"),
    ...(pool.gpus.length === 0 ? [] : lines(14, "gpus:")),
    ...pool.gpus.flatMap(({ name }, at) => lines(14, `- name: gpu${at + 1}`, `  deviceName: ${name}`)),
    ...lines(14, "disks:", "- name: system", "  disk:", "    bus: virtio", "    pciAddress: 0000:07:00.0"),
    ...lines(16, "blockSize:", "  custom:", "    logical: 512", "    physical: 4096"),
    ...lines(14, "interfaces:", "- name: default", "  bridge: {}"),
    ...(pool.logSerialConsole ? lines(14, "logSerialConsole: true") : []),
    ...(memory === undefined || memory === "" ? [] : lines(12, "memory:", `  guest: ${memory}`)),
    ...lines(12, "resources:"),
    " ".repeat(14),
    ...lines(14, "limits:"),
    ...amounts(16, limits),
    ...lines(14, "requests:"),
    ...amounts(16, requests),
    ...lines(10, "evictionStrategy: External", "volumes:", "- name: system", "  dataVolume:", "    name: disk-system"),
    ...lines(10, "networks:", "- name: default", "  pod: {}"),
  ].join("\n");
}

/** Name of the pool's template: `<cluster>-<pool>-<digest>`. */
export function templateName(pool: NodePool): string {
  return `${poolName(pool)}-${createHash("sha256").update(templateText(pool)).digest("hex").slice(0, 6)}`;
}

export function machineTemplate(pool: NodePool): KubeObject {
  const labels = roleLabels(pool.roles);
  return KubevirtMachineTemplate(templateName(pool), {
    namespace: pool.namespace,
    spec: {
      template: {
        spec: {
          virtualMachineBootstrapCheck: { checkStrategy: "none" },
          virtualMachineTemplate: {
            metadata: { namespace: pool.namespace, ...(pool.roles.length === 0 ? {} : { labels }) },
            spec: machineSpec(pool),
          },
        },
      },
    },
  });
}
