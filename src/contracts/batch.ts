/**
 * Kinds of the group `batch`: work that ends.
 */
import type { KubeObject } from "../kube/object.ts";
import { defineBuiltin } from "./builtin.ts";
import type { Condition, LabelSelector, PodTemplateSpec, TemplateMetadata } from "./pod.ts";

const batch = { group: "batch", version: "v1", namespaced: true } as const;

export interface JobSpec {
  readonly template: PodTemplateSpec;
  readonly backoffLimit?: number;
  readonly completions?: number;
  readonly parallelism?: number;
  readonly activeDeadlineSeconds?: number;
  readonly ttlSecondsAfterFinished?: number;
  readonly suspend?: boolean;
  readonly selector?: LabelSelector;
  readonly podFailurePolicy?: object;
}

export interface JobObject extends KubeObject {
  readonly spec: JobSpec;
  readonly status?: {
    readonly active?: number;
    readonly succeeded?: number;
    readonly failed?: number;
    readonly ready?: number;
    readonly startTime?: string;
    readonly completionTime?: string;
    readonly uncountedTerminatedPods?: object;
    readonly conditions?: readonly Condition[];
  };
}
export const Job = defineBuiltin<JobObject>({
  ...batch,
  kind: "Job",
  plural: "jobs",
  impact: {
    // A Job's pod template cannot change: its work is done again by another Job.
    otherwise: "replaces",
    at: {
      "spec.suspend": "inPlace",
      "spec.parallelism": "inPlace",
      "spec.activeDeadlineSeconds": "inPlace",
      "spec.ttlSecondsAfterFinished": "inPlace",
      "spec.backoffLimit": "inPlace",
    },
  },
});

export interface CronJobObject extends KubeObject {
  readonly spec: {
    readonly schedule: string;
    readonly timeZone?: string;
    readonly jobTemplate: { readonly metadata?: TemplateMetadata; readonly spec: JobSpec };
    readonly concurrencyPolicy?: "Allow" | "Forbid" | "Replace";
    readonly suspend?: boolean;
    readonly startingDeadlineSeconds?: number;
    readonly successfulJobsHistoryLimit?: number;
    readonly failedJobsHistoryLimit?: number;
  };
  readonly status?: {
    readonly active?: readonly object[];
    readonly lastScheduleTime?: string;
    readonly lastSuccessfulTime?: string;
  };
}
export const CronJob = defineBuiltin<CronJobObject>({ ...batch, kind: "CronJob", plural: "cronjobs" });

export const batchKinds = [Job, CronJob] as const;
