import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Case,
  configMap,
  entry,
  job,
  jobLive,
  jobRef,
  live,
  plan,
  secret,
  shape,
  storedSecret,
  want,
} from "../../test/support/plan-cases.ts";

const rows: readonly (Case & { readonly why: string; readonly gives: readonly string[] })[] = [
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
    gives: ["create create init-v1 none"],
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
