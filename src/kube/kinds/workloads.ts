/**
 * Pods and what runs them.
 */
import { defineKind } from "../define-kind.ts";
import type { KubeObject, OwnerReference } from "../object.ts";
import type { Condition, LabelSelector, ObjectReference, TemplateMetadata } from "./common-fields.ts";
import type { PodSpec, PodTemplate } from "./pod-spec.ts";
import type { ClaimSpec } from "./storage.ts";

const apps = { group: "apps", version: "v1", namespaced: true } as const;
const batch = { group: "batch", version: "v1", namespaced: true } as const;

export interface ContainerState {
  readonly running?: { readonly startedAt?: string };
  readonly waiting?: { readonly reason?: string; readonly message?: string };
  readonly terminated?: {
    readonly exitCode: number;
    readonly reason?: string;
    readonly message?: string;
    readonly startedAt?: string;
    readonly finishedAt?: string;
  };
}

export interface ContainerStatus {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly image: string;
  readonly imageID: string;
  readonly started?: boolean;
  readonly containerID?: string;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

export interface Pod extends KubeObject {
  readonly spec: PodSpec;
  readonly status?: {
    readonly phase?: "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";
    readonly reason?: string;
    readonly message?: string;
    readonly conditions?: readonly (Condition & { readonly lastProbeTime?: string | null })[];
    readonly podIP?: string;
    readonly podIPs?: readonly { readonly ip: string }[];
    readonly hostIP?: string;
    readonly hostIPs?: readonly { readonly ip: string }[];
    readonly startTime?: string;
    readonly qosClass?: string;
    readonly containerStatuses?: readonly ContainerStatus[];
    readonly initContainerStatuses?: readonly ContainerStatus[];
    readonly observedGeneration?: number;
  };
}
export const Pod = defineKind<Pod>({ group: "", version: "v1", kind: "Pod", plural: "pods", namespaced: true });

export interface Deployment extends KubeObject {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly replicas?: number;
    readonly strategy?: {
      readonly type?: "Recreate" | "RollingUpdate";
      readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
    };
    readonly minReadySeconds?: number;
    readonly progressDeadlineSeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly paused?: boolean;
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
export const Deployment = defineKind<Deployment>({ ...apps, kind: "Deployment", plural: "deployments" });

export interface ReplicaSet extends KubeObject {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template?: PodTemplate;
    readonly replicas?: number;
    readonly minReadySeconds?: number;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly fullyLabeledReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}
export const ReplicaSet = defineKind<ReplicaSet>({ ...apps, kind: "ReplicaSet", plural: "replicasets" });

export interface VolumeClaimTemplate {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: TemplateMetadata & { readonly name: string; readonly ownerReferences?: readonly OwnerReference[] };
  readonly spec: ClaimSpec;
}

export interface StatefulSet extends KubeObject {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly serviceName?: string;
    readonly replicas?: number;
    readonly podManagementPolicy?: "OrderedReady" | "Parallel";
    readonly updateStrategy?: {
      readonly type?: "RollingUpdate" | "OnDelete";
      readonly rollingUpdate?: { readonly partition?: number; readonly maxUnavailable?: number | string };
    };
    readonly volumeClaimTemplates?: readonly VolumeClaimTemplate[];
    readonly persistentVolumeClaimRetentionPolicy?: {
      readonly whenDeleted?: "Retain" | "Delete";
      readonly whenScaled?: "Retain" | "Delete";
    };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
    readonly ordinals?: { readonly start: number };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly currentReplicas?: number;
    readonly updatedReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly conditions?: readonly Condition[];
  };
}
export const StatefulSet = defineKind<StatefulSet>({ ...apps, kind: "StatefulSet", plural: "statefulsets" });

export interface DaemonSet extends KubeObject {
  readonly spec: {
    readonly selector: LabelSelector;
    readonly template: PodTemplate;
    readonly updateStrategy?: {
      readonly type?: "RollingUpdate" | "OnDelete";
      readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
    };
    readonly minReadySeconds?: number;
    readonly revisionHistoryLimit?: number;
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly currentNumberScheduled: number;
    readonly desiredNumberScheduled: number;
    readonly numberMisscheduled: number;
    readonly numberReady: number;
    readonly numberAvailable?: number;
    readonly updatedNumberScheduled?: number;
    readonly conditions?: readonly Condition[];
  };
}
export const DaemonSet = defineKind<DaemonSet>({ ...apps, kind: "DaemonSet", plural: "daemonsets" });

export interface JobSpec {
  readonly template: PodTemplate;
  readonly parallelism?: number;
  readonly completions?: number;
  readonly completionMode?: "NonIndexed" | "Indexed";
  readonly backoffLimit?: number;
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly suspend?: boolean;
  readonly selector?: LabelSelector;
  readonly manualSelector?: boolean;
}

export interface Job extends KubeObject {
  readonly spec: JobSpec;
  readonly status?: {
    readonly active?: number;
    readonly ready?: number;
    readonly succeeded?: number;
    readonly failed?: number;
    readonly startTime?: string;
    readonly completionTime?: string;
    readonly conditions?: readonly Condition[];
  };
}
export const Job = defineKind<Job>({ ...batch, kind: "Job", plural: "jobs" });

export interface CronJob extends KubeObject {
  readonly spec: {
    readonly schedule: string;
    readonly jobTemplate: { readonly metadata?: TemplateMetadata; readonly spec: JobSpec };
    readonly timeZone?: string;
    readonly suspend?: boolean;
    readonly concurrencyPolicy?: "Allow" | "Forbid" | "Replace";
    readonly startingDeadlineSeconds?: number;
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
  };
  readonly status?: {
    readonly active?: readonly ObjectReference[];
    readonly lastScheduleTime?: string;
    readonly lastSuccessfulTime?: string;
  };
}
export const CronJob = defineKind<CronJob>({ ...batch, kind: "CronJob", plural: "cronjobs" });

export interface PodDisruptionBudget extends KubeObject {
  readonly spec?: {
    readonly selector?: LabelSelector;
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly unhealthyPodEvictionPolicy?: "IfHealthyBudget" | "AlwaysAllow";
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly currentHealthy: number;
    readonly desiredHealthy: number;
    readonly disruptionsAllowed: number;
    readonly expectedPods: number;
    readonly conditions?: readonly Condition[];
  };
}
export const PodDisruptionBudget = defineKind<PodDisruptionBudget>({
  group: "policy",
  version: "v1",
  kind: "PodDisruptionBudget",
  plural: "poddisruptionbudgets",
  namespaced: true,
});

export interface PriorityClass extends KubeObject {
  readonly value: number;
  readonly globalDefault?: boolean;
  readonly description?: string;
  readonly preemptionPolicy?: "PreemptLowerPriority" | "Never";
}
export const PriorityClass = defineKind<PriorityClass>({
  group: "scheduling.k8s.io",
  version: "v1",
  kind: "PriorityClass",
  plural: "priorityclasses",
  namespaced: false,
});
