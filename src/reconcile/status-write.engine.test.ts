import assert from "node:assert/strict";
import { test } from "node:test";
import { platformEngine } from "../../test/support/platform.ts";
import { WorkloadMonitor } from "../contracts/cozystack-io.ts";
import { putStatus } from "./status-write.ts";

const engine = await platformEngine();
const client = engine.client("status-test");

test("writing a status takes no field from whoever applied it", async () => {
  const namespace = await engine.namespace("status");
  const body = WorkloadMonitor("m", {
    namespace,
    labels: { mine: "yes" },
    annotations: { ours: "too" },
    spec: { selector: { a: "b" }, minReplicas: 1 },
  });
  await client.apply(WorkloadMonitor, body);
  const ownedBefore = await owned(namespace);
  // As stores hold it: without managedFields.
  const { items } = await client.list(WorkloadMonitor, { namespace });
  const [read] = items;
  assert.ok(read !== undefined);
  await putStatus(client, WorkloadMonitor, read, { operational: true });
  const live = await client.get(WorkloadMonitor, "m", namespace);
  assert.equal(live?.status?.operational, true);
  assert.deepEqual([live?.metadata.labels, live?.spec?.minReplicas], [{ mine: "yes" }, 1]);
  assert.deepEqual(await owned(namespace), ownedBefore);
});

/** What the apply owns. */
async function owned(namespace: string): Promise<unknown> {
  const live = await client.get(WorkloadMonitor, "m", namespace);
  return live?.metadata.managedFields?.find(({ operation }) => operation === "Apply")?.fieldsV1;
}
