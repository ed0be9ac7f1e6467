/**
 * Plays the Containerized Data Importer: the claim of a DataVolume, imported as soon as it is bound.
 */

import { DataVolume } from "../../contracts/cdi-kubevirt-io.ts";
import { PersistentVolumeClaim } from "../../contracts/core.ts";
import { type Player, player } from "../player.ts";

type Volume = ReturnType<typeof DataVolume>;

const importer: Player<Volume> = {
  kind: DataVolume,
  makes: [PersistentVolumeClaim],
  reads: [PersistentVolumeClaim],
  play(volume, scene) {
    const { name, namespace } = volume.metadata;
    const template = volume.spec.storage ?? volume.spec.pvc ?? {};
    const source = volume.spec.source?.pvc;
    if (source !== undefined && scene.find(PersistentVolumeClaim, source.name, source.namespace) === undefined) {
      return { children: [], status: { phase: "CloneScheduled", progress: "N/A" } };
    }
    if (scene.behaviour === "refuses") return { children: [], status: { phase: "Failed", progress: "N/A" } };
    const live = scene.find(PersistentVolumeClaim, name, namespace);
    const claim = PersistentVolumeClaim(name, {
      labels: { ...volume.metadata.labels, app: "containerized-data-importer" },
      spec: {
        accessModes: template.accessModes ?? ["ReadWriteOnce"],
        resources: { requests: { ...template.resources?.requests } },
        ...(template.storageClassName === undefined ? {} : { storageClassName: template.storageClassName }),
      },
    });
    const upload = volume.spec.source?.upload !== undefined;
    const bound = live?.status?.phase === "Bound" && scene.behaviour === "normal";
    const done = upload ? { phase: "UploadReady", progress: "N/A" } : { phase: "Succeeded", progress: "100.0%" };
    return {
      children: [claim],
      status: { claimName: name, ...(bound ? done : { phase: "ImportScheduled", progress: "N/A" }) },
    };
  },
};

export const cdi = [player(importer)];
