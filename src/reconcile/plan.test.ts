import assert from "node:assert/strict";
import { test } from "node:test";
import { type KubeObject, keyOf, type ObjectRef } from "../kube/object.ts";
import type { Manifest, Policy } from "../sdk/manifest.ts";
import { bodyOf } from "./body.ts";
import { digestOf } from "./digest.ts";
import { emptyRecord, type InventoryEntry, withEntries } from "./inventory-record.ts";
import { OWNER_ANNOTATION, ownerToken, RETAINED_ANNOTATION, retainedToken } from "./owner.ts";
import { planOfInstance } from "./plan.ts";
import { acceptedDigest } from "./plan-manifest.ts";
import type { InstancePlan, Known, PlanInput, Wanted } from "./plan-types.ts";

const owner = { group: "apps.cozystack.io", kind: "Redis", namespace: "tenant-a", name: "db", uid: "u1" };
const ns = "tenant-a";

const configMap = (data: Record<string, string>, name = "conf"): KubeObject & { data: unknown } => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: ns },
  data,
});
const refTo = (kind: string, name: string, group = ""): ObjectRef => ({ group, kind, namespace: ns, name });
const conf = refTo("ConfigMap", "conf");

const want = (object: KubeObject, policy: Policy = "managed", more: Partial<Manifest> = {}): Wanted => ({
  manifest: { object, policy, wave: 1, ...more },
  ref: refTo(
    object.kind,
    object.metadata.name,
    object.apiVersion.split("/")[1] === undefined ? "" : (object.apiVersion.split("/")[0] ?? ""),
  ),
  generated: false,
});

const live = (body: KubeObject, metadata: Partial<KubeObject["metadata"]> = {}): Known => ({
  is: "full",
  object: {
    ...body,
    metadata: { ...body.metadata, uid: `uid-${body.metadata.name}`, resourceVersion: "7", ...metadata },
  },
});

const ours = (object: KubeObject, metadata: Partial<KubeObject["metadata"]> = {}): Known =>
  live(bodyOf(object, refTo(object.kind, object.metadata.name), { ownerUid: "u1" }), metadata);

interface Case {
  readonly wanted?: readonly Wanted[];
  readonly known?: Readonly<Record<string, Known>>;
  readonly entries?: readonly InventoryEntry[];
  readonly formerUids?: readonly string[];
  readonly consent?: string;
  readonly onUnowned?: PlanInput["onUnowned"];
  readonly otherwise?: "inPlace" | "losesData" | "replaces";
}

function plan(given: Case): InstancePlan {
  return planOfInstance({
    instance: owner,
    wanted: given.wanted ?? [],
    inventory: { ...withEntries(emptyRecord(owner), given.entries ?? []), formerUids: given.formerUids ?? [] },
    known: (ref) => given.known?.[ref.name] ?? { is: "absent" },
    rules: () => ({ otherwise: given.otherwise ?? "inPlace" }),
    onUnowned: given.onUnowned ?? (() => "refuse"),
    manager: "cozystack",
    ...(given.consent === undefined ? {} : { consent: given.consent }),
  });
}

const entry = (ref: ObjectRef, more: Partial<InventoryEntry> = {}): InventoryEntry => ({
  ref,
  policy: "managed",
  ...more,
});
const settled = (object: KubeObject, name = object.metadata.name): InventoryEntry => {
  const body = bodyOf(object, refTo(object.kind, name), { ownerUid: "u1" });
  return entry(
    { ...refTo(object.kind, name), uid: `uid-${name}` },
    { desired: digestOf(body), accepted: acceptedDigest(body, body) },
  );
};

const shape = (value: InstancePlan) =>
  value.steps.map((step) => `${step.write.do} ${step.change.action} ${step.change.object.name} ${step.change.impact}`);

const secret = (data: Record<string, string>): KubeObject => ({
  ...{ apiVersion: "v1", kind: "Secret", metadata: { name: "auth", namespace: ns } },
  ...{ stringData: data },
});
const storedSecret = (data: Record<string, string>): KubeObject =>
  bodyOf(secret(data), refTo("Secret", "auth"), { ownerUid: "u1" });

const job = (name: string): KubeObject => ({ apiVersion: "batch/v1", kind: "Job", metadata: { name, namespace: ns } });
const jobRef = (name: string) => refTo("Job", name, "batch");
const jobLive = (name: string, done = false): Known =>
  live({
    ...bodyOf(job(name), jobRef(name), { ownerUid: "u1" }),
    ...(done ? { status: { conditions: [{ type: "Complete", status: "True" }] } } : {}),
  });

