import assert from "node:assert/strict";
import { test } from "node:test";
import { Secret } from "../kube/core-kinds.ts";
import type { KubeObject, ObjectRef } from "../kube/object.ts";
import { alphanumeric, generatedSecret } from "../sdk/needs.ts";
import { bodyOf, ROTATED_ANNOTATION } from "./body.ts";
import { emptyRecord, type InventoryEntry, withEntries } from "./inventory-record.ts";
import { answerGenerated, type GeneratedOptions } from "./needs-generated.ts";
import type { View } from "./view.ts";

const instance = { group: "apps.cozystack.io", kind: "Redis", namespace: "a", name: "db", uid: "u1" };
const ref: ObjectRef = { group: "", kind: "Secret", namespace: "a", name: "auth" };
const { request } = generatedSecret(
  "auth",
  { password: alphanumeric(8), key: alphanumeric(8) },
  { rotate: ["password"] },
);

let counter = 0;
const randomBytes = (count: number) => {
  counter += 1;
  return new Uint8Array(count).fill(counter);
};

const live = (data: Record<string, string>, annotations: Record<string, string> = {}, uid = "u1"): KubeObject =>
  bodyOf(Secret("auth", { namespace: "a", stringData: data }), ref, { ownerUid: uid, annotations });

interface Given {
  /** What the store shows, and what the API server says. */
  readonly stored?: KubeObject;
  readonly actual?: KubeObject;
  readonly entry?: InventoryEntry;
  readonly rotate?: string;
  readonly rotatedBefore?: string;
  readonly fail?: true;
}

function answer(given: Given, pending: GeneratedOptions["pending"] = new Map()) {
  const no = () => Promise.reject(new Error("not asked for in this test"));
  const view: View = {
    serves: no,
    look: no,
    list: no,
    wrote: () => undefined,
    read: () => Promise.resolve(given.stored),
    fresh: () => (given.fail === true ? Promise.reject(new Error("timed out")) : Promise.resolve(given.actual)),
  };
  if (request.type !== "generated") throw new Error("not a generated need");
  const empty = emptyRecord(instance);
  const inventory = {
    ...(given.entry === undefined ? empty : withEntries(empty, [given.entry])),
    ...(given.rotatedBefore === undefined ? {} : { rotated: given.rotatedBefore }),
  };
  return answerGenerated(view, request, "a", {
    instance,
    inventory,
    randomBytes,
    mayAdopt: () => false,
    pending,
    ...(given.rotate === undefined ? {} : { rotate: given.rotate }),
  });
}

async function values(given: Given, pending?: GeneratedOptions["pending"]) {
  const found = await answer(given, pending);
  if (found.is === "refused") throw new Error(found.problem.code);
  return found;
}

const listed: InventoryEntry = { ref: { ...ref, uid: "x" }, policy: "createOnly", generated: true };

const planned: InventoryEntry = { ref, policy: "createOnly", generated: true };

test("values are made for a Secret that was never planned, without asking: its create is refused where there is one", async () => {
  const made = await values({ fail: true });
  assert.deepEqual(Object.keys(made.values).sort(), ["key", "password"]);
  assert.equal(made.existing.size, 0);
});

test("values are made for a planned Secret when the API server says that there is none", async () => {
  const made = await values({ entry: planned });
  assert.deepEqual(Object.keys(made.values).sort(), ["key", "password"]);
});

test("a read that fails makes nothing", async () => {
  await assert.rejects(answer({ entry: planned, fail: true }), /timed out/);
});

test("a planned Secret that the store has not seen yet is read, not made anew", async () => {
  const found = await values({ entry: planned, actual: live({ password: "old", key: "k" }) });
  assert.equal(found.values["password"], "old");
});

test("a key that live lacks is made, the others stay", async () => {
  const found = await values({ stored: live({ password: "old", more: "m" }) });
  assert.equal(found.values["password"], "old");
  assert.equal(found.values["more"], "m");
  assert.equal(found.values["key"]?.length, 8);
  assert.deepEqual([...found.existing].sort(), ["more", "password"]);
});

test("values that were made before the Secret could be written are made once", async () => {
  const pending: GeneratedOptions["pending"] = new Map();
  const first = await values({}, pending);
  assert.deepEqual((await values({}, pending)).values, first.values);
});

const refusals: readonly { readonly why: string; readonly given: Given; readonly code: string }[] = [
  { why: "it was there and is gone", given: { entry: listed }, code: "SecretLost" },
  {
    why: "the same rotation does not bring it back",
    given: { entry: listed, rotate: "1", rotatedBefore: "1" },
    code: "SecretLost",
  },
  { why: "it is another instance's", given: { stored: live({ password: "x" }, {}, "u2") }, code: "ForeignObject" },
  { why: "it is nobody's", given: { stored: Secret("auth", { namespace: "a" }) }, code: "ForeignObject" },
];

for (const { why, given, code } of refusals) {
  test(`a generated Secret is refused: ${why}`, async () => {
    const found = await answer(given);
    assert.equal(found.is === "refused" ? found.problem.code : found.is, code);
  });
}

test("a planned Secret that never came to be is no loss; a new rotation makes a lost one anew", async () => {
  assert.equal((await answer({ entry: { ...listed, ref } })).is, "generated");
  assert.equal((await answer({ entry: listed, rotate: "2", rotatedBefore: "1" })).is, "generated");
});

test("R11: a rotation changes the keys it is for, once", async () => {
  const before = live({ password: "old", key: "k" });
  const asked = await values({ stored: before, rotate: "1" });
  assert.deepEqual([...asked.rotated], ["password"]);
  assert.notEqual(asked.values["password"], "old");
  assert.equal(asked.values["key"], "k");
  assert.deepEqual(asked.annotations, { [ROTATED_ANNOTATION]: "1" });
  const done = await values({
    stored: live({ password: "new", key: "k" }, { [ROTATED_ANNOTATION]: "1" }),
    rotate: "1",
  });
  assert.equal(done.rotated.size, 0);
  assert.equal(done.values["password"], "new");
});
