import assert from "node:assert/strict";
import { test } from "node:test";
import { CustomResourceDefinition } from "../../src/kube/core-kinds.ts";
import { testEngine } from "../support/engine.ts";
import { allApps } from "./apps.ts";

const client = (await testEngine()).client();

for (const { app } of await allApps()) {
  test(`the API server accepts the definition of ${app.kind}, CEL cost included`, async () => {
    const stored = await client.apply(CustomResourceDefinition, app.crd(), { dryRun: true });
    assert.equal(stored.metadata.name, `${app.plural}.${app.group}`);
  });
}