const rows: readonly (Case & { readonly why: string; readonly gives: readonly string[] })[] = [
  {
    why: "a new object is applied, not posted",
    wanted: [want(configMap({ a: "1" }))],
    gives: ["apply create conf none"],
  },
  {
    why: "nothing is written when live is what became of the same body",
    wanted: [want(configMap({ a: "1" }))],
    known: { conf: ours(configMap({ a: "1" })) },
    entries: [settled(configMap({ a: "1" }))],
    gives: [],
  },
  {
    why: "without a digest of what was accepted, as after a crash, it is applied again",
    wanted: [want(configMap({ a: "1" }))],
    known: { conf: ours(configMap({ a: "1" })) },
    entries: [entry(conf)],
    gives: ["apply update conf none"],
  },
  {
    why: "a value changed by hand is put right",
    wanted: [want(configMap({ a: "1" }))],
    known: { conf: ours(configMap({ a: "2" })) },
    entries: [settled(configMap({ a: "1" }))],
    gives: ["apply update conf inPlace"],
  },
  {
    why: "a foreign field is not ours",
    wanted: [want(configMap({ a: "1" }))],
    known: { conf: ours(configMap({ a: "1", b: "2" })) },
    entries: [settled(configMap({ a: "1" }))],
    gives: [],
  },
  {
    why: "an object of nobody with our name is refused",
    wanted: [want(configMap({ a: "1" }))],
    known: { conf: live(configMap({ a: "1" })) },
    gives: [],
  },
  {
    why: "unless somebody who may says that it is to be adopted",
    wanted: [want(configMap({ a: "1" }))],
    known: { conf: live(configMap({ a: "1" })) },
    onUnowned: () => "adopt",
    gives: ["apply adopt conf none"],
  },
  {
    why: "a copied mark of another instance is foreign",
    wanted: [want(configMap({ a: "1" }))],
    known: { conf: live(configMap({ a: "1" }), { annotations: { [OWNER_ANNOTATION]: ownerToken("u2", conf) } }) },
    onUnowned: () => "adopt",
    gives: [],
  },
  {
    why: "what the previous application of this name kept is taken back",
    wanted: [want(configMap({ a: "1" }))],
    known: {
      conf: live(configMap({ a: "1" }), { annotations: { [RETAINED_ANNOTATION]: retainedToken(owner, conf) } }),
    },
    gives: ["apply adopt conf none"],
  },
  {
    why: "after a restore, what the old uid marked is taken over",
    wanted: [want(configMap({ a: "1" }))],
    known: { conf: live(configMap({ a: "1" }), { annotations: { [OWNER_ANNOTATION]: ownerToken("u0", conf) } }) },
    entries: [entry(conf, { inherited: true })],
    formerUids: ["u0"],
    gives: ["apply adopt conf none"],
  },
  {
    why: "no longer rendered is deleted",
    known: { conf: ours(configMap({})) },
    entries: [entry(conf)],
    gives: ["delete delete conf deletes"],
  },
  { why: "gone already is no deletion", entries: [entry(conf)], gives: [] },
  {
    why: "keep is left behind",
    known: { conf: ours(configMap({})) },
    entries: [entry(conf, { policy: "keep" })],
    gives: ["release update conf none"],
  },
  {
    why: "after a restore nothing is pruned",
    known: { conf: live(configMap({}), { annotations: { [OWNER_ANNOTATION]: ownerToken("u0", conf) } }) },
    entries: [entry(conf, { inherited: true })],
    formerUids: ["u0"],
    gives: [],
  },
  {
    why: "an object on its way out is not written to",
    wanted: [want(configMap({ a: "1" }))],
    known: { conf: ours(configMap({ a: "2" }), { deletionTimestamp: "2026-01-01T00:00:00Z" }) },
    entries: [settled(configMap({ a: "1" }))],
    gives: [],
  },
  {
    why: "a field that cannot change in place means delete and again",
    wanted: [want(configMap({ a: "1" }), "managed", { replaceOn: ["/data/a"] })],
    known: { conf: ours(configMap({ a: "2" })) },
    entries: [entry(conf)],
    gives: ["delete update conf replaces"],
  },
  {
    why: "other fields of such an object change in place",
    wanted: [want(configMap({ a: "2", b: "1" }), "managed", { replaceOn: ["/data/a"] })],
    known: { conf: ours(configMap({ a: "2" })) },
    entries: [entry(conf)],
    gives: ["apply update conf inPlace"],
  },
  { why: "createOnly is posted", wanted: [want(secret({ p: "x" }), "createOnly")], gives: ["create create auth none"] },
  {
    why: "an existing key of a createOnly Secret is never written",
    wanted: [want(secret({ p: "x" }), "createOnly")],
    known: { auth: live(storedSecret({ p: "other" })) },
    gives: [],
  },
  {
    why: "a missing key is added",
    wanted: [want(secret({ p: "x", q: "y" }), "createOnly")],
    known: { auth: live(storedSecret({ p: "other" })) },
    gives: ["amend update auth inPlace"],
  },
  {
    why: "a rotated key is written",
    wanted: [{ ...want(secret({ p: "x" }), "createOnly"), rotated: new Set(["p"]) }],
    known: { auth: live(storedSecret({ p: "other" })) },
    gives: ["amend update auth inPlace"],
  },
  {
    why: "a managed Secret needs no digest to be settled",
    wanted: [want(secret({ p: "x" }))],
    known: { auth: live(storedSecret({ p: "x" })) },
    gives: [],
  },
  {
    why: "patchExisting does not create",
    wanted: [want(configMap({ a: "1" }), "patchExisting")],
    gives: [],
  },
  {
    why: "patchExisting writes its fields into what another owns",
    wanted: [want(configMap({ a: "1" }), "patchExisting")],
    known: { conf: live(configMap({ a: "2" })) },
    gives: ["apply update conf inPlace"],
  },
  {
    why: "patchExisting is settled by its fields alone",
    wanted: [want(configMap({ a: "1" }), "patchExisting")],
    known: { conf: live(configMap({ a: "1", b: "2" })) },
    gives: [],
  },
  {
    why: "a Job that never ran is created",
    wanted: [want(job("init-v1"), "runOnce")],
    gives: ["apply create init-v1 none"],
  },
  {
    why: "a Job that succeeded and was cleaned away is no drift",
    wanted: [want(job("init-v1"), "runOnce")],
    entries: [entry(jobRef("init-v1"), { policy: "runOnce", succeeded: true })],
    gives: [],
  },
  {
    why: "the former Job stays while the next is running",
    wanted: [want(job("init-v2"), "runOnce")],
    known: { "init-v1": jobLive("init-v1", true), "init-v2": jobLive("init-v2") },
    entries: [
      entry(jobRef("init-v1"), { policy: "runOnce", succeeded: true, superseded: true }),
      entry(jobRef("init-v2"), { policy: "runOnce" }),
    ],
    gives: [],
  },
  {
    why: "the former Job goes when the next has succeeded",
    wanted: [want(job("init-v2"), "runOnce")],
    known: { "init-v1": jobLive("init-v1", true), "init-v2": jobLive("init-v2", true) },
    entries: [
      entry(jobRef("init-v1"), { policy: "runOnce", succeeded: true, superseded: true }),
      entry(jobRef("init-v2"), { policy: "runOnce", succeeded: true }),
    ],
    gives: ["delete delete init-v1 deletes"],
  },
  {
    why: "back to the first content: it runs again, as another ran in between",
    wanted: [want(job("init-v1"), "runOnce")],
    known: { "init-v1": jobLive("init-v1", true) },
    entries: [entry(jobRef("init-v1"), { policy: "runOnce", succeeded: true, superseded: true })],
    gives: ["delete update init-v1 none"],
  },
];

