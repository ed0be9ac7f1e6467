/**
 * Kinds of the core group.
 */
import type { KubeObject } from "../kube/object.ts";
import { defineBuiltin } from "./builtin.ts";
import type { ClaimSpec, Condition, LocalReference, PodSpec, Protocol } from "./pod.ts";

const core = { group: "", version: "v1", namespaced: true } as const;

type Texts = Readonly<Record<string, string>>;
type Quantities = Readonly<Record<string, string | number>>;

export interface NamespaceObject extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: string; readonly conditions?: readonly Condition[] };
}
export const Namespace = defineBuiltin<NamespaceObject>({
  ...core,
  kind: "Namespace",
  plural: "namespaces",
  namespaced: false,
});

export interface SecretObject extends KubeObject {
  readonly type?: string;
  /** Values in base64. */
  readonly data?: Texts;
  /** Values as they are; the API server turns them into `data`. */
  readonly stringData?: Texts;
  readonly immutable?: boolean;
}
export const Secret = defineBuiltin<SecretObject>({
  ...core,
  kind: "Secret",
  plural: "secrets",
  impact: { otherwise: "inPlace", at: { type: "replaces", immutable: "replaces" } },
});

export interface ConfigMapObject extends KubeObject {
  readonly data?: Texts;
  readonly binaryData?: Texts;
  readonly immutable?: boolean;
}
export const ConfigMap = defineBuiltin<ConfigMapObject>({
  ...core,
  kind: "ConfigMap",
  plural: "configmaps",
  impact: { otherwise: "inPlace", at: { immutable: "replaces" } },
});

export interface ServiceAccountObject extends KubeObject {
  readonly secrets?: readonly LocalReference[];
  readonly imagePullSecrets?: readonly LocalReference[];
  readonly automountServiceAccountToken?: boolean;
}
export const ServiceAccount = defineBuiltin<ServiceAccountObject>({
  ...core,
  kind: "ServiceAccount",
  plural: "serviceaccounts",
});

export interface ServicePort {
  readonly port: number;
  readonly name?: string;
  readonly protocol?: Protocol;
  readonly targetPort?: number | string;
  readonly nodePort?: number;
  readonly appProtocol?: string;
}

export interface ServiceObject extends KubeObject {
  readonly spec: {
    readonly type?: "ClusterIP" | "NodePort" | "LoadBalancer" | "ExternalName";
    readonly selector?: Texts;
    readonly ports?: readonly ServicePort[];
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly externalName?: string;
    readonly externalIPs?: readonly string[];
    readonly externalTrafficPolicy?: "Cluster" | "Local";
    readonly internalTrafficPolicy?: "Cluster" | "Local";
    readonly allocateLoadBalancerNodePorts?: boolean;
    readonly loadBalancerIP?: string;
    readonly loadBalancerClass?: string;
    readonly loadBalancerSourceRanges?: readonly string[];
    readonly publishNotReadyAddresses?: boolean;
    readonly ipFamilyPolicy?: string;
    readonly ipFamilies?: readonly string[];
    readonly sessionAffinity?: "None" | "ClientIP";
  };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
    readonly conditions?: readonly Condition[];
  };
}
export const Service = defineBuiltin<ServiceObject>({
  ...core,
  kind: "Service",
  plural: "services",
  impact: {
    otherwise: "inPlace",
    at: { "spec.clusterIP": "replaces", "spec.clusterIPs": "replaces", "spec.loadBalancerClass": "replaces" },
  },
});

export interface EndpointsObject extends KubeObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly { readonly ip: string }[];
    readonly ports?: readonly { readonly name?: string; readonly port: number; readonly protocol?: Protocol }[];
  }[];
}
export const Endpoints = defineBuiltin<EndpointsObject>({ ...core, kind: "Endpoints", plural: "endpoints" });

export interface PersistentVolumeClaimObject extends KubeObject {
  readonly spec: ClaimSpec;
  readonly status?: {
    readonly phase?: "Pending" | "Bound" | "Lost";
    readonly capacity?: Quantities;
    readonly accessModes?: readonly string[];
    readonly conditions?: readonly Condition[];
  };
}
export const PersistentVolumeClaim = defineBuiltin<PersistentVolumeClaimObject>({
  ...core,
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
  impact: { otherwise: "losesData", at: { "spec.resources": "inPlace", "spec.volumeAttributesClassName": "inPlace" } },
});

