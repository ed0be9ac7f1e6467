import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { impactRulesOf } from "../../contracts/index.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { linkAddress, peerId, subnetId, vpcId } from "./ids.ts";
import { vpc } from "./index.ts";

const place = { namespace: "tenant-test", ancestors: ["tenant-root"] };
/** As upstream's own example is named. */
const demo = (given: RenderGiven = {}) => renderApp(vpc, { name: "vpc00", place, ...given });
const directory = "virtualprivatecloud-vpc00-subnets";
const data = (spec: object) => valueAt(demo({ spec }).object("ConfigMap", directory), "data");

test("ids are those that running installations have", () => {
  const id = vpcId("tenant-test", "virtualprivatecloud-vpc00");
  assert.equal(id, "vpc-6882d9");
  assert.equal(subnetId("tenant-test", id, "mysubnet0"), "subnet-d130bf97");
  const other = peerId({ tenantNamespace: "tenant-other", vpcName: "other-vpc" });
  assert.equal(other, "vpc-b95569");
  assert.equal(linkAddress(id, other), "169.254.17.81");
  assert.equal(linkAddress(other, id), "169.254.17.82");
});

test("the default is a router alone, and an empty directory that the whole tenant may read", () => {
  const rendered = demo();
  assert.deepEqual(
    rendered.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    ["Vpc/vpc-6882d9", `ConfigMap/${directory}`, `Role/${directory}`, `RoleBinding/${directory}`],
  );
  assert.deepEqual(valueAt(rendered.object("Vpc", "vpc-6882d9"), "spec"), {
    enableExternal: false,
    namespaces: ["tenant-test"],
  });
  assert.equal(data({}), undefined);
  const binding = JSON.stringify(rendered.object("RoleBinding", directory));
  for (const level of ["view", "use", "admin", "super-admin"]) assert.ok(binding.includes(`"tenant-test-${level}"`));
  assert.deepEqual(valueAt(rendered.object("Role", directory), "rules"), [
    { apiGroups: [""], resources: ["configmaps"], resourceNames: [directory], verbs: ["get", "list", "watch"] },
  ]);
});

test("a subnet is a network that machines are attached to by its id", () => {
  const spec = { subnets: [{ name: "mysubnet0", cidr: "172.16.0.0/24" }] };
  const rendered = demo({ spec });
  const labels = {
    "cozystack.io/subnetName": "mysubnet0",
    "cozystack.io/vpcId": "vpc-6882d9",
    "cozystack.io/vpcName": "virtualprivatecloud-vpc00",
    "cozystack.io/tenantName": "tenant-test",
  };
  const subnet = rendered.object("Subnet", "subnet-d130bf97");
  assert.partialDeepStrictEqual(valueAt(subnet, "metadata"), { labels });
  assert.equal(valueAt(subnet, "metadata", "namespace"), undefined);
  assert.deepEqual(valueAt(subnet, "spec"), {
    vpc: "vpc-6882d9",
    provider: "subnet-d130bf97.tenant-test.ovn",
    cidrBlock: "172.16.0.0/24",
    protocol: "IPv4",
    enableLb: false,
    private: true,
  });
  const definition = rendered.object("NetworkAttachmentDefinition", "subnet-d130bf97");
  assert.partialDeepStrictEqual(valueAt(definition, "metadata"), { labels, namespace: "tenant-test" });
  assert.equal(
    valueAt(definition, "spec", "config"),
    '{ "cniVersion": "0.3.0", "type": "kube-ovn", "server_socket": "/run/openvswitch/kube-ovn-daemon.sock", "provider": "subnet-d130bf97.tenant-test.ovn" }',
  );
  assert.deepEqual(data(spec), { "mysubnet0.ID": "subnet-d130bf97", "mysubnet0.CIDR": "172.16.0.0/24" });
});

for (const subnet of [{ name: "mysubnet0" }, { name: "mysubnet0", cidr: "" }]) {
  test(`a subnet without addresses is left to Kube-OVN: ${JSON.stringify(subnet)}`, () => {
    const spec = { subnets: [subnet] };
    const rendered = demo({ spec });
    assert.equal(valueAt(rendered.object("Subnet", "subnet-d130bf97"), "spec", "cidrBlock"), undefined);
    assert.deepEqual(data(spec), { "mysubnet0.ID": "subnet-d130bf97" });
  });
}

test("peers are reached over a link each, in the order of the specification", () => {
  const peers = [
    { vpcName: "zzz", tenantNamespace: "tenant-a" },
    { vpcName: "other-vpc", tenantNamespace: "tenant-other" },
  ];
  const rendered = demo({ spec: { peers } });
  const peerings = valueAt(rendered.object("Vpc", "vpc-6882d9"), "spec", "vpcPeerings");
  assert.ok(Array.isArray(peerings));
  assert.deepEqual(peerings[1], { remoteVpc: "vpc-b95569", localConnectIP: "169.254.17.81" });
  assert.equal(peerings.length, 2);
  assert.partialDeepStrictEqual(data({ peers }), {
    "peer.tenant-other.other-vpc.vpcId": "vpc-b95569",
    "peer.tenant-other.other-vpc.tenantNamespace": "tenant-other",
  });
});

