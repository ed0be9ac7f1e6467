import assert from "node:assert/strict";
import { test } from "node:test";
import { testEngine } from "../../test/support/engine.ts";
import { ConfigMap } from "../contracts/core.ts";
import { migrate, needsMigration } from "./field-owner.ts";

const engine = await testEngine();
const client = engine.client("cozystack");
const namespace = await engine.namespace("field-owner");

test("a field that came by POST is released by an apply once it was moved to our Apply entry", async () => {
  const body = (data: Record<string, string>) => ConfigMap("c", { namespace, data });
  await client.create(ConfigMap, body({ kept: "1", gone: "1" }));
  const applied = await client.apply(ConfigMap, body({ kept: "1" }));
  assert.equal(applied.data?.["gone"], "1", "the API server's own behaviour, without which all this is not needed");
  assert.ok(needsMigration(applied, "cozystack"));
  const moved = await migrate(client, ConfigMap, applied);
  assert.ok(!needsMigration(moved, "cozystack"));
  assert.equal(moved.data?.["gone"], "1");
  const released = await client.apply(ConfigMap, body({ kept: "1" }));
  assert.deepEqual(released.data, { kept: "1" });
});

test("other managers keep their fields; a version that is no longer live is not written", async () => {
  const other = engine.client("somebody");
  await client.create(ConfigMap, ConfigMap("d", { namespace, data: { ours: "1" } }));
  const mixed = await other.mergePatch(ConfigMap, "d", namespace, { data: { theirs: "1" } });
  await migrate(client, ConfigMap, mixed);
  const end = await client.apply(ConfigMap, ConfigMap("d", { namespace }));
  assert.deepEqual(end.data, { theirs: "1" });
  await assert.rejects(migrate(client, ConfigMap, mixed));
});
