/** What holds a deletion up, and what only takes its time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../kube/object.ts";
import { heldByFinalizers, PATIENCE } from "./deletion-report.ts";
import { FINALIZER } from "./finalizer.ts";

const object = (finalizers: readonly string[], message?: string): KubeObject => ({
  apiVersion: "example.org/v1",
  kind: "Thing",
  metadata: { name: "a", namespace: "ns", finalizers },
  ...(message === undefined ? {} : { status: { conditions: [{ type: "Stalled", status: "True", message }] } }),
});

const rows: {
  readonly why: string;
  readonly object: KubeObject;
  readonly asked: number;
  /** What is said; undefined: it only takes its time. */
  readonly says: RegExp | undefined;
}[] = [
  { why: "a foreign finalizer, at first", object: object(["x.y/z"]), asked: PATIENCE - 1, says: undefined },
  { why: "a foreign finalizer that stays", object: object(["x.y/z"]), asked: PATIENCE, says: /held by its finalizers/ },
  { why: "no finalizer: a pod that ends", object: object([]), asked: 10 * PATIENCE, says: undefined },
  { why: "an application on its way out", object: object([FINALIZER]), asked: 10 * PATIENCE, says: undefined },
  {
    why: "an application that says what holds it",
    object: object([FINALIZER], "ConfigMap ns/b: stays"),
    asked: PATIENCE,
    says: /ConfigMap ns\/b: stays/,
  },
  {
    why: "an application with a foreign finalizer",
    object: object([FINALIZER, "x.y/z"]),
    asked: PATIENCE,
    says: /held/,
  },
  {
    why: "a volume whose pods are ending",
    object: object(["kubernetes.io/pvc-protection"]),
    asked: 30_000,
    says: undefined,
  },
  {
    why: "a volume whose pods do not end",
    object: object(["kubernetes.io/pvc-protection"]),
    asked: 60_000,
    says: /held by its finalizers/,
  },
];

for (const { why, object: one, asked, says } of rows) {
  test(`a deletion is held up or not: ${why}`, () => {
    const blocker = heldByFinalizers(one, asked);
    if (says === undefined) assert.equal(blocker, undefined);
    else assert.match(blocker?.why ?? "", says);
  });
}
