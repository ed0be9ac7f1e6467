/**
 * Kinds of the core group that are no workloads: namespaces, configuration, services, nodes, events, quotas.
 */
import { defineKind } from "../define-kind.ts";
import type { KubeObject } from "../object.ts";
import type { Condition, ObjectReference, Quantities, Quantity, Strings } from "./common-fields.ts";

const core = { group: "", version: "v1" } as const;

export interface Namespace extends KubeObject {
  readonly spec?: { readonly finalizers?: readonly string[] };
  readonly status?: { readonly phase?: "Active" | "Terminating"; readonly conditions?: readonly Condition[] };
}
export const Namespace = defineKind<Namespace>({ ...core, kind: "Namespace", plural: "namespaces", namespaced: false });

export interface Secret extends KubeObject {
  readonly type?: string;
  /** Base64. */
  readonly data?: Strings;
  /** Written only; the API server moves it into `data`. */
  readonly stringData?: Strings;
  readonly immutable?: boolean;
}
export const Secret = defineKind<Secret>({ ...core, kind: "Secret", plural: "secrets", namespaced: true });

export interface ConfigMap extends KubeObject {
  readonly data?: Strings;
  /** Base64. */
  readonly binaryData?: Strings;
  readonly immutable?: boolean;
}
export const ConfigMap = defineKind<ConfigMap>({ ...core, kind: "ConfigMap", plural: "configmaps", namespaced: true });

export interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly targetPort?: number | string;
  readonly protocol?: "TCP" | "UDP" | "SCTP";
  readonly appProtocol?: string;
  readonly nodePort?: number;
}

export interface LoadBalancerIngress {
  readonly ip?: string;
  readonly hostname?: string;
  readonly ipMode?: string;
  readonly ports?: readonly { readonly port: number; readonly protocol: string; readonly error?: string }[];
}

export interface Service extends KubeObject {
  readonly spec: {
    readonly type?: "ClusterIP" | "NodePort" | "LoadBalancer" | "ExternalName";
    readonly ports?: readonly ServicePort[];
    readonly selector?: Strings;
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly externalIPs?: readonly string[];
    readonly externalName?: string;
    readonly externalTrafficPolicy?: "Cluster" | "Local";
    readonly internalTrafficPolicy?: "Cluster" | "Local";
    readonly allocateLoadBalancerNodePorts?: boolean;
    readonly loadBalancerClass?: string;
    readonly loadBalancerIP?: string;
    readonly loadBalancerSourceRanges?: readonly string[];
    readonly healthCheckNodePort?: number;
    readonly publishNotReadyAddresses?: boolean;
    readonly sessionAffinity?: "None" | "ClientIP";
    readonly ipFamilies?: readonly string[];
    readonly ipFamilyPolicy?: string;
  };
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly LoadBalancerIngress[] };
    readonly conditions?: readonly Condition[];
  };
}
export const Service = defineKind<Service>({ ...core, kind: "Service", plural: "services", namespaced: true });

export interface EndpointPort {
  readonly name?: string;
  readonly port: number;
  readonly protocol?: string;
  readonly appProtocol?: string;
}

export interface EndpointAddress {
  readonly ip: string;
  readonly hostname?: string;
  readonly nodeName?: string;
  readonly targetRef?: ObjectReference;
}

export interface Endpoints extends KubeObject {
  readonly subsets?: readonly {
    readonly addresses?: readonly EndpointAddress[];
    readonly notReadyAddresses?: readonly EndpointAddress[];
    readonly ports?: readonly EndpointPort[];
  }[];
}
export const Endpoints = defineKind<Endpoints>({ ...core, kind: "Endpoints", plural: "endpoints", namespaced: true });

export interface ServiceAccount extends KubeObject {
  readonly automountServiceAccountToken?: boolean;
  readonly secrets?: readonly ObjectReference[];
  readonly imagePullSecrets?: readonly { readonly name: string }[];
}
export const ServiceAccount = defineKind<ServiceAccount>({
  ...core,
  kind: "ServiceAccount",
  plural: "serviceaccounts",
  namespaced: true,
});

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: "NoSchedule" | "PreferNoSchedule" | "NoExecute";
  readonly timeAdded?: string;
}

export interface Node extends KubeObject {
  readonly spec?: {
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
    readonly podCIDR?: string;
    readonly podCIDRs?: readonly string[];
    readonly providerID?: string;
  };
  readonly status?: {
    readonly capacity?: Quantities;
    readonly allocatable?: Quantities;
    readonly conditions?: readonly (Condition & { readonly lastHeartbeatTime?: string })[];
    readonly addresses?: readonly { readonly type: string; readonly address: string }[];
    readonly nodeInfo?: Strings;
  };
}
export const Node = defineKind<Node>({ ...core, kind: "Node", plural: "nodes", namespaced: false });

export interface Event extends KubeObject {
  readonly involvedObject: ObjectReference;
  readonly reason?: string;
  readonly message?: string;
  readonly type?: "Normal" | "Warning";
  readonly count?: number;
  readonly firstTimestamp?: string | null;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
  readonly action?: string;
  readonly reportingComponent?: string;
  readonly reportingInstance?: string;
  readonly source?: { readonly component?: string; readonly host?: string };
}
export const Event = defineKind<Event>({ ...core, kind: "Event", plural: "events", namespaced: true });

export interface ResourceQuota extends KubeObject {
  readonly spec?: {
    readonly hard?: Quantities;
    readonly scopes?: readonly string[];
    readonly scopeSelector?: {
      readonly matchExpressions?: readonly {
        readonly scopeName: string;
        readonly operator: string;
        readonly values?: readonly string[];
      }[];
    };
  };
  readonly status?: { readonly hard?: Quantities; readonly used?: Quantities };
}
export const ResourceQuota = defineKind<ResourceQuota>({
  ...core,
  kind: "ResourceQuota",
  plural: "resourcequotas",
  namespaced: true,
});

export interface LimitRangeItem {
  readonly type: "Pod" | "Container" | "PersistentVolumeClaim";
  readonly max?: Quantities;
  readonly min?: Quantities;
  readonly default?: Quantities;
  readonly defaultRequest?: Quantities;
  readonly maxLimitRequestRatio?: Readonly<Record<string, Quantity>>;
}

export interface LimitRange extends KubeObject {
  readonly spec: { readonly limits: readonly LimitRangeItem[] };
}
export const LimitRange = defineKind<LimitRange>({
  ...core,
  kind: "LimitRange",
  plural: "limitranges",
  namespaced: true,
});
