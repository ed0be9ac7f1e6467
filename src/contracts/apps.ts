/**
 * Kinds of the group `apps`: what keeps pods running.
 */
import type { KubeObject } from "../kube/object.ts";
import { defineBuiltin } from "./builtin.ts";
import type { ClaimSpec, Condition, LabelSelector, PodTemplateSpec, TemplateMetadata } from "./pod.ts";

const apps = { group: "apps", version: "v1", namespaced: true } as const;

export interface DeploymentObject extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplateSpec;
    readonly strategy?: {
      readonly type?: "Recreate" | "RollingUpdate";
      readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
    };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly paused?: boolean;
    readonly progressDeadlineSeconds?: number;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly unavailableReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}
export const Deployment = defineBuiltin<DeploymentObject>({
  ...apps,
  kind: "Deployment",
  plural: "deployments",
  impact: { otherwise: "inPlace", at: { "spec.template": "rolls", "spec.selector": "replaces" } },
});

export interface StatefulSetObject extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly serviceName?: string;
    readonly selector: LabelSelector;
    readonly template: PodTemplateSpec;
    readonly podManagementPolicy?: "OrderedReady" | "Parallel";
    readonly updateStrategy?: {
      readonly type?: "OnDelete" | "RollingUpdate";
      readonly rollingUpdate?: { readonly partition?: number; readonly maxUnavailable?: number | string };
    };
    readonly revisionHistoryLimit?: number;
    readonly minReadySeconds?: number;
    readonly persistentVolumeClaimRetentionPolicy?: {
      readonly whenDeleted?: "Retain" | "Delete";
      readonly whenScaled?: "Retain" | "Delete";
    };
    readonly volumeClaimTemplates?: readonly { readonly metadata: TemplateMetadata; readonly spec: ClaimSpec }[];
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly currentReplicas?: number;
    readonly updatedReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly conditions?: readonly Condition[];
  };
}
export const StatefulSet = defineBuiltin<StatefulSetObject>({
  ...apps,
  kind: "StatefulSet",
  plural: "statefulsets",
  impact: {
    // Whatever the API server lets change changes in place; the rest means another StatefulSet over the same volumes.
    otherwise: "replaces",
    at: {
      "spec.template": "rolls",
      "spec.replicas": "inPlace",
      "spec.updateStrategy": "inPlace",
      "spec.revisionHistoryLimit": "inPlace",
      "spec.minReadySeconds": "inPlace",
      "spec.persistentVolumeClaimRetentionPolicy": "inPlace",
    },
  },
});

export interface DaemonSetObject extends KubeObject {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template: PodTemplateSpec;
    readonly updateStrategy?: { readonly type?: "OnDelete" | "RollingUpdate"; readonly rollingUpdate?: object };
    readonly revisionHistoryLimit?: number;
    readonly minReadySeconds?: number;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly desiredNumberScheduled?: number;
    readonly currentNumberScheduled?: number;
    readonly numberAvailable?: number;
    readonly numberReady?: number;
    readonly numberMisscheduled?: number;
    readonly updatedNumberScheduled?: number;
  };
}
export const DaemonSet = defineBuiltin<DaemonSetObject>({
  ...apps,
  kind: "DaemonSet",
  plural: "daemonsets",
  impact: { otherwise: "inPlace", at: { "spec.template": "rolls", "spec.selector": "replaces" } },
});

export interface ReplicaSetObject extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: LabelSelector;
    readonly template: PodTemplateSpec;
    readonly minReadySeconds?: number;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
  };
}
export const ReplicaSet = defineBuiltin<ReplicaSetObject>({
  ...apps,
  kind: "ReplicaSet",
  plural: "replicasets",
  impact: { otherwise: "inPlace", at: { "spec.template": "none", "spec.selector": "replaces" } },
});

export const appsKinds = [Deployment, StatefulSet, DaemonSet, ReplicaSet] as const;
