import assert from "node:assert/strict";
import { test } from "node:test";
import { policies } from "../apps/tenant/policies.ts";
import { CiliumNetworkPolicy } from "../contracts/cilium-io.ts";
import { SecurityGroup } from "../contracts/sdn-cozystack-io.ts";
import { type Baseline, baselineOf, danglingOf, effectsOf, type Facts } from "./effect.ts";
import { formatReference, type Group } from "./names.ts";
import type { Policy } from "./policy.ts";

const isPolicy = (object: object): object is Policy => "kind" in object && object.kind === "CiliumNetworkPolicy";
const place = { namespace: "tenant-a", ancestors: ["tenant-root"] };
const tenants = baselineOf(policies(place, { etcd: true, ingress: true, monitoring: true }).filter(isPolicy));
const nothing: Baseline = { ingress: {}, egress: {} };

test("what a tenant's own policies allow every pod", () => {
  assert.deepEqual(tenants, {
    ingress: {
      inside: "allow-internal-communication",
      outside: "allow-external-communication",
      cluster: "allow-external-communication",
    },
    egress: { inside: "allow-internal-communication", outside: "allow-external-communication" },
  });
});

test("policies for some pods, or for some ports, allow nothing to all", () => {
  const ports = [{ ports: [{ port: "443" }] }];
  const some = CiliumNetworkPolicy("some", {
    spec: { endpointSelector: { matchLabels: { a: "b" } }, ingress: [{ fromEntities: ["all"] }] },
  });
  const ported = CiliumNetworkPolicy("ported", {
    spec: {
      endpointSelector: {},
      ingress: [{ fromEndpoints: [{}], toPorts: ports }],
      egress: [{ toEntities: ["all"], toPorts: ports }],
    },
  });
  const labelled = CiliumNetworkPolicy("labelled", {
    spec: { endpointSelector: {}, egress: [{ toEndpoints: [{ matchLabels: { a: "b" } }] }] },
  });
  assert.deepEqual(baselineOf([some, ported, labelled]), nothing);
});

const https = [{ ports: [{ port: "443" }] }];
interface Row {
  readonly why: string;
  readonly spec: NonNullable<Group["spec"]>;
  readonly members?: number;
  readonly baseline?: Baseline;
  readonly reasons: readonly string[];
}
const rows: readonly Row[] = [
  {
    why: "every sort of rule within a tenant changes nothing",
    spec: {
      ingress: [{ fromSG: ["full"] }, { fromCIDR: ["192.0.2.0/24"] }, { toPorts: https }],
      egress: [{ toApp: [{ kind: "Redis", name: "full" }] }, { toFQDNs: [{ matchName: "a.org" }] }, { toPorts: https }],
    },
    baseline: tenants,
    reasons: Array<string>(6).fill("AllowedAlready"),
  },
  {
    why: "where nothing is allowed it adds",
    spec: { ingress: [{ fromSG: ["full"] }, { toPorts: https }], egress: [{ toCIDR: ["192.0.2.0/24"] }] },
    reasons: ["Adds", "Adds", "Adds"],
  },
  {
    why: "half allowed already still adds",
    spec: { egress: [{ toSG: ["full"], toCIDR: ["192.0.2.0/24"] }] },
    baseline: { ingress: {}, egress: { inside: "x" } },
    reasons: ["Adds"],
  },
  {
    why: "an empty rule",
    spec: { ingress: [{}], egress: [{ toPorts: [{ ports: [] }] }] },
    reasons: ["EmptyRule", "EmptyRule"],
  },
  { why: "nobody is a member", spec: { ingress: [{ fromSG: ["full"] }] }, members: 0, reasons: ["NoMembers"] },
  { why: "a group that does not exist", spec: { ingress: [{ fromSG: ["missing"] }] }, reasons: ["NoPeers"] },
  { why: "a group without members", spec: { ingress: [{ fromSG: ["empty"] }] }, reasons: ["NoPeers"] },
  { why: "one peer of several has pods", spec: { ingress: [{ fromSG: ["missing", "full"] }] }, reasons: ["Adds"] },
  {
    why: "an address beside a missing group",
    spec: { ingress: [{ fromSG: ["missing"], fromCIDR: ["192.0.2.0/24"] }] },
    reasons: ["Adds"],
  },
  {
    why: "names without a rule for DNS",
    spec: { egress: [{ toFQDNs: [{ matchName: "a.org" }] }] },
    reasons: ["NamesNeedDnsRule"],
  },
];
const factsOf = ({ members = 1, baseline = nothing }: Pick<Row, "members" | "baseline">): Facts => ({
  baseline,
  members,
  membersOf: (name) => ({ full: 2, empty: 0 })[name],
  podsOf: ({ name }) => ({ full: 2, empty: 0 })[name],
});
for (const row of rows) {
  test(`rules: ${row.why}`, () => {
    const effects = effectsOf(SecurityGroup("g", { spec: row.spec }), factsOf(row));
    assert.deepEqual(
      effects.map(({ reason }) => reason),
      row.reasons,
    );
    for (const { effective, reason, message } of effects) {
      assert.equal(effective, reason === "Adds");
      assert.equal(message === undefined, effective, "what has no effect says why");
    }
  });
}

test("references that lead nowhere are named with their field", () => {
  const missing = { kind: "Redis", name: "missing" };
  const spec = {
    attachments: [{ kind: "Redis", name: "full" }, missing],
    ingress: [{ fromSG: ["full", "missing"] }, { fromApp: [missing] }],
    egress: [{ toApp: [missing], toSG: ["missing"] }],
  };
  assert.deepEqual(danglingOf(SecurityGroup("g", { spec }), factsOf({})), [
    { field: "spec.attachments[1]", message: "there is no Redis missing" },
    { field: "spec.ingress[0].fromSG[1]", message: "there is no SecurityGroup missing" },
    { field: "spec.ingress[1].fromApp[0]", message: "there is no Redis missing" },
    { field: "spec.egress[0].toApp[0]", message: "there is no Redis missing" },
    { field: "spec.egress[0].toSG[0]", message: "there is no SecurityGroup missing" },
  ]);
  assert.equal(formatReference({ apiGroup: "example.org", kind: "Thing", name: "x" }), "Thing.example.org x");
});
