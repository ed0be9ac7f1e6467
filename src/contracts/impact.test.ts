import assert from "node:assert/strict";
import test from "node:test";
import { type Impact, type ImpactRules, impactOf, worse } from "./impact.ts";
import { impactRulesOf, kindByGroupKind } from "./index.ts";

const rules: ImpactRules = {
  otherwise: "rolls",
  at: {
    "spec.a": "inPlace",
    "spec.a.b": "restarts",
    "spec.list.*.name": "replaces",
    "spec.list.*": "none",
    "spec.*.size": "deletes",
    "spec.exact.size": "losesData",
  },
};

const rows: readonly { readonly why: string; readonly path: readonly (string | number)[]; readonly impact: Impact }[] =
  [
    { why: "no rule", path: ["spec", "z"], impact: "rolls" },
    { why: "a rule", path: ["spec", "a"], impact: "inPlace" },
    { why: "below a rule", path: ["spec", "a", "c", "d"], impact: "inPlace" },
    { why: "the longer rule", path: ["spec", "a", "b"], impact: "restarts" },
    { why: "a key that only begins like the rule's", path: ["spec", "ab"], impact: "rolls" },
    { why: "any index", path: ["spec", "list", 3, "name"], impact: "replaces" },
    { why: "any index, another field", path: ["spec", "list", 3, "value"], impact: "none" },
    { why: "any key", path: ["spec", "x", "size"], impact: "deletes" },
    { why: "a name before any key", path: ["spec", "exact", "size"], impact: "losesData" },
    { why: "above all rules", path: ["spec"], impact: "rolls" },
    { why: "metadata", path: ["metadata", "labels", "x"], impact: "inPlace" },
  ];

for (const { why, path, impact } of rows) {
  test(`the impact of ${path.join(".")}: ${why}`, () => assert.equal(impactOf(rules, path, 1, 2), impact));
}

test("the graver impact wins, whichever comes first", () => {
  assert.equal(worse("inPlace", "losesData"), "losesData");
  assert.equal(worse("rolls", "none"), "rolls");
});

const facts: readonly {
  readonly kind: readonly [group: string, kind: string];
  readonly path: readonly (string | number)[];
  readonly from?: unknown;
  readonly to?: unknown;
  readonly impact: Impact;
}[] = [
  { kind: ["postgresql.cnpg.io", "Cluster"], path: ["spec", "instances"], impact: "inPlace" },
  { kind: ["postgresql.cnpg.io", "Cluster"], path: ["spec", "imageName"], impact: "rolls" },
  {
    kind: ["postgresql.cnpg.io", "Cluster"],
    path: ["spec", "postgresql", "parameters", "max_connections"],
    impact: "restarts",
  },
  {
    kind: ["postgresql.cnpg.io", "Cluster"],
    path: ["spec", "postgresql", "parameters", "work_mem"],
    impact: "inPlace",
  },
  { kind: ["postgresql.cnpg.io", "Cluster"], path: ["spec", "storage", "size"], impact: "inPlace" },
  { kind: ["postgresql.cnpg.io", "Cluster"], path: ["spec", "bootstrap", "recovery", "source"], impact: "none" },
  {
    kind: ["clickhouse.altinity.com", "ClickHouseInstallation"],
    path: ["spec", "configuration", "clusters", 0, "layout", "shardsCount"],
    from: 3,
    to: 2,
    impact: "losesData",
  },
  {
    kind: ["clickhouse.altinity.com", "ClickHouseInstallation"],
    path: ["spec", "configuration", "clusters", 0, "layout", "shardsCount"],
    from: 2,
    to: 3,
    impact: "inPlace",
  },
  { kind: ["cdi.kubevirt.io", "DataVolume"], path: ["spec", "source", "http", "url"], impact: "losesData" },
  { kind: ["kubevirt.io", "VirtualMachine"], path: ["spec", "template", "spec", "domain"], impact: "restarts" },
  { kind: ["apps", "Deployment"], path: ["spec", "template", "spec"], impact: "rolls" },
  { kind: ["apps", "Deployment"], path: ["spec", "replicas"], impact: "inPlace" },
  { kind: ["apps", "StatefulSet"], path: ["spec", "volumeClaimTemplates"], impact: "replaces" },
  { kind: ["batch", "Job"], path: ["spec", "template"], impact: "replaces" },
  { kind: ["", "PersistentVolumeClaim"], path: ["spec", "storageClassName"], impact: "losesData" },
  { kind: ["rbac.authorization.k8s.io", "RoleBinding"], path: ["roleRef", "name"], impact: "replaces" },
  { kind: ["rbac.authorization.k8s.io", "RoleBinding"], path: ["subjects", 0], impact: "inPlace" },
  { kind: ["example.org", "Unheard"], path: ["spec"], impact: "rolls" },
];

for (const { kind, path, from, to, impact } of facts) {
  test(`${kind.join("/")} ${path.join(".")}${from === undefined ? "" : ` from ${from} to ${to}`}: ${impact}`, () => {
    assert.equal(impactOf(impactRulesOf(...kind), path, from, to), impact);
  });
}

test("kinds are found by group and name, built-in ones too", () => {
  assert.equal(kindByGroupKind("postgresql.cnpg.io", "Cluster")?.plural, "clusters");
  assert.equal(kindByGroupKind("", "Secret")?.plural, "secrets");
  assert.equal(kindByGroupKind("", "Cluster"), undefined);
});
