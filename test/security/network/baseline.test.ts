/** Who reaches whom, by the policies that are rendered for tenants. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Peer, type Port, reaches } from "./policy.ts";
import { type PodRole, platformPod, podOf, roles, tenantOf } from "./tenants.ts";

const root = tenantOf("root", undefined, { ingress: true, etcd: true, monitoring: true, seaweedfs: true });
const parent = tenantOf("up", root, { ingress: true, etcd: true, monitoring: true });
const own = tenantOf("own", parent, { monitoring: true });
const child = tenantOf("low", own);
const sibling = tenantOf("side", parent, { ingress: true, etcd: true, monitoring: true, gateway: true });
const tenants = { root, parent, own, child, sibling } as const;
const policies = Object.values(tenants).flatMap((tenant) => tenant.policies);

/** What is no tenant. `foreign`: a pod in a namespace that nobody gave to the platform. */
const others = {
  world: { is: "entity", entity: "world", address: "192.0.2.7" },
  metadata: { is: "entity", entity: "world", address: "169.254.169.254" },
  node: { is: "entity", entity: "host" },
  otherNode: { is: "entity", entity: "remote-node" },
  apiServer: { is: "entity", entity: "kube-apiserver" },
  gateway: { is: "entity", entity: "ingress" },
  platform: platformPod("cozy-system"),
  dns: platformPod("kube-system", { "k8s-app": "kube-dns" }),
  kubeSystem: { ...platformPod("kube-system"), namespaceLabels: {} },
  dashboard: platformPod("cozy-dashboard"),
  keycloak: platformPod("cozy-keycloak"),
  linstor: platformPod("cozy-linstor"),
  grafana: platformPod("cozy-grafana-operator"),
  uploads: platformPod("cozy-kubevirt-cdi"),
  machines: platformPod("cozy-kubevirt", { "kubevirt.io": "virt-handler" }),
  foreign: { ...platformPod("default"), namespaceLabels: {} },
} as const satisfies Record<string, Peer>;

type Place = keyof typeof tenants | keyof typeof others;
type End = Place | `${keyof typeof tenants}.${PodRole}`;

const isTenant = (name: string): name is keyof typeof tenants => Object.hasOwn(tenants, name);
const isOther = (name: string): name is keyof typeof others => Object.hasOwn(others, name);
const isRole = (name: string): name is PodRole => Object.hasOwn(roles, name);

function peerAt(end: End): Peer {
  const [place = "", role = "plain"] = end.split(".");
  if (isOther(place)) return others[place];
  assert.ok(isTenant(place) && isRole(role), end);
  return podOf(tenants[place], roles[role]);
}

const any: Port = { port: 8080, protocol: "TCP" };
const api: Port = { port: 6443, protocol: "TCP" };
const metrics: Port = { port: 8443, protocol: "TCP" };

interface Row {
  readonly what: string;
  readonly from: readonly End[];
  readonly to: readonly End[];
  readonly port?: Port;
  readonly reaches: boolean;
}

