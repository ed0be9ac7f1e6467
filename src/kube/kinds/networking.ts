/**
 * Ingresses, network policies and endpoint slices.
 */
import { defineKind } from "../define-kind.ts";
import type { KubeObject } from "../object.ts";
import type { LabelSelector, ObjectReference } from "./common-fields.ts";
import type { LoadBalancerIngress } from "./core.ts";

const networking = { group: "networking.k8s.io", version: "v1", namespaced: true } as const;

export interface IngressBackend {
  readonly service?: {
    readonly name: string;
    readonly port?: { readonly number?: number; readonly name?: string };
  };
  readonly resource?: { readonly apiGroup?: string; readonly kind: string; readonly name: string };
}

export interface Ingress extends KubeObject {
  readonly spec?: {
    readonly ingressClassName?: string;
    readonly defaultBackend?: IngressBackend;
    readonly tls?: readonly { readonly hosts?: readonly string[]; readonly secretName?: string }[];
    readonly rules?: readonly {
      readonly host?: string;
      readonly http?: {
        readonly paths: readonly {
          readonly path?: string;
          readonly pathType: "Exact" | "Prefix" | "ImplementationSpecific";
          readonly backend: IngressBackend;
        }[];
      };
    }[];
  };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly LoadBalancerIngress[] } };
}
export const Ingress = defineKind<Ingress>({ ...networking, kind: "Ingress", plural: "ingresses" });

/** Of the whole cluster: which controllers serve the Ingresses that name it. */
export interface IngressClass extends KubeObject {
  readonly spec?: { readonly controller?: string };
}
export const IngressClass = defineKind<IngressClass>({
  ...networking,
  kind: "IngressClass",
  plural: "ingressclasses",
  namespaced: false,
});

export interface NetworkPolicyPeer {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

export interface NetworkPolicyPort {
  readonly port?: number | string;
  readonly endPort?: number;
  readonly protocol?: "TCP" | "UDP" | "SCTP";
}

export interface NetworkPolicy extends KubeObject {
  readonly spec?: {
    readonly podSelector?: LabelSelector;
    readonly policyTypes?: readonly ("Ingress" | "Egress")[];
    readonly ingress?: readonly {
      readonly from?: readonly NetworkPolicyPeer[];
      readonly ports?: readonly NetworkPolicyPort[];
    }[];
    readonly egress?: readonly {
      readonly to?: readonly NetworkPolicyPeer[];
      readonly ports?: readonly NetworkPolicyPort[];
    }[];
  };
}
export const NetworkPolicy = defineKind<NetworkPolicy>({
  ...networking,
  kind: "NetworkPolicy",
  plural: "networkpolicies",
});

export interface EndpointSlice extends KubeObject {
  readonly addressType: "IPv4" | "IPv6" | "FQDN";
  readonly endpoints?: readonly {
    readonly addresses: readonly string[];
    readonly conditions?: { readonly ready?: boolean; readonly serving?: boolean; readonly terminating?: boolean };
    readonly hostname?: string;
    readonly nodeName?: string;
    readonly zone?: string;
    readonly targetRef?: ObjectReference;
  }[];
  readonly ports?: readonly {
    readonly name?: string;
    readonly port?: number;
    readonly protocol?: string;
    readonly appProtocol?: string;
  }[];
}
export const EndpointSlice = defineKind<EndpointSlice>({
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  plural: "endpointslices",
  namespaced: true,
});
