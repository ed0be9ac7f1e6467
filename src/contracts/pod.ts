export type { LabelSelector } from "../kube/kinds/common-fields.ts";
export type { Container, EnvVar, PodSpec, TopologySpreadConstraint } from "../kube/kinds/pod-spec.ts";
export type { ClaimSpec } from "../kube/kinds/storage.ts";
