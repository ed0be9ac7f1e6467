export { PodDisruptionBudget, type PodDisruptionBudget as PodDisruptionBudgetObject } from "../kube/kinds/workloads.ts";
