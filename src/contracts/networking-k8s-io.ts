/**
 * Kinds of the group `networking.k8s.io`.
 */
import type { KubeObject } from "../kube/object.ts";
import { defineBuiltin } from "./builtin.ts";
import type { LabelSelector, Protocol } from "./pod.ts";

const networking = { group: "networking.k8s.io", version: "v1", namespaced: true } as const;

export interface IngressBackend {
  readonly service?: {
    readonly name: string;
    readonly port: { readonly number?: number; readonly name?: string };
  };
  readonly resource?: { readonly apiGroup?: string; readonly kind: string; readonly name: string };
}

export interface IngressObject extends KubeObject {
  readonly spec: {
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
  readonly status?: {
    readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string; readonly hostname?: string }[] };
  };
}
export const Ingress = defineBuiltin<IngressObject>({ ...networking, kind: "Ingress", plural: "ingresses" });

export interface NetworkPolicyPeer {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
  readonly ipBlock?: { readonly cidr: string; readonly except?: readonly string[] };
}

export interface NetworkPolicyPort {
  readonly protocol?: Protocol;
  readonly port?: number | string;
  readonly endPort?: number;
}

export interface NetworkPolicyObject extends KubeObject {
  readonly spec: {
    readonly podSelector: LabelSelector;
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
export const NetworkPolicy = defineBuiltin<NetworkPolicyObject>({
  ...networking,
  kind: "NetworkPolicy",
  plural: "networkpolicies",
});

export const networkingKinds = [Ingress, NetworkPolicy] as const;
