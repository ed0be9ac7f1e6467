/**
 * Kinds of the group `policy`.
 */
import type { KubeObject } from "../kube/object.ts";
import { defineBuiltin } from "./builtin.ts";
import type { LabelSelector } from "./pod.ts";

export interface PodDisruptionBudgetObject extends KubeObject {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly unhealthyPodEvictionPolicy?: "IfHealthyBudget" | "AlwaysAllow";
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly currentHealthy?: number;
    readonly desiredHealthy?: number;
    readonly disruptionsAllowed?: number;
    readonly expectedPods?: number;
  };
}
export const PodDisruptionBudget = defineBuiltin<PodDisruptionBudgetObject>({
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
  namespaced: true,
});

export const policyKinds = [PodDisruptionBudget] as const;
