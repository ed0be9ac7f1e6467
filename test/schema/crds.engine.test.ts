/**
 * Every definition in the real API server: accepted (the cost of its rules included), served, and structural.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { apps as catalogue } from "../../src/apps/index.ts";
import { CustomResourceDefinition } from "../../src/kube/core-kinds.ts";
import { testEngine } from "../support/engine.ts";
import { allApps } from "./apps.ts";
import { kindOf, serve } from "./install.ts";

const engine = await testEngine();
const client = engine.client();
const apps = (await allApps()).map(({ app }) => app);

before(() => serve(client, apps));

for (const app of apps) {
  test(`${app.kind} is served, with defaults for an object without a spec`, async () => {
    const definition = await client.get(CustomResourceDefinition, app.crd().metadata.name);
    const problems = definition?.status?.conditions?.filter(
      ({ type, status }) => type === "NonStructuralSchema" && status === "True",
    );
    assert.deepEqual(problems, []);
    // The server fills in what a default leaves out: nothing may be left to it.
    const [version] = definition?.spec.versions ?? [];
    assert.deepEqual(
      version?.schema?.openAPIV3Schema?.properties?.["spec"]?.default,
      app.crd().spec.versions[0]?.schema?.openAPIV3Schema?.properties?.["spec"]?.default,
    );
    await client.list(kindOf(app));
  });
}

test("every application that exists is in the catalogue", () => {
  const names = (all: typeof catalogue) => all.map(({ group, plural }) => `${plural}.${group}`).sort();
  assert.deepEqual(names(catalogue), names(apps));
});
