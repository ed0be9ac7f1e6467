import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Case,
  conf,
  configMap,
  entry,
  live,
  ours,
  owner,
  plan,
  secret,
  settled,
  shape,
  storedSecret,
  want,
} from "../../test/support/plan-cases.ts";
import { keyOf } from "../kube/object.ts";
import { OWNER_ANNOTATION, ownerToken, RETAINED_ANNOTATION, retainedToken } from "./owner.ts";

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
    why: "such a field that somebody changed by hand is changed back, and nothing is deleted",
    wanted: [want(configMap({ a: "1" }), "managed", { replaceOn: ["/data/a"] })],
    known: { conf: ours(configMap({ a: "2" })) },
    entries: [settled(configMap({ a: "1" }))],
    gives: ["apply update conf inPlace"],
  },
  {
    why: "other fields of such an object change in place",
    wanted: [want(configMap({ a: "2", b: "1" }), "managed", { replaceOn: ["/data/a"] })],
    known: { conf: ours(configMap({ a: "2" })) },
    entries: [entry(conf)],
    gives: ["apply update conf inPlace"],
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

test("plan: what turned foreign stays listed by the uid of what we made, not by that of somebody else's", () => {
  const listed = entry({ ...conf, uid: "the-one-we-made" });
  const planned = plan({
    wanted: [want(configMap({ a: "1" }))],
    known: { conf: live(configMap({ a: "2" })) },
    entries: [listed],
  });
  assert.deepEqual(
    planned.refused.map(({ code }) => code),
    ["ForeignObject"],
  );
  assert.deepEqual(planned.owned, [listed]);
});

test("plan: a planned object of unknown uid without our mark is gone, unless we have written to it", () => {
  const given = (manager: string) =>
    plan({
      known: { conf: live(configMap({}), { managedFields: [{ manager, operation: "Apply" }] }) },
      entries: [entry(conf)],
    });
  assert.equal(given("somebody").gone.length, 1);
  assert.deepEqual(given("cozystack").gone, []);
  assert.deepEqual(
    given("cozystack").refused.map(({ code }) => code),
    ["OwnershipUnproven"],
  );
});
