/**
 * Every scenario of the chaos suite.
 */
import { databaseScenarios } from "./databases.ts";
import type { Scenario } from "./scenario.ts";
import { syntheticScenarios } from "./synthetic.ts";
import { tenantScenarios } from "./tenants.ts";

export const scenarios: readonly Scenario[] = [...syntheticScenarios, ...databaseScenarios, ...tenantScenarios];