for (const { why, gives, ...given } of rows) {
  test(`plan: ${why}`, () => assert.deepEqual(shape(plan(given)), gives));
}

test("plan: a refusal names the object and does not stop the others", () => {
  const result = plan({
    wanted: [want(configMap({ a: "1" })), want(configMap({ a: "1" }, "other"))],
    known: { conf: live(configMap({})) },
  });
  assert.deepEqual(shape(result), ["apply create other none"]);
  assert.deepEqual(
    result.refused.map((problem) => [problem.code, problem.object.name, problem.transient]),
    [["ForeignObject", "conf", false]],
  );
});

test("plan: data loss needs the hash of exactly this loss", () => {
  const given: Case = {
    wanted: [want(configMap({ a: "1" }))],
    known: { conf: ours(configMap({ a: "2" })) },
    entries: [entry(conf)],
    otherwise: "losesData",
  };
  const asked = plan(given).confirm;
  assert.ok(asked !== undefined);
  assert.equal(plan({ ...given, consent: asked }).confirm, undefined);
  assert.equal(plan({ ...given, consent: "0000000000000000" }).confirm, asked);
  const more = plan({ ...given, wanted: [want(configMap({ a: "3" }))], consent: asked });
  assert.notEqual(more.confirm, undefined, "consent to one loss is no consent to another");
});

test("plan: after a restore, what is no longer rendered waits for a person", () => {
  const given: Case = {
    known: { conf: live(configMap({}), { annotations: { [OWNER_ANNOTATION]: ownerToken("u0", conf) } }) },
    entries: [entry(conf, { inherited: true })],
    formerUids: ["u0"],
  };
  assert.deepEqual(plan(given).unconfirmed.map(keyOf), [keyOf(conf)]);
});

test("plan: no value of a Secret is in a plan", () => {
  const result = plan({
    wanted: [{ ...want(secret({ p: "hunter2" }), "createOnly"), rotated: new Set(["p"]) }],
    known: { auth: live(storedSecret({ p: "old-one" })) },
  });
  const text = JSON.stringify(result.plan);
  assert.ok(text.includes('"data.p"'));
  for (const value of ["hunter2", "old-one"]) {
    assert.ok(!text.includes(value) && !text.includes(Buffer.from(value).toString("base64")));
  }
});

test("plan: waves decide the order, deletions come last", () => {
  const result = plan({
    wanted: [
      want(configMap({ a: "1" }, "late"), "managed", { wave: 2 }),
      want(configMap({ a: "1" }, "early"), "managed", { wave: 0 }),
    ],
    known: { conf: ours(configMap({})) },
    entries: [entry(conf)],
  });
  assert.deepEqual(
    result.steps.map((step) => step.change.object.name),
    ["early", "late", "conf"],
  );
});
