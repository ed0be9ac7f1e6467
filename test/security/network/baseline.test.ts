/** Who reaches whom, by the policies that are rendered for tenants. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { SecurityGroup } from "../../../src/contracts/sdn-cozystack-io.ts";
import { policyOf } from "../../../src/network/policy.ts";
import { type Peer, type Port, reaches } from "./policy.ts";
import { type Modules, type PodRole, platformPod, podOf, roles, type Tenant, tenantOf } from "./tenants.ts";

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

interface Shape {
  readonly name: string;
  readonly modules: Modules;
  readonly below: readonly Shape[];
}

const flag = fc.boolean();
const modules = fc.record({ ingress: flag, etcd: flag, monitoring: flag, seaweedfs: flag, gateway: flag });
const shapeOf = (depth: number): fc.Arbitrary<Shape> =>
  fc.record({
    name: fc.stringMatching(/^[a-z][a-z0-9]{0,3}$/),
    modules,
    below: depth === 0 ? fc.constant([]) : shapes(depth - 1, 0),
  });
const shapes = (depth: number, minLength: number): fc.Arbitrary<readonly Shape[]> =>
  fc.uniqueArray(shapeOf(depth), { minLength, maxLength: 3, selector: ({ name }) => name });

function planted(shapes: readonly Shape[], above: Tenant): readonly Tenant[] {
  return shapes
    .filter(({ name }) => above.place.namespace !== "tenant-root" || name !== "root")
    .flatMap(({ name, modules: on, below }) => {
      const tenant = tenantOf(name, above, on);
      return [tenant, ...planted(below, tenant)];
    });
}

const label = fc.constantFrom(...Object.values(roles));
const podLabels = fc.array(label, { maxLength: 3 }).map((several) => Object.assign({}, ...several));
const port = fc.record({
  port: fc.constantFrom(53, 80, 443, 2379, 6443, 8443, 9090),
  protocol: fc.constantFrom("TCP" as const, "UDP" as const),
});

/** Whatever a tenant's people may write into a security group. */
const group = fc.record({
  attachments: fc.constant([{ kind: "Redis", name: "x" }]),
  egress: fc.array(
    fc.record(
      {
        toApp: fc.constant([{ kind: "Redis", name: "x" }]),
        toSG: fc.constant(["other"]),
        toCIDR: fc.constant(["0.0.0.0/0"]),
        toPorts: fc.constant([{ ports: [{ port: "6443", protocol: "TCP" }] }]),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 2 },
  ),
  ingress: fc.array(fc.record({ fromCIDR: fc.constant(["0.0.0.0/0"]) }, { requiredKeys: [] }), { maxLength: 2 }),
});

const member = {
  "apps.cozystack.io/application.group": "apps.cozystack.io",
  "apps.cozystack.io/application.kind": "Redis",
  "apps.cozystack.io/application.name": "x",
  "securitygroup.sdn.cozystack.io/mine": "",
};

const isAbove = (upper: Tenant, lower: Tenant): boolean => lower.place.ancestors.includes(upper.place.namespace);

/** Random trees, pods of any labels, and two tenants of the tree. */
const clouds = fc.record({
  shapes: shapes(2, 2),
  one: fc.nat(),
  other: fc.nat(),
  fromLabels: podLabels,
  toLabels: podLabels,
  port,
  group,
});

describe("isolation, whatever the tenants", () => {
  test("tenants that are not above or below each other do not reach each other, whatever their pods, modules and security groups", () => {
    let tried = 0;
    fc.assert(
      fc.property(clouds, ({ shapes: given, one, other, fromLabels, toLabels, port: on, group: spec }) => {
        const all = planted(given, root);
        const from = all[one % all.length];
        const to = all[other % all.length];
        if (from === undefined || to === undefined || from === to || isAbove(from, to) || isAbove(to, from)) return;
        tried += 1;
        const groups = all.map(({ place: { namespace } }) =>
          policyOf(SecurityGroup("mine", { namespace, spec: { ...spec, attachments: [...spec.attachments] } })),
        );
        const everything = [...root.policies, ...all.flatMap((tenant) => tenant.policies), ...groups];
        const sender = podOf(from, { ...fromLabels, ...member });
        assert.ok(!reaches(everything, sender, podOf(to, { ...toLabels, ...member }), on), JSON.stringify(on));
      }),
      { numRuns: 300 },
    );
    assert.ok(tried > 60, `${tried} pairs`);
  });

  test("a tenant reaches of those above nothing but their modules, and all of those below", () => {
    let tried = 0;
    fc.assert(
      fc.property(clouds, ({ shapes: given, one, other, fromLabels, toLabels, port: on }) => {
        const all = planted(given, root);
        const upper = all[one % all.length];
        const lower = all[other % all.length];
        if (upper === undefined || lower === undefined || !isAbove(upper, lower)) return;
        tried += 1;
        const everything = [...root.policies, ...all.flatMap((tenant) => tenant.policies)];
        const above = podOf(upper, toLabels);
        const isModule =
          above.labels["app.kubernetes.io/name"] === "vminsert" ||
          above.labels["app.kubernetes.io/instance"] === "etcd" ||
          above.labels["cozystack.io/service"] === "ingress";
        assert.equal(reaches(everything, podOf(lower, fromLabels), above, on), isModule);
        assert.ok(reaches(everything, above, podOf(lower, fromLabels), on));
      }),
      { numRuns: 600 },
    );
    assert.ok(tried > 40, `${tried} pairs`);
  });

  test("every tenant closes egress: without a rule nothing goes out", () => {
    for (const tenant of Object.values(tenants)) {
      const closing = tenant.policies.filter(({ metadata }) => metadata.name === `${tenant.place.namespace}-egress`);
      assert.equal(closing.length, 1);
      const stranger = podOf(tenantOf("stranger", root));
      assert.ok(tenant === root || !reaches(closing, podOf(tenant), stranger, any));
    }
  });
});
