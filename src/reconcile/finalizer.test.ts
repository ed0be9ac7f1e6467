import assert from "node:assert/strict";
import { after, test } from "node:test";
import { json, scriptedServer } from "../../test/support/scripted-server.ts";
import { connect } from "../kube/connect.ts";
import { ConfigMap } from "../kube/core-kinds.ts";
import { addFinalizer, FINALIZER, removeFinalizer } from "./finalizer.ts";

const object = (spec: object) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "a", namespace: "ns", resourceVersion: "7", finalizers: ["theirs"], managedFields: [{}] },
  spec,
});

async function server() {
  const scripted = await scriptedServer((_, answer) => json(answer, 200, object({})));
  const client = connect({ server: scripted.url, fieldManager: "us" });
  after(() => client.close());
  return { client, seen: scripted.seen };
}

const cases: readonly { why: string; spec: object; method: string }[] = [
  { why: "an object is put as it was read", spec: { size: 3, ratio: 0.25, list: [{ n: -1 }] }, method: "PUT" },
  { why: "an integer that loses digits in reading", spec: { list: [{ n: 2 ** 53 }] }, method: "PATCH" },
  { why: "a number that reads as an integer of many digits", spec: { n: 1e300 }, method: "PATCH" },
];

for (const { why, spec, method } of cases) {
  test(`the finalizer is set by ${method}: ${why}`, async () => {
    const { client, seen } = await server();
    await addFinalizer(client, ConfigMap, object(spec));
    const [request] = seen;
    assert.equal(request?.method, method);
    const body: unknown = JSON.parse(request?.body ?? "");
    const { managedFields: _, ...metadata } = object(spec).metadata;
    const put = { ...object(spec), metadata: { ...metadata, finalizers: ["theirs", FINALIZER] } };
    const patch = [
      { op: "test", path: "/metadata/resourceVersion", value: "7" },
      { op: "add", path: "/metadata/finalizers", value: ["theirs", FINALIZER] },
    ];
    assert.deepEqual(body, method === "PUT" ? put : patch);
  });
}

test("removing it leaves other finalizers", async () => {
  const { client, seen } = await server();
  const held = object({});
  await removeFinalizer(client, ConfigMap, {
    ...held,
    metadata: { ...held.metadata, finalizers: ["theirs", FINALIZER] },
  });
  assert.deepEqual(JSON.parse(seen[0]?.body ?? "").metadata.finalizers, ["theirs"]);
});
