/** The driver by which a tenant's cluster has volumes of this one: of what its chart makes there, the storage classes. */
import { StorageClass } from "../../contracts/storage-k8s-io.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Chart, textOf } from "./chart.ts";

function storageClass(name: string, values: unknown): KubeObject {
  const isDefault = valueAt(values, "default") === true;
  return StorageClass(name, {
    annotations: isDefault ? { "storageclass.kubernetes.io/is-default-class": "true" } : {},
    provisioner: "csi.kubevirt.io",
    parameters: { infraStorageClassName: textOf(valueAt(values, "infraStorageClass"), name), bus: "scsi" },
    allowVolumeExpansion: true,
  });
}

export const kubevirtCsiNode: Chart = ({ values }) => {
  const classes = valueAt(values, "storageClasses");
  return Object.entries(isRecord(classes) ? classes : {}).map(([name, one]) => storageClass(name, one));
};
