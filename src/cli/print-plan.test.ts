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

test("a change by which servers go says what becomes of their volumes", () => {
  const fewer = (volumes: "stay" | "go"): Change => ({
    ...roll,
    fields: [{ path: "spec.instances", from: 3, to: 1, impact: "inPlace", volumes }],
  });
  const text = (volumes: "stay" | "go") =>
    documentLines({ ...changed, plan: planOf(instance, [fewer(volumes)]) }, plain);
  assert.match(text("stay").join("\n"), /spec\.instances: 3 -> 1; volumes of what goes stay, and take up storage$/m);
  assert.match(text("go").join("\n"), /spec\.instances: 3 -> 1; volumes of what goes are deleted$/m);
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
  assert.equal(
    totals([changed]),
    "Plan: 1 application and 1 object to change, 1 object to delete. Worst effect: LOSES DATA.",
  );
});

test("the closing line tells what is asked for from what it is made of, in a deletion as well", () => {
  const made = (name: string): Change => ({
    object: { ...cluster, name },
    action: "create",
    impact: "none",
    fields: [],
    because: "new",
  });
  const created: DocumentPlan = { ...unchanged, action: "create", plan: planOf(instance, [made("a"), made("b")]) };
  const settings = {
    ...unchanged,
    object: { group: "", kind: "ConfigMap", name: "settings" },
    action: "create",
  } as const;
  assert.equal(totals([created]), "Plan: 1 application and 2 objects to create.");
  assert.equal(totals([created, settings]), "Plan: 1 application and 3 objects to create.");
  const fields = [{ path: "spec.users", to: {}, impact: "none" }] as const;
  assert.equal(totals([{ ...unchanged, action: "update", fields }]), "Plan: 1 application to change.");
  const gone = (object: Change["object"]): Change => ({
    object,
    action: "delete",
    impact: "deletes",
    fields: [],
    because: "owned by it",
  });
  const deleted: DocumentPlan = {
    ...unchanged,
    action: "delete",
    plan: planOf(instance, [gone(cluster), gone(instance)]),
  };
  assert.equal(totals([deleted]), "Plan: 1 application and 1 object to delete. Worst effect: deleted.");
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
