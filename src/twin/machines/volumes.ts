/**
 * Plays a storage provisioner: volumes for claims of the twin's classes, grown when the claim grows, deleted when released.
 */
import {
  PersistentVolume,
  PersistentVolumeClaim,
  type PersistentVolumeClaimObject,
  type PersistentVolumeObject,
} from "../../contracts/core.ts";
import { StorageClass } from "../../contracts/storage-k8s-io.ts";
import { type Player, player } from "../player.ts";

export const provisioner = "twin.cozystack.io";

const claims: Player<PersistentVolumeClaimObject> = {
  kind: PersistentVolumeClaim,
  makes: [PersistentVolume],
  reads: [StorageClass, PersistentVolume],
  play(claim, scene) {
    const { name, namespace, uid, annotations, deletionTimestamp } = claim.metadata;
    if (deletionTimestamp !== undefined || annotations?.["volume.kubernetes.io/storage-provisioner"] !== provisioner) {
      return { children: [] };
    }
    if (scene.behaviour === "refuses" || scene.behaviour === "neverReady") return { children: [] };
    const storageClass = scene.find(StorageClass, claim.spec.storageClassName ?? "");
    const volumeName = `pvc-${uid}`;
    const storage = claim.spec.resources?.requests?.["storage"] ?? "1Gi";
    const volume = PersistentVolume(volumeName, {
      annotations: { "pv.kubernetes.io/provisioned-by": provisioner },
      spec: {
        capacity: { storage },
        accessModes: claim.spec.accessModes ?? ["ReadWriteOnce"],
        persistentVolumeReclaimPolicy: storageClass?.reclaimPolicy ?? "Delete",
        storageClassName: claim.spec.storageClassName ?? "",
        ...(claim.spec.volumeMode === "Block" ? { volumeMode: "Block" as const } : {}),
        claimRef: { name, namespace: namespace ?? "", uid: uid ?? "" },
        csi: { driver: provisioner, volumeHandle: volumeName },
      },
    });
    const live = scene.find(PersistentVolume, volumeName);
    // What the resizer does once the volume has grown.
    const grown = claim.status?.phase === "Bound" && live?.spec.capacity?.["storage"] === storage;
    return { children: [], unowned: [volume], ...(grown ? { status: { capacity: { storage } } } : {}) };
  },
};

const volumes: Player<PersistentVolumeObject> = {
  kind: PersistentVolume,
  makes: [],
  play(volume) {
    const ours = volume.metadata.annotations?.["pv.kubernetes.io/provisioned-by"] === provisioner;
    const gone = volume.status?.phase === "Released" && volume.spec.persistentVolumeReclaimPolicy === "Delete";
    return { children: [], remove: ours && gone && volume.metadata.deletionTimestamp === undefined };
  },
};

export const storage = [player(claims), player(volumes)];
