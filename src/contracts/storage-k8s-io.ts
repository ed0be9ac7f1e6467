/**
 * Kinds of the group `storage.k8s.io`.
 */
import type { KubeObject } from "../kube/object.ts";
import { defineBuiltin } from "./builtin.ts";

export interface StorageClassObject extends KubeObject {
  readonly provisioner: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly reclaimPolicy?: "Delete" | "Retain";
  readonly volumeBindingMode?: "Immediate" | "WaitForFirstConsumer";
  readonly allowVolumeExpansion?: boolean;
  readonly mountOptions?: readonly string[];
}
export const StorageClass = defineBuiltin<StorageClassObject>({
  group: "storage.k8s.io",
  version: "v1",
  kind: "StorageClass",
  plural: "storageclasses",
  namespaced: false,
  impact: {
    // Volumes keep what they were made with; the class itself can only be made anew.
    otherwise: "replaces",
    at: { allowVolumeExpansion: "inPlace" },
  },
});

export const storageKinds = [StorageClass] as const;
