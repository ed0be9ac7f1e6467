/** What is installed into a cluster, when, after what, and with which values. */
import type { StorageClassObject } from "../../../contracts/storage-k8s-io.ts";
import type { Input, Spec } from "../spec.ts";
import { monitoringAgents, verticalPodAutoscaler } from "./agents.ts";
import { storageClasses } from "./storage-classes.ts";
import { overlay, type Values } from "./values.ts";
import { certManager, cilium, ingressNginx, ouroboros } from "./web.ts";

export interface Addon {
  /** Last part of the HelmRelease's name. */
  readonly suffix: string;
  /** Name of the release in the cluster. Default: `suffix`. */
  readonly releaseName?: string;
  /** Default: `suffix`. */
  readonly chart?: string;
  readonly namespace: string;
  /** Default: always. */
  readonly when?: (addons: Spec["addons"]) => boolean;
  /** Suffixes of what must be ready first. */
  readonly after?: (addons: Spec["addons"]) => readonly string[];
  /** Undefined: none are given. */
  readonly values?: (input: Input, classes: readonly StorageClassObject[]) => Values | undefined;
  /** Without it the cluster is of no use: try again soon, without taking away what is there. */
  readonly isBasic?: true;
  /** Only definitions: there is nothing to wait for. */
  readonly hasNoTimeout?: true;
  /** The namespace is there from the beginning. */
  readonly namespaceExists?: true;
}

const after =
  (...suffixes: readonly string[]) =>
  (): readonly string[] =>
    suffixes;

const gateway = ({ gatewayAPI }: Spec["addons"]) => (gatewayAPI.enabled ? ["gateway-api-crds"] : []);

const none = (values: Values): Values | undefined => (Object.keys(values).length === 0 ? undefined : values);

function gpuOperator({ spec }: Input): Values {
  return {
    kernelModuleConfig: { create: true },
    "gpu-operator": {
      driver: { kernelModuleConfig: { name: "nvidia-kernel-module-params" } },
      ...(spec.addons.hami.enabled ? { devicePlugin: { enabled: false } } : {}),
    },
  };
}

export const addons: readonly Addon[] = [
  {
    suffix: "cilium",
    namespace: "cozy-cilium",
    isBasic: true,
    after: gateway,
    values: (input) => overlay(cilium(input), input.spec.addons.cilium.valuesOverride),
  },
  {
    suffix: "coredns",
    namespace: "kube-system",
    namespaceExists: true,
    after: after("cilium"),
    values: ({ spec }) =>
      overlay({ coredns: { service: { clusterIP: "10.95.0.10" } } }, spec.addons.coredns.valuesOverride),
  },
  {
    suffix: "csi",
    chart: "kubevirt-csi-node",
    namespace: "cozy-csi",
    isBasic: true,
    after: after("vsnap-crd", "cilium"),
    values: ({ spec }, classes) => ({ storageClasses: storageClasses(spec.storageClass, classes) }),
  },
  { suffix: "vsnap-crd", chart: "volumesnapshot-crd", namespace: "cozy-vsnap-crd" },
  { suffix: "prometheus-operator-crds", namespace: "cozy-victoria-metrics-operator", hasNoTimeout: true },
  {
    suffix: "metrics-server",
    namespace: "cozy-monitoring",
    after: after("cilium", "prometheus-operator-crds"),
  },
  { suffix: "cert-manager-crds", namespace: "cozy-cert-manager-crds", when: (all) => all.certManager.enabled },
  {
    suffix: "cert-manager",
    namespace: "cozy-cert-manager",
    when: (all) => all.certManager.enabled,
    after: after("cilium", "cert-manager-crds"),
    values: (input) => overlay(certManager(input), input.spec.addons.certManager.valuesOverride),
  },
  {
    suffix: "gateway-api-crds",
    namespace: "kube-system",
    namespaceExists: true,
    when: (all) => all.gatewayAPI.enabled,
  },
  {
    suffix: "ingress-nginx",
    namespace: "cozy-ingress-nginx",
    when: (all) => all.ingressNginx.enabled,
    after: after("cilium"),
    values: (input) => overlay(ingressNginx(input), input.spec.addons.ingressNginx.valuesOverride),
  },
  {
    suffix: "gpu-operator",
    namespace: "cozy-gpu-operator",
    when: (all) => all.gpuOperator.enabled,
    after: after("cilium"),
    values: (input) => overlay(gpuOperator(input), input.spec.addons.gpuOperator.valuesOverride),
  },
  {
    suffix: "hami",
    namespace: "cozy-hami",
    when: (all) => all.hami.enabled,
    after: after("cilium", "gpu-operator"),
    values: ({ spec }) => none(spec.addons.hami.valuesOverride),
  },
  {
    suffix: "velero",
    namespace: "cozy-velero",
    when: (all) => all.velero.enabled,
    after: after("cilium"),
    values: ({ spec }) => none(spec.addons.velero.valuesOverride),
  },
  {
    suffix: "cozy-victoria-metrics-operator",
    chart: "victoria-metrics-operator",
    namespace: "cozy-victoria-metrics-operator",
    when: (all) => all.monitoringAgents.enabled,
    after: (all) => ["cilium", ...(all.certManager.enabled ? ["cert-manager-crds"] : [])],
  },
  {
    suffix: "vertical-pod-autoscaler-crds",
    namespace: "cozy-vertical-pod-autoscaler-crds",
    when: (all) => all.monitoringAgents.enabled,
    hasNoTimeout: true,
  },
  {
    suffix: "monitoring-agents",
    releaseName: "cozy-monitoring-agents",
    namespace: "cozy-monitoring",
    when: (all) => all.monitoringAgents.enabled,
    after: after(
      "cozy-victoria-metrics-operator",
      "vertical-pod-autoscaler-crds",
      "prometheus-operator-crds",
      "metrics-server",
    ),
    values: (input) => monitoringAgents(input),
  },
  {
    suffix: "vertical-pod-autoscaler",
    namespace: "cozy-vertical-pod-autoscaler",
    when: (all) => all.monitoringAgents.enabled,
    after: after("monitoring-agents"),
    values: (input) => overlay(verticalPodAutoscaler(input), input.spec.addons.verticalPodAutoscaler.valuesOverride),
  },
  {
    suffix: "ouroboros",
    namespace: "cozy-ouroboros",
    when: (all) => all.ouroboros.enabled,
    after: (all) => ["cilium", "coredns", "ingress-nginx", ...gateway(all)],
    values: (input) => overlay(ouroboros(input), input.spec.addons.ouroboros.valuesOverride),
  },
];
