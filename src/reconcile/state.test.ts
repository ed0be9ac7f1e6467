import assert from "node:assert/strict";
import { test } from "node:test";
import { problemOf } from "./problem.ts";
import { type InstanceState, nextAction } from "./state.ts";

const object = { group: "", kind: "Secret", namespace: "a", name: "b" };
const invalid = { object, code: "Invalid", message: "no", remedy: "", transient: false };

const rows: readonly { readonly why: string; readonly state: InstanceState; readonly does: string }[] = [
  { why: "a missing object is an event when it comes", state: { is: "waiting", on: object, why: "" }, does: "wait" },
  { why: "health is an event", state: { is: "progressing", on: [] }, does: "wait" },
  { why: "nothing to do", state: { is: "ready" }, does: "wait" },
  { why: "a person's consent is an event", state: { is: "unconfirmed", hash: "x", changes: [] }, does: "wait" },
  {
    why: "an object on its way out is an event when it is gone",
    state: { is: "outOfSync", changes: [] },
    does: "wait",
  },
  { why: "the API server may think otherwise later", state: { is: "refused", problems: [invalid] }, does: "retry" },
  {
    why: "a foreign object that goes is an event",
    state: { is: "refused", problems: [problemOf(object, "ForeignObject")] },
    does: "wait",
  },
  {
    why: "one problem of many that may pass",
    state: {
      is: "refused",
      problems: [problemOf(object, "ForeignObject"), { ...invalid, transient: true, code: "x" }],
    },
    does: "retry",
  },
  { why: "objects that go are events", state: { is: "deleting", left: [object] }, does: "wait" },
  { why: "nothing is left", state: { is: "gone" }, does: "forget" },
];

for (const { why, state, does } of rows) {
  test(`${state.is} means ${does}: ${why}`, () => assert.equal(nextAction(state).do, does));
}
