/**
 * The network boundary of a tenant, as Cilium policies. Cilium denies what no policy allows as soon as one selects a
 * pod, so each of these opens one way.
 */
import { CiliumClusterwideNetworkPolicy, CiliumNetworkPolicy } from "../../contracts/cilium-io.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { TenantPlace } from "../../sdk/context.ts";
import { isRoot } from "./place.ts";

const NAMESPACE = "k8s:io.kubernetes.pod.namespace";
const NAMESPACE_LABEL = "k8s:io.cilium.k8s.namespace.labels.";
const SERVICE = "cozystack.io/service";

/** Services of the platform that every pod of a tenant may call: policy name to namespace. */
const PLATFORM_NAMESPACES: Readonly<Record<string, string>> = {
  "allow-to-dashboard": "cozy-dashboard",
  "allow-to-linstor-gui": "cozy-linstor",
  "allow-to-keycloak": "cozy-keycloak",
  "allow-to-grafana-dashboards": "cozy-grafana-operator",
  "allow-to-cdi-upload-proxy": "cozy-kubevirt-cdi",
};

/** The modules whose own policy exists only while the tenant runs them itself. */
export interface OwnModules {
  readonly etcd: boolean;
  readonly ingress: boolean;
  readonly monitoring: boolean;
}

export function policies(place: TenantPlace, own: OwnModules): readonly KubeObject[] {
  return [
    ...namespacePolicies(place.namespace),
    egress(place),
    ingress(place),
    ...(own.ingress ? [ingressToIngress(place.namespace)] : []),
    ...(own.etcd ? [ingressToEtcd(place.namespace)] : []),
    ...(own.monitoring ? [egressToVirtHandler(place.namespace)] : []),
  ];
}

type Labels = Readonly<Record<string, string>>;
const endpoint = (matchLabels: Labels) => ({ matchLabels });
const inNamespace = (namespace: string, labels: Labels = {}) => endpoint({ [NAMESPACE]: namespace, ...labels });

function namespacePolicies(namespace: string): readonly KubeObject[] {
  const everyPod = {};
  const to = (name: string, target: ReturnType<typeof endpoint>): KubeObject =>
    CiliumNetworkPolicy(name, { namespace, spec: { endpointSelector: everyPod, egress: [{ toEndpoints: [target] }] } });
  return [
    CiliumNetworkPolicy("allow-internal-communication", {
      namespace,
      spec: {
        endpointSelector: everyPod,
        ingress: [{ fromEndpoints: [{}] }],
        egress: [{ toEndpoints: [{}] }],
      },
    }),
    CiliumNetworkPolicy("allow-external-communication", {
      namespace,
      spec: {
        endpointSelector: everyPod,
        ingress: [{ fromEntities: ["world", "cluster"] }],
        egress: [{ toEntities: ["world"] }],
      },
    }),
    CiliumNetworkPolicy("allow-to-apiserver", {
      namespace,
      spec: {
        endpointSelector: endpoint({ "policy.cozystack.io/allow-to-apiserver": "true" }),
        egress: [
          { toEntities: ["kube-apiserver"] },
          // One on a node that Cilium does not know as the API server. Without peers the port would be open to every pod in the
          // cluster, those of other tenants included; the tenant's own clusters and what is outside are open anyway.
          { toEntities: ["host", "remote-node"], toPorts: [{ ports: [{ port: "6443", protocol: "TCP" }] }] },
        ],
      },
    }),
    to("allow-to-dns", inNamespace("kube-system", { "k8s-app": "kube-dns" })),
    ...Object.entries(PLATFORM_NAMESPACES).map(([name, target]) => to(name, inNamespace(target))),
    to("allow-to-ingress", endpoint({ [SERVICE]: "ingress" })),
  ];
}

/** Where clouds hand out the credentials of machines; part of "world" otherwise. */
const METADATA = ["169.254.169.254/32", "fd00:ec2::254/128"];

/** Ancestors that are not the tenant itself; none for tenant-root. */
function egress(place: TenantPlace): KubeObject {
  const each = (labels: Labels) => ({ toEndpoints: place.ancestors.map((ancestor) => inNamespace(ancestor, labels)) });
  return CiliumClusterwideNetworkPolicy(`${place.namespace}-egress`, {
    spec: {
      endpointSelector: inNamespace(place.namespace),
      egress: [
        // The tenant and everything below it: each of those namespaces carries the label of every ancestor.
        { toEndpoints: [endpoint({ [`${NAMESPACE_LABEL}tenant.cozystack.io/${place.namespace}`]: "" })] },
        ...(isRoot(place)
          ? []
          : [
              each({ "k8s:app.kubernetes.io/name": "vminsert" }),
              each({ "k8s:app.kubernetes.io/instance": "etcd" }),
              each({ [SERVICE]: "ingress" }),
            ]),
      ],
      ...(isRoot(place) ? {} : { egressDeny: [{ toCIDR: METADATA }] }),
    },
  });
}

function ingress(place: TenantPlace): KubeObject {
  return CiliumClusterwideNetworkPolicy(`${place.namespace}-ingress`, {
    spec: {
      endpointSelector: inNamespace(place.namespace),
      ingress: [
        { fromEntities: ["kube-apiserver"] },
        { fromEndpoints: [endpoint({ [`${NAMESPACE_LABEL}cozystack.io/system`]: "true" })] },
        { fromEndpoints: [inNamespace("kube-system")] },
        ...(isRoot(place) ? [] : [{ fromEndpoints: place.ancestors.map((ancestor) => inNamespace(ancestor)) }]),
      ],
    },
  });
}

function ingressToIngress(namespace: string): KubeObject {
  return CiliumClusterwideNetworkPolicy(`${namespace}-ingress-ingress`, {
    spec: {
      endpointSelector: inNamespace(namespace, { [SERVICE]: "ingress" }),
      ingress: [{ fromEndpoints: [{}] }],
    },
  });
}

function ingressToEtcd(namespace: string): KubeObject {
  return CiliumClusterwideNetworkPolicy(`${namespace}-ingress-etcd`, {
    spec: {
      endpointSelector: inNamespace(namespace, { [SERVICE]: "etcd" }),
      ingress: [
        {
          fromEndpoints: [
            endpoint({
              [`${NAMESPACE_LABEL}namespace.cozystack.io/etcd`]: namespace,
              "policy.cozystack.io/allow-to-etcd": "true",
            }),
          ],
        },
      ],
    },
  });
}

function egressToVirtHandler(namespace: string): KubeObject {
  return CiliumClusterwideNetworkPolicy(`${namespace}-egress-virt-handler`, {
    spec: {
      endpointSelector: inNamespace(namespace, { "k8s:app.kubernetes.io/name": "vmagent" }),
      egress: [
        {
          toEndpoints: [inNamespace("cozy-kubevirt", { "k8s:kubevirt.io": "virt-handler" })],
          toPorts: [{ ports: [{ port: "8443", protocol: "TCP" }] }],
        },
      ],
    },
  });
}
