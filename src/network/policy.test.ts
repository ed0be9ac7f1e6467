import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { contractCrd } from "../contracts/crd.ts";
import { SecurityGroup } from "../contracts/sdn-cozystack-io.ts";
import type { Group } from "./names.ts";
import { PROJECTED, policyOf } from "./policy.ts";

const group = (spec: Group["spec"], rest: object = {}): Group =>
  SecurityGroup("web", {
    metadata: { namespace: "tenant-a", uid: "g1", ...rest },
    ...(spec === undefined ? {} : { spec }),
  });
const postgres = { apiGroup: "apps.cozystack.io", kind: "Postgres", name: "db" };
const podsOf = (kind: string, name: string, apiGroup = "apps.cozystack.io") => ({
  matchLabels: {
    "apps.cozystack.io/application.group": apiGroup,
    "apps.cozystack.io/application.kind": kind,
    "apps.cozystack.io/application.name": name,
  },
});
const membersOf = (name: string) => ({ matchLabels: { [`securitygroup.sdn.cozystack.io/${name}`]: "" } });
const https = [{ ports: [{ port: "443", protocol: "TCP" as const }] }];

const rows: readonly { why: string; spec: Group["spec"]; ingress?: unknown; egress?: unknown }[] = [
  { why: "no spec: the section is there and denies nothing", spec: undefined },
  { why: "no rules", spec: { attachments: [postgres], ingress: [], egress: [] } },
  {
    why: "applications first, then groups",
    spec: { ingress: [{ fromSG: ["clients"], fromApp: [{ kind: "Redis", name: "cache" }] }] },
    ingress: [{ fromEndpoints: [podsOf("Redis", "cache"), membersOf("clients")] }],
  },
  {
    why: "an application of another API group",
    spec: { egress: [{ toApp: [{ apiGroup: "example.org", kind: "Thing", name: "x" }] }] },
    egress: [{ toEndpoints: [podsOf("Thing", "x", "example.org")] }],
  },
  {
    why: "groups to groups",
    spec: { egress: [{ toSG: ["db", "cache"] }] },
    egress: [{ toEndpoints: [membersOf("db"), membersOf("cache")] }],
  },
  {
    why: "addresses as prefixes: Cilium's definition takes no bare ones",
    spec: { ingress: [{ fromCIDR: ["192.0.2.0/24", "192.0.2.7", "2001:db8::1"] }] },
    ingress: [{ fromCIDR: ["192.0.2.0/24", "192.0.2.7/32", "2001:db8::1/128"] }],
  },
  {
    why: "names; an entry with both forms is two, as Cilium takes one of them",
    spec: {
      egress: [{ toFQDNs: [{ matchName: "example.org", matchPattern: "*.example.org" }, { matchName: "a.org" }] }],
    },
    egress: [{ toFQDNs: [{ matchName: "example.org" }, { matchPattern: "*.example.org" }, { matchName: "a.org" }] }],
  },
  {
    why: "ports: protocols in capitals, nothing means all",
    spec: {
      ingress: [
        {
          fromSG: ["a"],
          toPorts: [{ ports: [{ port: "443", protocol: "tcp" }, { port: "", protocol: "" }, { port: "web" }] }],
        },
      ],
    },
    ingress: [
      {
        fromEndpoints: [membersOf("a")],
        toPorts: [{ ports: [{ port: "443", protocol: "TCP" }, { port: "0" }, { port: "web" }] }],
      },
    ],
  },
  {
    why: "sorts of peers that Cilium refuses in one rule become rules beside each other, with the same ports",
    spec: { egress: [{ toSG: ["a"], toCIDR: ["192.0.2.0/24"], toFQDNs: [{ matchName: "a.org" }], toPorts: https }] },
    egress: [
      { toEndpoints: [membersOf("a")], toPorts: https },
      { toCIDR: ["192.0.2.0/24"], toPorts: https },
      { toFQDNs: [{ matchName: "a.org" }], toPorts: https },
    ],
  },
  {
    why: "ports alone, inwards: from anywhere",
    spec: { ingress: [{ toPorts: https }] },
    ingress: [{ toPorts: https }],
  },
  {
    why: "ports alone, outwards: not to other tenants' pods",
    spec: { egress: [{ toPorts: https }] },
    egress: [
      { toEndpoints: [{}], toPorts: https },
      { toEntities: ["world"], toPorts: https },
    ],
  },
  { why: "rules that say nothing", spec: { ingress: [{}, { toPorts: [{}] }, { fromSG: [] }], egress: [{}] } },
];
for (const { why, spec, ingress = [], egress } of rows) {
  test(`a group's policy: ${why} (feature 86)`, () => {
    const policy = policyOf(group(spec));
    assert.deepEqual(policy.spec, {
      endpointSelector: membersOf("web"),
      ingress,
      ...(egress === undefined ? {} : { egress }),
    });
  });
}

test("the policy has the group's name, labels and annotations, our marker and the attachments (feature 5)", () => {
  const { metadata } = policyOf(
    group(
      { attachments: [{ kind: "Postgres", name: "db" }] },
      {
        labels: { team: "a", "sdn.cozystack.io/securitygroup": "no" },
        annotations: {
          note: "n",
          "kubectl.kubernetes.io/last-applied-configuration": "{}",
          "internal.cozystack.io/x": "y",
        },
      },
    ),
  );
  const { [PROJECTED]: digest, ...annotations } = metadata.annotations ?? {};
  assert.equal(metadata.name, "web");
  assert.equal(metadata.namespace, "tenant-a");
  assert.deepEqual(metadata.labels, { team: "a", "sdn.cozystack.io/securitygroup": "true" });
  assert.deepEqual(annotations, { note: "n", "sdn.cozystack.io/attachments": JSON.stringify([postgres]) });
  assert.ok(digest);
  assert.deepEqual(
    metadata.ownerReferences?.map(({ kind, uid, controller }) => [kind, uid, controller]),
    [["SecurityGroup", "g1", true]],
  );
});

test("a group without rules has no rule that would put its members under default deny (feature 91)", () => {
  for (const spec of [undefined, {}, { ingress: [], egress: [] }, { ingress: [{}], egress: [{}] }]) {
    const { ingress, egress, ...rest } = policyOf(group(spec)).spec ?? {};
    assert.deepEqual([ingress, egress], [[], undefined]);
    assert.deepEqual(Object.keys(rest), ["endpointSelector"], "and no denying sections");
  }
});

test("what kubectl explain and the documentation say of rules is that they restrict nothing (feature 92)", () => {
  const { openAPIV3Schema } = contractCrd(SecurityGroup, true).spec.versions[0]?.schema ?? {};
  const rules = openAPIV3Schema?.properties?.["spec"]?.properties ?? {};
  for (const direction of ["ingress", "egress"]) {
    assert.match(rules[direction]?.description ?? "", /Rules only add to what is allowed: none restricts anything/);
  }
  const page = readFileSync(join(import.meta.dirname, "../../docs/tenancy.md"), "utf8");
  assert.match(page, /\*\*A security group isolates nothing\.\*\*/);
});

test("without attachments there is no such annotation, and every change gives another digest", () => {
  const digest = (spec: Group["spec"]) => policyOf(group(spec)).metadata.annotations?.[PROJECTED];
  assert.equal("sdn.cozystack.io/attachments" in (policyOf(group({})).metadata.annotations ?? {}), false);
  assert.notEqual(digest({ ingress: [{ fromSG: ["a"] }] }), digest({ ingress: [{ fromSG: ["b"] }] }));
  assert.equal(digest({ egress: [] }), digest({}));
});
