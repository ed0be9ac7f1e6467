/**
 * Every scenario of the chaos suite.
 */
import type { Scenario } from "./scenario.ts";
import { syntheticScenarios } from "./synthetic.ts";

export const scenarios: readonly Scenario[] = [...syntheticScenarios];