/** The whole baseline. What is not listed is not relied on. */
const rows: readonly Row[] = [
  // Tenants and tenants.
  { what: "itself", from: ["own"], to: ["own"], reaches: true },
  { what: "tenants below", from: ["own"], to: ["child"], reaches: true },
  { what: "tenants below", from: ["parent"], to: ["own", "child", "sibling"], reaches: true },
  { what: "tenants below", from: ["root"], to: ["parent", "own", "child", "sibling"], reaches: true },
  { what: "no tenant above", from: ["own"], to: ["parent", "root"], reaches: false },
  { what: "no tenant above", from: ["child"], to: ["own", "parent", "root"], reaches: false },
  { what: "no tenant beside", from: ["own", "child"], to: ["sibling"], reaches: false },
  { what: "no tenant beside", from: ["sibling"], to: ["own", "child"], reaches: false },
  // Modules.
  {
    what: "the etcd of tenants above",
    from: ["own", "child", "sibling"],
    to: ["parent.etcd", "root.etcd"],
    reaches: true,
  },
  {
    what: "the metrics of tenants above",
    from: ["own", "child"],
    to: ["parent.metrics", "root.metrics"],
    reaches: true,
  },
  {
    what: "the ingress of tenants above",
    from: ["own", "child"],
    to: ["parent.ingress", "root.ingress"],
    reaches: true,
  },
  {
    what: "no module of a tenant beside",
    from: ["own", "child", "own.etcdClient", "own.collector"],
    to: ["sibling.etcd", "sibling.metrics", "sibling.ingress"],
    reaches: false,
  },
  { what: "metrics of machines", from: ["own.collector"], to: ["machines"], port: metrics, reaches: true },
  { what: "metrics of machines, nothing else of them", from: ["own.collector"], to: ["machines"], reaches: false },
  {
    what: "metrics of machines, by the collector alone",
    from: ["own", "own.metrics"],
    to: ["machines"],
    port: metrics,
    reaches: false,
  },
  {
    what: "metrics of machines, by a tenant's own collector",
    from: ["child.collector"],
    to: ["machines"],
    port: metrics,
    reaches: false,
  },
  { what: "into a tenant through a Gateway", from: ["gateway"], to: ["sibling", "own"], reaches: true },
  { what: "no Gateway of the cluster's from inside", from: ["own", "sibling"], to: ["gateway"], reaches: false },
  // The platform.
  { what: "names", from: ["own", "child"], to: ["dns"], reaches: true },
  {
    what: "the platform's front doors",
    from: ["own", "child"],
    to: ["dashboard", "keycloak", "linstor", "grafana", "uploads"],
    reaches: true,
  },
  {
    what: "nothing else of the platform",
    from: ["own", "own.apiClient", "own.collector"],
    to: ["platform", "kubeSystem", "foreign"],
    reaches: false,
  },
  {
    what: "the platform reaches tenants",
    from: ["platform", "kubeSystem", "dns"],
    to: ["own", "child"],
    reaches: true,
  },
  { what: "the API server, by pods that may", from: ["own.apiClient"], to: ["apiServer"], port: api, reaches: true },
  {
    what: "the API server, by no others",
    from: ["own", "own.etcdClient"],
    to: ["apiServer"],
    port: api,
    reaches: false,
  },
  { what: "an API server on a node", from: ["own.apiClient"], to: ["node", "otherNode"], port: api, reaches: true },
  { what: "nothing else of a node", from: ["own", "own.apiClient"], to: ["node", "otherNode"], reaches: false },
  {
    what: "no API server of another tenant",
    from: ["own.apiClient"],
    to: ["sibling", "parent", "root", "platform", "foreign"],
    port: api,
    reaches: false,
  },
  { what: "the API server reaches webhooks", from: ["apiServer"], to: ["own"], reaches: true },
  // Outside.
  { what: "the outside", from: ["own", "child"], to: ["world"], reaches: true },
  {
    what: "no credentials of machines",
    from: ["own", "child", "own.apiClient"],
    to: ["metadata"],
    port: { port: 80, protocol: "TCP" },
    reaches: false,
  },
  { what: "from outside", from: ["world"], to: ["own", "child"], reaches: true },
  // Tenants are kept in; a pod that nothing keeps in reaches them, as upstream has it.
  { what: "from nodes and namespaces of nobody", from: ["node", "foreign"], to: ["own"], reaches: true },
];

describe("who reaches whom", () => {
  for (const { what, from, to, port = any, reaches: expected } of rows) {
    test(`${from.join(", ")} ${expected ? "reach" : "do not reach"} ${to.join(", ")}: ${what}`, () => {
      const differing = from.flatMap((one) =>
        to
          .filter((other) => reaches(policies, peerAt(one), peerAt(other), port) !== expected)
          .map((other) => `${one} -> ${other}`),
      );
      assert.deepEqual(differing, []);
    });
  }
});

test("every tenant closes what goes out: without a rule nothing does", () => {
  for (const tenant of Object.values(tenants)) {
    const closing = tenant.policies.filter(({ metadata }) => metadata.name === `${tenant.place.namespace}-egress`);
    assert.equal(closing.length, 1);
    const stranger = podOf(tenantOf("stranger", root));
    assert.ok(tenant === root || !reaches(closing, podOf(tenant), stranger, any));
  }
});
