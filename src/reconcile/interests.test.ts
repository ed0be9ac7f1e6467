import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject, ObjectRef } from "../kube/object.ts";
import { Interests, type Watched } from "./interests.ts";

const ref = (name: string, uid?: string): ObjectRef => ({
  group: "",
  kind: "Secret",
  namespace: "a",
  name,
  ...(uid === undefined ? {} : { uid }),
});
const secret = (name: string, labels: Record<string, string> = {}, namespace = "a"): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace, labels, uid: "u" },
});
const watched = (more: Partial<Watched>): Watched => ({ refs: [], lists: [], kinds: [], ...more });
const list = (labels: Record<string, string>, namespace?: string) => ({
  group: "",
  kind: "Secret",
  labels,
  ...(namespace === undefined ? {} : { namespace }),
});

test("an event wakes those that named the object, whatever its uid", () => {
  const interests = new Interests();
  interests.set("one", watched({ refs: [ref("s", "other-uid")] }));
  interests.set("two", watched({ refs: [ref("t")] }));
  assert.deepEqual([...interests.affected(secret("s"))], ["one"]);
});

test("an event wakes those whose labels fit, in their namespace or in all", () => {
  const interests = new Interests();
  interests.set("here", watched({ lists: [list({ x: "1" }, "a")] }));
  interests.set("anywhere", watched({ lists: [list({ x: "1" })] }));
  interests.set("all", watched({ lists: [list({}, "a")] }));
  assert.deepEqual([...interests.affected(secret("s", { x: "1", y: "2" }))].sort(), ["all", "anywhere", "here"]);
  assert.deepEqual([...interests.affected(secret("s", { x: "1" }, "b"))], ["anywhere"]);
  assert.deepEqual(
    [...interests.affected(secret("s"), secret("s", { x: "1" }))].sort(),
    ["all", "anywhere", "here"],
    "it lost the label",
  );
});

test("what replaces an interest ends the one before; what is forgotten wakes nobody", () => {
  const interests = new Interests();
  interests.set("one", watched({ refs: [ref("s")], lists: [list({ x: "1" })], kinds: ["/Secret"] }));
  interests.set("one", watched({ refs: [ref("t")] }));
  assert.equal(interests.affected(secret("s", { x: "1" })).size, 0);
  assert.equal(interests.waitingFor("/Secret").size, 0);
  assert.deepEqual([...interests.affected(secret("t"))], ["one"]);
  interests.forget("one");
  assert.equal(interests.affected(secret("t")).size, 0);
});
