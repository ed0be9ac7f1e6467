import assert from "node:assert/strict";
import { test } from "node:test";
import { type Change, planOf } from "../reconcile/change.ts";
import {
  changedNames,
  type DocumentPlan,
  documentLines,
  hasChanges,
  planText,
  planValue,
  totals,
} from "./print-plan.ts";
import { paintWith } from "./terminal.ts";

const instance = { group: "apps.cozystack.io", kind: "Postgres", namespace: "tenant-a", name: "db" };
const cluster = { group: "postgresql.cnpg.io", kind: "Cluster", namespace: "tenant-a", name: "postgres-db" };
const plain = paintWith(false);

const roll: Change = {
  object: cluster,
  action: "update",
  impact: "rolls",
  fields: [{ path: "spec.imageName", from: "pg:17", to: "pg:18", impact: "rolls" }],
  because: "spec.imageName pg:17 -> pg:18",
};
const loss: Change = {
  object: { group: "", kind: "PersistentVolumeClaim", namespace: "tenant-a", name: "data-1" },
  action: "delete",
  impact: "losesData",
  fields: [],
  because: "no longer rendered",
};

const unchanged: DocumentPlan = {
  object: instance,
  action: "none",
  fields: [],
  warnings: [],
  plan: planOf(instance, []),
};
const changed: DocumentPlan = {
  object: instance,
  action: "update",
  fields: [{ path: "spec.version", from: "v17", to: "v18", impact: "none" }],
  warnings: ["spec.replica (did you mean replicas?) is not known"],
  plan: planOf(instance, [roll, loss]),
  confirm: "0123456789abcdef",
};

test("a change is shown with its symbol, object, effect and fields; a loss with the way to allow it", () => {
  const lines = documentLines(changed, plain);
  assert.deepEqual(lines, [
    "Postgres tenant-a/db: to be changed",
    "  warning: spec.replica (did you mean replicas?) is not known",
    "    spec.version: v17 -> v18",
    [
      "  ~  Cluster postgres-db           rolls pods  spec.imageName: pg:17 -> pg:18",
      "  !  PersistentVolumeClaim data-1  LOSES DATA",
    ].join("\n"),
    "  Data would be lost. To allow it: --allow-data-loss 0123456789abcdef",
  ]);
});

test("a problem names object, field, code and the way out", () => {
  const problem = {
    object: instance,
    field: "spec.size",
    code: "InvalidQuantity",
    message: "cannot be read",
    remedy: "Write 10Gi.",
    transient: false,
  };
  const lines = documentLines({ ...unchanged, refused: [problem] }, plain);
  assert.deepEqual(lines.slice(1), [
    "  refused: Postgres db spec.size: cannot be read (InvalidQuantity)",
    "    Write 10Gi.",
  ]);
});

test("the closing line counts, and names the worst effect", () => {
  assert.equal(totals([unchanged]), "Nothing would change.");
  assert.equal(totals([changed]), "Plan: 2 to change, 1 to delete. Worst effect: LOSES DATA.");
});

test("documents without news take one line each", () => {
  const text = planText([unchanged, { ...unchanged, object: { ...instance, name: "other" } }], plain);
  assert.equal(text, "Postgres tenant-a/db: unchanged\nPostgres tenant-a/other: unchanged\n\nNothing would change.");
});

test("the machine's form holds the very plan", () => {
  const value = planValue([changed]);
  assert.equal(value.changes, true);
  assert.equal(value.impact, "losesData");
  assert.strictEqual(value.documents[0]?.plan, changed.plan);
  assert.deepEqual([hasChanges(changed), hasChanges(unchanged)], [true, false]);
  assert.deepEqual(changedNames([changed]), [
    "postgres.apps.cozystack.io/db",
    "cluster.postgresql.cnpg.io/postgres-db",
    "persistentvolumeclaim/data-1",
  ]);
});

test("a text of several lines or great length is cut in a plan", () => {
  const long = { path: "spec.script", from: "x".repeat(200), to: "a\nb", impact: "none" } as const;
  const [, line = ""] = documentLines({ ...unchanged, action: "update", fields: [long] }, plain);
  assert.equal(line, `    spec.script: ${"x".repeat(67)}... -> a...`);
});
