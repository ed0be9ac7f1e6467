/**
 * Volumes, their claims and classes.
 */
import { defineKind } from "../define-kind.ts";
import type { KubeObject } from "../object.ts";
import type {
  Condition,
  LabelSelector,
  LabelSelectorRequirement,
  ObjectReference,
  Quantities,
  ResourceRequirements,
  Strings,
} from "./common-fields.ts";

export type AccessMode = "ReadWriteOnce" | "ReadOnlyMany" | "ReadWriteMany" | "ReadWriteOncePod";

export interface ClaimSpec {
  readonly accessModes?: readonly AccessMode[];
  readonly resources?: ResourceRequirements;
  readonly storageClassName?: string;
  readonly volumeMode?: "Filesystem" | "Block";
  readonly volumeName?: string;
  readonly selector?: LabelSelector;
  readonly dataSource?: { readonly apiGroup?: string; readonly kind: string; readonly name: string };
  readonly dataSourceRef?: {
    readonly apiGroup?: string;
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string;
  };
}

export interface PersistentVolumeClaim extends KubeObject {
  readonly spec: ClaimSpec;
  readonly status?: {
    readonly phase?: "Pending" | "Bound" | "Lost";
    readonly accessModes?: readonly AccessMode[];
    readonly capacity?: Quantities;
    readonly allocatedResources?: Quantities;
    readonly conditions?: readonly Condition[];
  };
}
export const PersistentVolumeClaim = defineKind<PersistentVolumeClaim>({
  group: "",
  version: "v1",
  kind: "PersistentVolumeClaim",
  plural: "persistentvolumeclaims",
  namespaced: true,
});

export interface PersistentVolume extends KubeObject {
  readonly spec: {
    readonly capacity?: Quantities;
    readonly accessModes?: readonly AccessMode[];
    readonly persistentVolumeReclaimPolicy?: "Retain" | "Delete" | "Recycle";
    readonly storageClassName?: string;
    readonly volumeMode?: "Filesystem" | "Block";
    readonly claimRef?: ObjectReference;
    readonly csi?: {
      readonly driver: string;
      readonly volumeHandle: string;
      readonly fsType?: string;
      readonly readOnly?: boolean;
      readonly volumeAttributes?: Strings;
    };
    readonly hostPath?: { readonly path: string; readonly type?: string };
    readonly local?: { readonly path: string };
    readonly nodeAffinity?: {
      readonly required?: {
        readonly nodeSelectorTerms: readonly { readonly matchExpressions?: readonly LabelSelectorRequirement[] }[];
      };
    };
  };
  readonly status?: {
    readonly phase?: "Pending" | "Available" | "Bound" | "Released" | "Failed";
    readonly reason?: string;
    readonly message?: string;
  };
}
export const PersistentVolume = defineKind<PersistentVolume>({
  group: "",
  version: "v1",
  kind: "PersistentVolume",
  plural: "persistentvolumes",
  namespaced: false,
});

export interface StorageClass extends KubeObject {
  readonly provisioner: string;
  readonly parameters?: Strings;
  readonly reclaimPolicy?: "Retain" | "Delete";
  readonly volumeBindingMode?: "Immediate" | "WaitForFirstConsumer";
  readonly allowVolumeExpansion?: boolean;
  readonly mountOptions?: readonly string[];
}
export const StorageClass = defineKind<StorageClass>({
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  plural: "storageclasses",
  namespaced: false,
});
