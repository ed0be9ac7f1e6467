/** The evaluator itself, on small policies whose meaning Kubernetes' and Cilium's documentation tell. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../src/kube/object.ts";
import { type Peer, type PodPeer, reaches } from "./policy.ts";

const pod = (namespace: string, labels: PodPeer["labels"] = {}): PodPeer => ({
  is: "pod",
  namespace,
  labels,
  namespaceLabels: { team: namespace },
});
const a = pod("a", { app: "web" });
const a2 = pod("a", { app: "db" });
const b = pod("b", { app: "web" });
const world: Peer = { is: "entity", entity: "world", address: "192.0.2.7" };
const node: Peer = { is: "entity", entity: "host" };
const apiserver: Peer = { is: "entity", entity: "kube-apiserver" };
const http = { port: 80, protocol: "TCP" } as const;

const object = (kind: string, namespace: string | undefined, spec: object): KubeObject & { readonly spec: object } => ({
  apiVersion: "x/v1",
  kind,
  metadata: { name: "p", ...(namespace === undefined ? {} : { namespace }) },
  spec,
});
const cilium = (spec: object, namespace = "a") =>
  object("CiliumNetworkPolicy", namespace, { endpointSelector: {}, ...spec });
const clusterwide = (spec: object) =>
  object("CiliumClusterwideNetworkPolicy", undefined, { endpointSelector: {}, ...spec });
const kubernetes = (spec: object, namespace = "a") => object("NetworkPolicy", namespace, { podSelector: {}, ...spec });

interface Row {
  readonly why: string;
  readonly policies: readonly KubeObject[];
  readonly from: Peer;
  readonly to: Peer;
  readonly port?: { readonly port: number; readonly protocol: "TCP" | "UDP" };
  readonly reaches: boolean;
}

const inA = { matchLabels: { "k8s:io.kubernetes.pod.namespace": "a" } };
const rows: readonly Row[] = [
  { why: "without policies all is open", policies: [], from: b, to: a, reaches: true },
  {
    why: "a rule for egress closes egress alone",
    policies: [cilium({ egress: [{ toEntities: ["world"] }] })],
    from: b,
    to: a,
    reaches: true,
  },
  {
    why: "and opens what it names",
    policies: [cilium({ egress: [{ toEntities: ["world"] }] })],
    from: a,
    to: world,
    reaches: true,
  },
  {
    why: "and nothing else",
    policies: [cilium({ egress: [{ toEntities: ["world"] }] })],
    from: a,
    to: b,
    reaches: false,
  },
  { why: "an empty rule closes", policies: [cilium({ ingress: [{}] })], from: b, to: a, reaches: false },
  { why: "an empty list says nothing", policies: [cilium({ ingress: [] })], from: b, to: a, reaches: true },
  {
    why: "no closing on request",
    policies: [cilium({ enableDefaultDeny: { ingress: false }, ingress: [{}] })],
    from: b,
    to: a,
    reaches: true,
  },
  {
    why: "an empty selector means the policy's own namespace",
    policies: [cilium({ ingress: [{ fromEndpoints: [{}] }] })],
    from: a2,
    to: a,
    reaches: true,
  },
  { why: "and no other", policies: [cilium({ ingress: [{ fromEndpoints: [{}] }] })], from: b, to: a, reaches: false },
  {
    why: "clusterwide it means all pods",
    policies: [clusterwide({ endpointSelector: inA, ingress: [{ fromEndpoints: [{}] }] })],
    from: b,
    to: a,
    reaches: true,
  },
  {
    why: "but nothing outside",
    policies: [clusterwide({ endpointSelector: inA, ingress: [{ fromEndpoints: [{}] }] })],
    from: world,
    to: a,
    reaches: false,
  },
  {
    why: "a namespace named",
    policies: [cilium({ ingress: [{ fromEndpoints: [{ matchLabels: { "k8s:io.kubernetes.pod.namespace": "b" } }] }] })],
    from: b,
    to: a,
    reaches: true,
  },
  {
    why: "labels of a namespace",
    policies: [
      cilium({
        ingress: [{ fromEndpoints: [{ matchLabels: { "k8s:io.cilium.k8s.namespace.labels.team": "b", app: "web" } }] }],
      }),
    ],
    from: b,
    to: a,
    reaches: true,
  },
  {
    why: "labels of another namespace",
    policies: [
      cilium({ ingress: [{ fromEndpoints: [{ matchLabels: { "k8s:io.cilium.k8s.namespace.labels.team": "c" } }] }] }),
    ],
    from: b,
    to: a,
    reaches: false,
  },
  {
    why: "expressions",
    policies: [
      cilium({
        ingress: [{ fromEndpoints: [{ matchExpressions: [{ key: "app", operator: "In", values: ["db"] }] }] }],
      }),
    ],
    from: a2,
    to: a,
    reaches: true,
  },
  {
    why: "expressions that exclude",
    policies: [
      cilium({
        ingress: [{ fromEndpoints: [{ matchExpressions: [{ key: "app", operator: "NotIn", values: ["db"] }] }] }],
      }),
    ],
    from: a2,
    to: a,
    reaches: false,
  },
  {
    why: "selected by label",
    policies: [cilium({ endpointSelector: { matchLabels: { app: "db" } }, ingress: [{}] })],
    from: b,
    to: a,
    reaches: true,
  },
  {
    why: "the cluster is pods of all namespaces",
    policies: [cilium({ ingress: [{ fromEntities: ["cluster"] }] })],
    from: b,
    to: a,
    reaches: true,
  },
  {
    why: "and nodes",
    policies: [cilium({ ingress: [{ fromEntities: ["cluster"] }] })],
    from: node,
    to: a,
    reaches: true,
  },
  {
    why: "and not the world",
    policies: [cilium({ ingress: [{ fromEntities: ["cluster"] }] })],
    from: world,
    to: a,
    reaches: false,
  },
  {
    why: "the world is no pod",
    policies: [cilium({ egress: [{ toEntities: ["world"] }] })],
    from: a,
    to: a2,
    reaches: false,
  },
  {
    why: "the API server by its entity",
    policies: [cilium({ egress: [{ toEntities: ["kube-apiserver"] }] })],
    from: a,
    to: apiserver,
    reaches: true,
  },
  {
    why: "a node is no API server",
    policies: [cilium({ egress: [{ toEntities: ["kube-apiserver"] }] })],
    from: a,
    to: node,
    reaches: false,
  },
  {
    why: "ports alone mean everybody",
    policies: [cilium({ egress: [{ toPorts: [{ ports: [{ port: "80", protocol: "TCP" }] }] }] })],
    from: a,
    to: b,
    reaches: true,
  },
  {
    why: "on these ports",
    policies: [cilium({ egress: [{ toPorts: [{ ports: [{ port: "81", protocol: "TCP" }] }] }] })],
    from: a,
    to: b,
    reaches: false,
  },
  {
    why: "and this protocol",
    policies: [cilium({ egress: [{ toPorts: [{ ports: [{ port: "80", protocol: "TCP" }] }] }] })],
    from: a,
    to: b,
    port: { port: 80, protocol: "UDP" },
    reaches: false,
  },
  {
    why: "a range of ports",
    policies: [cilium({ egress: [{ toPorts: [{ ports: [{ port: "70", endPort: 90 }] }] }] })],
    from: a,
    to: b,
    reaches: true,
  },
  {
    why: "addresses",
    policies: [cilium({ ingress: [{ fromCIDR: ["192.0.2.0/24"] }] })],
    from: world,
    to: a,
    reaches: true,
  },
  {
    why: "addresses excepted",
    policies: [cilium({ ingress: [{ fromCIDRSet: [{ cidr: "192.0.2.0/24", except: ["192.0.2.7/32"] }] }] })],
    from: world,
    to: a,
    reaches: false,
  },
  {
    why: "addresses mean no pods",
    policies: [cilium({ ingress: [{ fromCIDR: ["0.0.0.0/0"] }] })],
    from: b,
    to: a,
    reaches: false,
  },
  {
    why: "denied wins",
    policies: [
      cilium({
        ingress: [{ fromEntities: ["all"] }],
        ingressDeny: [{ fromEndpoints: [{ matchLabels: { "k8s:io.kubernetes.pod.namespace": "b" } }] }],
      }),
    ],
    from: b,
    to: a,
    reaches: false,
  },
  {
    why: "denied elsewhere",
    policies: [cilium({ ingress: [{ fromEntities: ["all"] }], ingressDeny: [{ fromEntities: ["world"] }] })],
    from: b,
    to: a,
    reaches: true,
  },
  {
    why: "policies add up",
    policies: [
      cilium({ ingress: [{ fromEntities: ["world"] }] }),
      cilium({ ingress: [{ fromEntities: ["cluster"] }] }),
    ],
    from: b,
    to: a,
    reaches: true,
  },
  {
    why: "both ends must agree",
    policies: [cilium({ egress: [{ toEntities: ["cluster"] }] }), cilium({ ingress: [{}] }, "b")],
    from: a,
    to: b,
    reaches: false,
  },
  { why: "Kubernetes: ingress by default", policies: [kubernetes({})], from: b, to: a, reaches: false },
  { why: "Kubernetes: not egress", policies: [kubernetes({})], from: a, to: b, reaches: true },
  { why: "Kubernetes: an empty rule opens", policies: [kubernetes({ ingress: [{}] })], from: b, to: a, reaches: true },
  {
    why: "Kubernetes: pods mean one's own namespace",
    policies: [kubernetes({ ingress: [{ from: [{ podSelector: {} }] }] })],
    from: b,
    to: a,
    reaches: false,
  },
  {
    why: "Kubernetes: namespaces",
    policies: [kubernetes({ ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: "b" } } }] }] })],
    from: b,
    to: a,
    reaches: true,
  },
  {
    why: "Kubernetes: namespaces by name",
    policies: [
      kubernetes({
        ingress: [{ from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "c" } } }] }],
      }),
    ],
    from: b,
    to: a,
    reaches: false,
  },
  {
    why: "Kubernetes: addresses",
    policies: [kubernetes({ ingress: [{ from: [{ ipBlock: { cidr: "192.0.2.0/24" } }] }] })],
    from: world,
    to: a,
    reaches: true,
  },
  {
    why: "Kubernetes and Cilium add up",
    policies: [kubernetes({}), cilium({ ingress: [{ fromEntities: ["cluster"] }] })],
    from: b,
    to: a,
    reaches: true,
  },
];

for (const { why, policies, from, to, port = http, reaches: expected } of rows) {
  test(`evaluator: ${why}`, () => assert.equal(reaches(policies, from, to, port), expected));
}
