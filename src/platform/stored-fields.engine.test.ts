import assert from "node:assert/strict";
import { test } from "node:test";
import { testEngine } from "../../test/support/engine.ts";
import { redis } from "../apps/redis/index.ts";
import type { Client } from "../kube/client.ts";
import type { CustomResourceDefinition } from "../kube/kinds/extension.ts";
import { isPart } from "./apply-base.ts";
import { installPlatform } from "./install.ts";
import { keepStoredFields, StoredFieldsDropped } from "./stored-fields.ts";

const engine = await testEngine();
const client = engine.client();
await installPlatform(client, { twin: true });

/** Redis as a later version may have it. */
function later(field: string, schema: object): CustomResourceDefinition {
  const definition = structuredClone(redis.crd());
  const spec = definition.spec.versions[0]?.schema?.openAPIV3Schema?.properties?.["spec"];
  assert.ok(spec?.properties !== undefined);
  Object.assign(spec.properties, { [field]: schema });
  return definition;
}

/** A cluster that holds one definition, and takes no write. */
function holding(definition: CustomResourceDefinition): { readonly client: Client; readonly writes: string[] } {
  const writes: string[] = [];
  const get: Client["get"] = async (kind, name, namespace, options) => {
    const live = await client.get(kind, name, namespace, options);
    return live !== undefined && name === definition.metadata.name ? Object.assign(live, definition) : live;
  };
  const apply: Client["apply"] = (kind, object) => {
    writes.push(`${kind.kind} ${object.metadata.name}`);
    return Promise.resolve(object);
  };
  return { client: { ...client, get, apply }, writes };
}

const rows = [
  {
    why: "a field of a later version",
    definition: later("fromTheFuture", { type: "object", properties: { depth: { type: "integer" } } }),
    says: /redises\.apps\.cozystack\.io.*spec\.fromTheFuture \(object\) is gone; spec\.fromTheFuture\.depth/,
  },
  {
    why: "a field of another type",
    definition: later("replicas", { type: "string" }),
    says: /spec\.replicas was string and is integer/,
  },
] as const;

for (const { why, definition, says } of rows) {
  test(`a definition is not replaced by one that would lose ${why}; nothing at all is installed`, async () => {
    const cluster = holding(definition);
    await assert.rejects(installPlatform(cluster.client, { twin: true }), (error) => {
      assert.ok(error instanceof StoredFieldsDropped);
      assert.equal(error.code, "StoredFieldsDropped");
      assert.match(error.message, says);
      assert.match(error.remedy, /newer one/);
      return true;
    });
    assert.deepEqual(cluster.writes, []);
  });
}

test("an equal definition, one with fewer fields, and none at all are replaced", async () => {
  await keepStoredFields(client, [redis.crd(), later("new", { type: "string" })]);
  const renamed = structuredClone(redis.crd());
  await keepStoredFields(client, [{ ...renamed, metadata: { name: "nothings.apps.cozystack.io" } }]);
});

test("what is only there to be refused holds nothing that could be lost", async () => {
  const forbidden = later("old", { type: "string", "x-kubernetes-validations": [{ rule: "false", message: "no" }] });
  assert.ok(!isPart(forbidden, redis.crd()));
  await keepStoredFields(holding(forbidden).client, [redis.crd()]);
});

test("on a way back a definition that knows more stays, and one with a field of another type is refused all the same", async () => {
  const [{ definition: newer }, { definition: other }] = rows;
  assert.deepEqual(
    [...(await keepStoredFields(holding(newer).client, [redis.crd()], "keep"))],
    ["redises.apps.cozystack.io"],
  );
  await assert.rejects(keepStoredFields(holding(other).client, [redis.crd()], "keep"), StoredFieldsDropped);
  assert.deepEqual([...(await keepStoredFields(client, [redis.crd()], "keep"))], []);
});
