/**
 * Kinds that Kubernetes itself serves: they need no schema of ours, only how a change of them reaches what runs.
 */
import * as kinds from "../kube/core-kinds.ts";
import type { AnyKind } from "../kube/object.ts";
import type { ImpactRules } from "./impact.ts";

/** Kubernetes' own kinds that the program reads or writes. */
export const builtinKinds: readonly AnyKind[] = Object.values(kinds);

const podTemplate: ImpactRules = {
  otherwise: "inPlace",
  at: { "spec.template": "rolls", "spec.selector": "replaces" },
};

/** By `group/Kind`; every change of a kind that is not listed is `inPlace`. */
export const builtinImpacts: Readonly<Record<string, ImpactRules>> = {
  "/Secret": { otherwise: "inPlace", at: { type: "replaces", immutable: "replaces" } },
  "/ConfigMap": { otherwise: "inPlace", at: { immutable: "replaces" } },
  "/Service": {
    otherwise: "inPlace",
    at: { "spec.clusterIP": "replaces", "spec.clusterIPs": "replaces", "spec.loadBalancerClass": "replaces" },
  },
  "/Pod": { otherwise: "replaces", at: { "spec.containers.*.image": "restarts" } },
  "/PersistentVolumeClaim": {
    otherwise: "losesData",
    at: { "spec.resources": "inPlace", "spec.volumeAttributesClassName": "inPlace" },
  },
  "/PersistentVolume": {
    otherwise: "losesData",
    at: { "spec.capacity": "inPlace", "spec.persistentVolumeReclaimPolicy": "inPlace", "spec.claimRef": "inPlace" },
  },
  "apps/Deployment": podTemplate,
  "apps/DaemonSet": podTemplate,
  // A ReplicaSet does not touch the pods it has.
  "apps/ReplicaSet": { otherwise: "inPlace", at: { "spec.template": "none", "spec.selector": "replaces" } },
  "apps/StatefulSet": {
    // Whatever the API server lets change changes in place; the rest means another StatefulSet over the same volumes.
    otherwise: "replaces",
    at: {
      "spec.template": "rolls",
      "spec.replicas": "inPlace",
      "spec.updateStrategy": "inPlace",
      "spec.revisionHistoryLimit": "inPlace",
      "spec.minReadySeconds": "inPlace",
      "spec.ordinals": "rolls",
      "spec.persistentVolumeClaimRetentionPolicy": "inPlace",
    },
  },
  "batch/Job": {
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
  "rbac.authorization.k8s.io/RoleBinding": { otherwise: "inPlace", at: { roleRef: "replaces" } },
  "rbac.authorization.k8s.io/ClusterRoleBinding": { otherwise: "inPlace", at: { roleRef: "replaces" } },
  // Volumes keep what they were made with; the class itself can only be made anew.
  "storage.k8s.io/StorageClass": { otherwise: "replaces", at: { allowVolumeExpansion: "inPlace" } },
};