test("both sides of a peering have one link", () => {
  const there = renderApp(vpc, {
    name: "other-vpc",
    place: { namespace: "tenant-other", ancestors: ["tenant-root"] },
    spec: { peers: [{ vpcName: "vpc00", tenantNamespace: "tenant-test" }] },
  });
  assert.deepEqual(valueAt(there.object("Vpc", "vpc-b95569"), "spec", "vpcPeerings"), [
    { remoteVpc: "vpc-6882d9", localConnectIP: "169.254.17.82" },
  ]);
});

test("routes are the router's", () => {
  const routes = [{ cidr: "10.0.0.0/8", nextHopIP: "172.16.0.1" }];
  assert.deepEqual(valueAt(demo({ spec: { routes } }).object("Vpc", "vpc-6882d9"), "spec", "staticRoutes"), routes);
});

test("another name or another tenant has other networks", () => {
  const spec = { subnets: [{ name: "a", cidr: "10.0.0.0/8" }] };
  const names = (given: RenderGiven) =>
    demo({ spec, ...given })
      .objects.filter(({ kind }) => kind === "Subnet" || kind === "Vpc")
      .map(({ metadata }) => metadata.name);
  const all = [names({}), names({ name: "x" }), names({ place: { ...place, namespace: "tenant-x" } })].flat();
  assert.equal(new Set(all).size, 6);
});

test("subnets go before their router, and machines feel that their addresses change", () => {
  assert.equal(impactRulesOf("kubeovn.io", "Vpc").deleted, "last");
  assert.equal(impactRulesOf("kubeovn.io", "Subnet").at?.["spec.cidrBlock"], "restarts");
});

const subnets = (...all: object[]) => ({ subnets: all });
const refused = [
  {
    why: "subnets of one name",
    spec: subnets({ name: "a" }, { name: "b" }, { name: "a" }),
    field: "spec.subnets[2].name",
    says: /same name/,
  },
  { why: "a subnet without a name", spec: subnets({ cidr: "10.0.0.0/8" }), field: "spec.subnets[0]", says: /name/ },
  {
    why: "a subnet whose name no label can have",
    spec: subnets({ name: "a b" }),
    field: "spec.subnets[0].name",
    says: /./,
  },
  {
    why: "a subnet whose addresses are none",
    spec: subnets({ name: "a", cidr: "300.0.0.0/8" }),
    field: "spec.subnets[0].cidr",
    says: /IPv4/,
  },
  {
    why: "a subnet with too long a prefix",
    spec: subnets({ name: "a", cidr: "10.0.0.0/40" }),
    field: "spec.subnets[0].cidr",
    says: /IPv4/,
  },
  {
    why: "a subnet of IPv6",
    spec: subnets({ name: "a", cidr: "2001:db8::/64" }),
    field: "spec.subnets[0].cidr",
    says: /./,
  },
  {
    why: "a peer without a namespace",
    spec: { peers: [{ vpcName: "a" }] },
    field: "spec.peers[0]",
    says: /tenantNamespace/,
  },
  {
    why: "a peer whose name no object can have",
    spec: { peers: [{ vpcName: "a/b", tenantNamespace: "c" }] },
    field: "spec.peers[0].vpcName",
    says: /./,
  },
  {
    why: "a peer that is listed twice",
    spec: {
      peers: [
        { vpcName: "a", tenantNamespace: "c" },
        { vpcName: "a", tenantNamespace: "c" },
      ],
    },
    field: "spec.peers[1]",
    says: /twice/,
  },
  {
    why: "a peering with itself",
    spec: { peers: [{ vpcName: "vpc00", tenantNamespace: "tenant-test" }] },
    field: "spec.peers[0]",
    says: /itself/,
  },
  {
    why: "a route without a next hop",
    spec: { routes: [{ cidr: "10.0.0.0/8" }] },
    field: "spec.routes[0]",
    says: /nextHopIP/,
  },
  {
    why: "a route to nowhere",
    spec: { routes: [{ cidr: "10.0.0.0/99", nextHopIP: "10.0.0.1" }] },
    field: "spec.routes[0]",
    says: /prefix/,
  },
  {
    why: "a route over nothing",
    spec: { routes: [{ cidr: "10.0.0.0/8", nextHopIP: "1.2.3" }] },
    field: "spec.routes[0]",
    says: /address/,
  },
] as const;

for (const { why, spec, field, says } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo({ spec }),
      (error) => error instanceof Refusal && error.field === field && says.test(error.message),
    );
  });
}

const id = fc.stringMatching(/^vpc-[0-9a-f]{6}$/);

test("property: a link has two addresses, of which each side takes one", () => {
  fc.assert(
    fc.property(id, id, (a, b) => {
      fc.pre(a !== b);
      const [one, other] = [linkAddress(a, b), linkAddress(b, a)].map((address) => address.split(".").map(Number));
      assert.ok(one !== undefined && other !== undefined);
      assert.deepEqual(one.slice(0, 3), other.slice(0, 3));
      assert.deepEqual(one.slice(0, 2), [169, 254]);
      const [, , third = 0, last = 0] = one;
      assert.ok(third >= 1 && third <= 254);
      assert.deepEqual([last % 4, (other[3] ?? 0) % 4].sort(), [1, 2]);
      assert.equal(Math.floor(last / 4), Math.floor((other[3] ?? 0) / 4));
    }),
  );
});
