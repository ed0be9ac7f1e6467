/**
 * `npm run chaos [-- --scenario TEXT --fault NAME --every N --seeds N --first-seed N --concurrency N]`: every fault under every scenario.
 * Ends with `N passed, N failed`, and exit code 1 when one failed.
 */
import { parseArgs } from "node:util";
import { explainWhenAsked } from "../../scripts/usage.ts";
import { connect } from "../../src/kube/connect.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import { sharedEngine } from "../support/shared-engine.ts";
import { installKinds } from "../support/synthetic-app.ts";
import { faultNames } from "./faults.ts";
import { scenarios } from "./scenarios.ts";
import { line, runScenario, type Verdict } from "./suite.ts";

explainWhenAsked(import.meta.filename);

const { values } = parseArgs({
  options: {
    scenario: { type: "string", default: "" },
    fault: { type: "string" },
    every: { type: "string", default: "1" },
    seeds: { type: "string", default: "5" },
    "first-seed": { type: "string", default: "1" },
    concurrency: { type: "string", default: "4" },
  },
});
if (values.fault !== undefined && !faultNames.some((name) => name === values.fault)) {
  throw new Error(`--fault is one of ${faultNames.join(", ")}`);
}
const kubeconfig = process.env["COZYSTACK_TEST_KUBECONFIG"] ?? (await sharedEngine());
const admin = connect({ ...(await loadKubeconfig(kubeconfig)), fieldManager: "chaos" });
const seeds = Array.from({ length: Number(values.seeds) }, (_, at) => Number(values["first-seed"]) + at);
const verdicts: Verdict[] = [];
for (const scenario of scenarios.filter(({ name }) => name.includes(values.scenario))) {
  await installKinds(admin, scenario.apps);
  const onCase = (verdict: Verdict) => console.log(line(verdict));
  const only = faultNames.find((name) => name === values.fault);
  const every = Number(values.every);
  const concurrency = Number(values.concurrency);
  verdicts.push(
    ...(await runScenario({
      kubeconfig,
      admin,
      scenario,
      seeds,
      every,
      concurrency,
      onCase,
      ...(only === undefined ? {} : { only }),
    })),
  );
}
await admin.close();
const failed = verdicts.filter(({ problems }) => problems.length > 0).length;
console.log(`${verdicts.reduce((sum, { injected }) => sum + injected, 0)} faults injected`);
console.log(`${verdicts.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
