/** Tenants as the network sees them: their namespaces, the policies rendered for them, and pods with the labels that count. */
import { render } from "../../../src/apps/tenant/fixture.ts";
import { childPlace } from "../../../src/apps/tenant/place.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
import type { TenantPlace } from "../../../src/sdk/context.ts";
import type { Labels, PodPeer } from "./policy.ts";

export interface Modules {
  readonly ingress?: boolean;
  readonly etcd?: boolean;
  readonly monitoring?: boolean;
  readonly seaweedfs?: boolean;
  readonly gateway?: boolean;
}

export interface Tenant {
  readonly place: TenantPlace;
  readonly labels: Labels;
  readonly policies: readonly KubeObject[];
}

/** Tenant `name` of `parent`; without a parent: the root. */
export function tenantOf(name: string, parent: Tenant | undefined, modules: Modules = {}): Tenant {
  const above: TenantPlace = parent?.place ?? { namespace: "tenant-root", ancestors: [] };
  const place = childPlace(name, above);
  const objects = render({ name, parent: above, spec: modules }).map(({ object }) => object);
  const namespace = objects.find(({ kind, metadata }) => kind === "Namespace" && metadata.name === place.namespace);
  return {
    place,
    labels: namespace?.metadata.labels ?? {},
    policies: objects
      .filter(({ kind }) => /NetworkPolicy$/.test(kind))
      .map((object) =>
        object.kind === "CiliumNetworkPolicy"
          ? { ...object, metadata: { namespace: place.namespace, ...object.metadata } }
          : object,
      ),
  };
}

/** A pod of a tenant. */
export function podOf({ place, labels: namespaceLabels }: Tenant, labels: Labels = {}): PodPeer {
  return { is: "pod", namespace: place.namespace, namespaceLabels, labels };
}

/** A pod of the platform; its namespaces are labelled so. */
export function platformPod(namespace: string, labels: Labels = {}): PodPeer {
  return { is: "pod", namespace, namespaceLabels: { "cozystack.io/system": "true" }, labels };
}

/** Labels by which policies know what a pod is. */
export const roles = {
  plain: {},
  ingress: { "cozystack.io/service": "ingress" },
  etcd: { "cozystack.io/service": "etcd", "app.kubernetes.io/instance": "etcd" },
  metrics: { "app.kubernetes.io/name": "vminsert" },
  collector: { "app.kubernetes.io/name": "vmagent" },
  apiClient: { "policy.cozystack.io/allow-to-apiserver": "true" },
  etcdClient: { "policy.cozystack.io/allow-to-etcd": "true" },
} as const satisfies Record<string, Labels>;
export type PodRole = keyof typeof roles;