export interface PersistentVolumeObject extends KubeObject {
  readonly spec: {
    readonly capacity?: Quantities;
    readonly accessModes?: readonly string[];
    readonly storageClassName?: string;
    readonly persistentVolumeReclaimPolicy?: "Retain" | "Delete" | "Recycle";
    readonly volumeMode?: "Filesystem" | "Block";
    readonly claimRef?: { readonly namespace?: string; readonly name?: string; readonly uid?: string };
    readonly hostPath?: { readonly path: string };
    readonly csi?: { readonly driver: string; readonly volumeHandle: string };
  };
  readonly status?: { readonly phase?: string };
}
export const PersistentVolume = defineBuiltin<PersistentVolumeObject>({
  ...core,
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  namespaced: false,
  impact: {
    otherwise: "losesData",
    at: { "spec.capacity": "inPlace", "spec.persistentVolumeReclaimPolicy": "inPlace", "spec.claimRef": "inPlace" },
  },
});

export interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly image: string;
  readonly imageID: string;
  readonly started?: boolean;
  readonly state?: {
    readonly running?: { readonly startedAt?: string };
    readonly waiting?: { readonly reason?: string; readonly message?: string };
    readonly terminated?: { readonly exitCode: number; readonly reason?: string; readonly message?: string };
  };
}

export interface PodObject extends KubeObject {
  readonly spec: PodSpec;
  readonly status?: {
    readonly phase?: "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";
    readonly reason?: string;
    readonly message?: string;
    readonly podIP?: string;
    readonly podIPs?: readonly { readonly ip: string }[];
    readonly hostIP?: string;
    readonly startTime?: string;
    readonly conditions?: readonly Condition[];
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
  };
}
export const Pod = defineBuiltin<PodObject>({
  ...core,
  kind: "Pod",
  plural: "pods",
  impact: { otherwise: "replaces", at: { "spec.containers.*.image": "restarts" } },
});

export interface NodeObject extends KubeObject {
  readonly spec?: {
    readonly podCIDR?: string;
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  };
  readonly status?: {
    readonly capacity?: Quantities;
    readonly allocatable?: Quantities;
    readonly conditions?: readonly (Condition & { readonly lastHeartbeatTime?: string })[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly nodeInfo?: Texts;
    readonly images?: readonly object[];
  };
}
export const Node = defineBuiltin<NodeObject>({ ...core, kind: "Node", plural: "nodes", namespaced: false });

export interface EventObject extends KubeObject {
  readonly involvedObject: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly namespace?: string;
    readonly name?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly fieldPath?: string;
  };
  readonly type?: "Normal" | "Warning";
  readonly reason?: string;
  readonly message?: string;
  readonly count?: number;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly source?: { readonly component?: string; readonly host?: string };
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
  readonly action?: string;
}
export const Event = defineBuiltin<EventObject>({ ...core, kind: "Event", plural: "events" });

export interface ResourceQuotaObject extends KubeObject {
  readonly spec?: { readonly hard?: Quantities; readonly scopes?: readonly string[] };
  readonly status?: { readonly hard?: Quantities; readonly used?: Quantities };
}
export const ResourceQuota = defineBuiltin<ResourceQuotaObject>({
  ...core,
  kind: "ResourceQuota",
  plural: "resourcequotas",
});

export interface LimitRangeObject extends KubeObject {
  readonly spec: {
    readonly limits: readonly {
      readonly type: "Container" | "Pod" | "PersistentVolumeClaim";
      readonly default?: Quantities;
      readonly defaultRequest?: Quantities;
      readonly min?: Quantities;
      readonly max?: Quantities;
      readonly maxLimitRequestRatio?: Quantities;
    }[];
  };
}
export const LimitRange = defineBuiltin<LimitRangeObject>({ ...core, kind: "LimitRange", plural: "limitranges" });

export const coreKinds = [
  Namespace,
  Secret,
  ConfigMap,
  ServiceAccount,
  Service,
  Endpoints,
  PersistentVolumeClaim,
  PersistentVolume,
  Pod,
  Node,
  Event,
  ResourceQuota,
  LimitRange,
] as const;
