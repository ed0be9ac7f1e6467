import assert from "node:assert/strict";
import { test } from "node:test";
import { valueAt } from "../kube/json.ts";
import { type NamesClient, reviewNames } from "./object-store-names.ts";

const named = (names: readonly string[]) => names.map((name) => ({ metadata: { name, namespace: "tenant-a" } }));

const clientOf = (claims: readonly string[], sets: readonly string[] = []): NamesClient => ({
  listMetadata: (kind) => {
    const items = named(kind.kind === "StatefulSet" ? sets : claims).map((item) => ({
      apiVersion: "v1",
      kind: kind.kind,
      ...item,
    }));
    return Promise.resolve({ items, resourceVersion: "1" });
  },
});

const review = (object: unknown = { metadata: { name: "seaweedfs" } }) => ({
  request: { uid: "u", namespace: "tenant-a", operation: "CREATE", object },
});

const answers = [
  { why: "nothing there", claims: [], sets: [], allowed: true },
  { why: "volumes named as the chart (L)", claims: ["data1-seaweedfs-volume-0"], sets: [], allowed: true },
  { why: "volumes of others", claims: ["data1-minio-volume-0"], sets: [], allowed: true },
  { why: "volumes named after the release (S)", claims: ["data1-seaweedfs-system-volume-0"], sets: [], allowed: false },
  { why: "a StatefulSet named after the release", claims: [], sets: ["seaweedfs-system-volume"], allowed: false },
  {
    why: "both (MIXED)",
    claims: ["data1-seaweedfs-system-volume-0", "data1-seaweedfs-volume-0"],
    sets: [],
    allowed: false,
  },
];

for (const { why, claims, sets, allowed } of answers) {
  test(`${allowed ? "lets through" : "refuses"}: ${why}`, async () => {
    const { response } = Object(await reviewNames(clientOf(claims, sets), review()));
    assert.equal(response.uid, "u");
    assert.equal(response.allowed, allowed);
    if (!allowed) assert.deepEqual([response.status.code, response.status.reason], [422, "Invalid"]);
  });
}

test("what cannot be looked at is refused, and asks to try again", async () => {
  const down: NamesClient = { listMetadata: () => Promise.reject(new Error("connection refused")) };
  const answer = await reviewNames(down, review());
  assert.equal(valueAt(answer, "response", "allowed"), false);
  assert.equal(valueAt(answer, "response", "status", "code"), 503);
});

test("a review without an object is refused", async () => {
  for (const odd of [undefined, {}, review(null), review({ metadata: {} })])
    assert.equal(valueAt(await reviewNames(clientOf([]), odd), "response", "status", "code"), 400);
});
