/** Names in plans that are known only when the plan is carried out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { want } from "../../test/support/plan-cases.ts";
import type { KubeObject } from "../kube/object.ts";
import type { Change } from "./change.ts";
import { undecidedName, withHonestNames } from "./preview.ts";

const job = (name: string) => {
  const object: KubeObject = { apiVersion: "batch/v1", kind: "Job", metadata: { name, namespace: "tenant-a" } };
  return want(object, "runOnce");
};
const change = (name: string): Change => ({
  object: job(name).ref,
  action: "create",
  impact: "none",
  fields: [],
  because: "not yet run",
});

const rows = [
  { why: "two tries agree", first: "db-init-1a", second: "db-init-1a", shown: "db-init-1a" },
  { why: "two tries differ", first: "db-init-1a", second: "db-init-2b", shown: "db-init-<decided at apply>" },
];
for (const { why, first, second, shown } of rows) {
  test(`the name of a Job where ${why} is ${shown}`, () => {
    const names = withHonestNames([change(first), change("other-job")], [job(first)], [job(second)]);
    assert.deepEqual(
      names.map(({ object }) => object.name),
      [shown, "other-job"],
    );
  });
}

test("a name without a last part has none to leave out", () => {
  assert.equal(undecidedName("init"), "<decided at apply>");
});
