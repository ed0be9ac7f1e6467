import assert from "node:assert/strict";
import { test } from "node:test";
import { gizmo } from "../../../test/support/synthetic-app.ts";
import type { KubeObject, OwnerReference } from "../../kube/object.ts";
import { formatInstance, type Instance, instanceOf } from "./instances.ts";
import { type Found, type Surroundings, type Traced, trace } from "./trace.ts";

const instance = (name: string): Instance =>
  instanceOf(gizmo, {
    apiVersion: "apps.cozystack.io/v1alpha1",
    kind: "Gizmo",
    metadata: { name, namespace: "tenant-a", uid: `app-${name}` },
  });
const [a, b] = [instance("a"), instance("b")];

const reference = (uid: string, controller?: boolean): OwnerReference => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  name: uid,
  uid,
  ...(controller === undefined ? {} : { controller }),
});
const object = (uid: string, owners: readonly OwnerReference[] = [], labels = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: uid,
    namespace: "tenant-a",
    uid,
    labels,
    ...(owners.length === 0 ? {} : { ownerReferences: owners }),
  },
});

/** `proven`: uid to instance; `known`: what owner references and releases lead to. */
const around = (proven: Readonly<Record<string, Instance>>, known: Readonly<Record<string, Found>>): Surroundings => ({
  provenOwner: ({ metadata }) => proven[metadata.uid ?? ""],
  owner: ({ uid }) => known[uid] ?? { is: "absent" },
  release: (name) => known[`release ${name}`] ?? { is: "absent" },
});
const found = (one: KubeObject): Found => ({ is: "object", object: one });

const rows: readonly {
  readonly why: string;
  readonly object: KubeObject;
  readonly proven?: Readonly<Record<string, Instance>>;
  readonly known?: Readonly<Record<string, Found>>;
  readonly is: string;
}[] = [
  { why: "what was rendered proves it itself", object: object("x"), proven: { x: a }, is: "a rendered" },
  { why: "nothing to go by", object: object("x"), is: "unowned" },
  {
    why: "lineage labels alone prove nothing",
    object: object("x", [], { "apps.cozystack.io/application.name": "a" }),
    is: "unowned",
  },
  {
    why: "up one owner",
    object: object("x", [reference("set", true)]),
    known: { set: found(object("set")) },
    proven: { set: a },
    is: "a",
  },
  {
    why: "up three owners",
    object: object("x", [reference("rs", true)]),
    known: {
      rs: found(object("rs", [reference("deployment", true)])),
      deployment: found(object("deployment", [reference("cr", true)])),
      cr: found(object("cr")),
    },
    proven: { cr: a },
    is: "a",
  },
  {
    why: "an application object itself is the owner",
    object: object("x", [reference("app-a", true)]),
    known: { "app-a": { is: "instance", instance: a } },
    is: "a",
  },
  {
    why: "an owner that is not there yet: its arrival is an event",
    object: object("x", [reference("late")]),
    is: "unowned",
  },
  {
    why: "an owner whose kind is not watched yet is waited for, never taken for missing",
    object: object("x", [reference("cr", true)]),
    known: { cr: { is: "pending", on: "example.org/Thing" } },
    is: "pending example.org/Thing",
  },
  {
    why: "the controlling owner decides, whatever the order",
    object: object("x", [reference("other"), reference("set", true)]),
    known: { other: found(object("other")), set: found(object("set")) },
    proven: { other: b, set: a },
    is: "a",
  },
  {
    why: "a controlling owner that leads nowhere lets the others speak",
    object: object("x", [reference("node", true), reference("set")]),
    known: { node: found(object("node")), set: found(object("set")) },
    proven: { set: a },
    is: "a",
  },
  {
    why: "two owners of one application agree",
    object: object("x", [reference("one"), reference("two")]),
    known: { one: found(object("one")), two: found(object("two")) },
    proven: { one: a, two: a },
    is: "a",
  },
  {
    why: "two owners of different applications: neither is chosen by its place in the list",
    object: object("x", [reference("one"), reference("two")]),
    known: { one: found(object("one")), two: found(object("two")) },
    proven: { one: a, two: b },
    is: "ambiguous a b",
  },
  {
    why: "one of two is not known yet: nothing is decided",
    object: object("x", [reference("one"), reference("two")]),
    known: { one: found(object("one")), two: { is: "pending", on: "k" } },
    proven: { one: a },
    is: "pending k",
  },
  {
    why: "owners in a circle end",
    object: object("x", [reference("one")]),
    known: { one: found(object("one", [reference("two")])), two: found(object("two", [reference("one")])) },
    is: "unowned",
  },
  {
    why: "what Flux made without owners leads to its release",
    object: object("x", [], { "helm.toolkit.fluxcd.io/name": "chart" }),
    known: { "release chart": found(object("hr")) },
    proven: { hr: a },
    is: "a",
  },
  {
    why: "a release that is nobody's",
    object: object("x", [], { "helm.toolkit.fluxcd.io/name": "chart" }),
    known: { "release chart": found(object("hr")) },
    is: "unowned",
  },
  {
    why: "with owners the release label says nothing",
    object: object("x", [reference("gone")], { "helm.toolkit.fluxcd.io/name": "chart" }),
    known: { "release chart": found(object("hr")) },
    proven: { hr: a },
    is: "unowned",
  },
];

function said(traced: Traced): string {
  if (traced.is === "owned") return `${traced.by.name}${traced.rendered ? " rendered" : ""}`;
  if (traced.is === "pending") return `pending ${traced.on.join()}`;
  return traced.is === "ambiguous" ? `ambiguous ${traced.among.map(({ name }) => name).join(" ")}` : traced.is;
}

for (const row of rows) {
  test(`lineage: ${row.why}`, () => {
    assert.equal(said(trace(row.object, around(row.proven ?? {}, row.known ?? {}))), row.is);
  });
}

test("an instance is named by kind and place in what is reported", () => {
  assert.equal(formatInstance(a), "Gizmo tenant-a/a");
});
