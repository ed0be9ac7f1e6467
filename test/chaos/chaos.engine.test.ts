/** A fixed tenth of the chaos suite; `npm run chaos` runs all of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { testEngine } from "../support/engine.ts";
import { installKinds } from "../support/synthetic-app.ts";
import { describe } from "./faults.ts";
import { scenarios } from "./scenarios.ts";
import { runScenario } from "./suite.ts";

const engine = await testEngine();
const admin = engine.client();

for (const scenario of scenarios) {
  test(`R8, ${scenario.name}: the end is the same as without faults`, async () => {
    await installKinds(admin, scenario.apps);
    const { kubeconfig } = engine;
    const verdicts = await runScenario({ kubeconfig, admin, scenario, seeds: [1, 2], every: 10 });
    for (const { fault, problems } of verdicts) assert.deepEqual(problems, [], describe(fault));
    assert.ok(verdicts.reduce((sum, { injected }) => sum + injected, 0) > 0, "no fault happened");
  });
}
