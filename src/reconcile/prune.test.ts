import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject, ObjectRef } from "../kube/object.ts";
import { PruneWaits } from "./prune.ts";
import { isReferable, refersTo } from "./references.ts";

const ref = (kind: string, name: string, group = ""): ObjectRef => ({ group, kind, namespace: "a", name });
const object = (spec: unknown, status: object = {}, generation = 1): KubeObject =>
  Object.assign(
    { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d", namespace: "a", generation } },
    { spec, status },
  );
const mounts = (name: string) =>
  object({ template: { spec: { volumes: [{ name: "v", secret: { secretName: name } }] } } });

test("what nobody refers to goes at once", () => {
  for (const one of [ref("Service", "s"), ref("Role", "r", "rbac.authorization.k8s.io"), ref("Job", "j", "batch")]) {
    assert.deepEqual(new PruneWaits(1000).judge(one, [mounts(one.name)], 0), { may: true });
  }
});

test("what may be mounted goes when it was not referred to for a while", () => {
  const waits = new PruneWaits(1000);
  const secret = ref("Secret", "s");
  assert.deepEqual(waits.judge(secret, [object({})], 0), { may: false, after: 1000 });
  assert.deepEqual(waits.judge(secret, [object({})], 400), { may: false, after: 600 });
  assert.deepEqual(waits.judge(secret, [object({})], 1000), { may: true });
});

test("a reference, or a controller that lags, begins the wait anew", () => {
  const waits = new PruneWaits(1000);
  const secret = ref("Secret", "s");
  waits.judge(secret, [object({})], 0);
  assert.deepEqual(waits.judge(secret, [mounts("s")], 500), { may: false });
  assert.deepEqual(waits.judge(secret, [object({})], 1500), { may: false, after: 1000 });
  assert.deepEqual(waits.judge(secret, [object({}, { observedGeneration: 1 }, 2)], 2500), { may: false });
  assert.deepEqual(waits.judge(secret, [object({}, { observedGeneration: 2 }, 2)], 3000), { may: false, after: 1000 });
});

test("templates of other groups are referred to; their users are not", () => {
  assert.ok(isReferable(ref("KubevirtMachineTemplate", "t", "infrastructure.cluster.x-k8s.io")));
  assert.ok(!isReferable(ref("MachineDeployment", "m", "cluster.x-k8s.io")));
});

test("a reference is the very name, or namespace and name; not a part of a text, and not the object's own name", () => {
  const secret = ref("Secret", "s");
  assert.ok(refersTo(mounts("s"), secret));
  assert.ok(refersTo(object({ from: "a/s" }), secret));
  assert.ok(!refersTo(object({ image: "repo/s:1" }), secret));
  assert.ok(!refersTo({ apiVersion: "v1", kind: "Service", metadata: { name: "s", namespace: "a" } }, secret));
});
