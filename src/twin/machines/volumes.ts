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

const claims = (isOurs: (provisionedBy: string) => boolean): Player<PersistentVolumeClaimObject> => ({
  kind: PersistentVolumeClaim,
  makes: [PersistentVolume],
  reads: [StorageClass, PersistentVolume],
  play(claim, scene) {
    const { name, namespace, uid, annotations, deletionTimestamp } = claim.metadata;
    const provisionedBy = annotations?.["volume.kubernetes.io/storage-provisioner"];
    if (deletionTimestamp !== undefined || provisionedBy === undefined || !isOurs(provisionedBy)) {
      return { children: [] };
    }
    const bound = scene.find(PersistentVolume, claim.spec.volumeName ?? "");
    if (bound !== undefined && bound.metadata.annotations?.["pv.kubernetes.io/provisioned-by"] !== provisioner) {
      // Somebody else's volume grows with its claim, which is all that is asked of it.
      const storage = claim.spec.resources?.requests?.["storage"];
      return { children: [], ...(storage === undefined ? {} : { status: { capacity: { storage } } }) };
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
});

const volumes: Player<PersistentVolumeObject> = {
  kind: PersistentVolume,
  makes: [],
  play(volume) {
    const ours = volume.metadata.annotations?.["pv.kubernetes.io/provisioned-by"] === provisioner;
    const gone = volume.status?.phase === "Released" && volume.spec.persistentVolumeReclaimPolicy === "Delete";
    return { children: [], remove: ours && gone && volume.metadata.deletionTimestamp === undefined };
  },
};

export const storage = [player(claims((provisionedBy) => provisionedBy === provisioner)), player(volumes)];

/** For a copy of a cluster, whose storage is not there: claims of every class are answered. */
export const storageOfAll = [player(claims(() => true)), player(volumes)];
