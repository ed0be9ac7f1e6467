/**
 * From a VMDisk's specification to its objects: a DataVolume, whose operator makes and fills the claim, and the growth of
 * that claim later.
 */
import { DataVolume } from "../../contracts/cdi-kubevirt-io.ts";
import { PersistentVolumeClaim } from "../../contracts/core.ts";
import type { AppInput, Exposure, Monitor, RenderInput, StorageClaim } from "../../sdk/app.ts";
import { claimSize, isToGrow } from "../../sdk/claim-growth.ts";
import { patchExisting, type Rendered } from "../../sdk/manifest.ts";
import { optional } from "../../sdk/needs.ts";
import { sourceOf } from "./source.ts";
import type { Spec } from "./spec.ts";

type Input = AppInput<Spec>;

/** Both are named as the release, and live is what counts once they exist. */
export function needs({ release }: Input) {
  return { volume: optional(DataVolume, release), claim: optional(PersistentVolumeClaim, release) };
}

type RenderDisk = RenderInput<Spec, ReturnType<typeof needs>>;

function newVolume(input: Input) {
  const { spec } = input;
  return {
    contentType: "kubevirt",
    source: sourceOf(input),
    storage: {
      resources: { requests: { storage: spec.storage } },
      ...(spec.storageClass === "" ? {} : { storageClassName: spec.storageClass }),
    },
  } as const;
}

/** The importer does its work once: what the DataVolume says is kept as it is, whatever the specification says later. */
function volume(input: RenderDisk): Rendered {
  const { release, spec } = input;
  return DataVolume(release, {
    annotations: {
      "vm-disk.cozystack.io/optical": String(spec.optical),
      ...(spec.source.upload === undefined ? {} : { "cdi.kubevirt.io/storage.bind.immediate.requested": "" }),
    },
    labels: { "app.kubernetes.io/instance": release },
    spec: input.needs.volume?.spec ?? newVolume(input),
  });
}

/**
 * What we say about the claim, which belongs to the DataVolume: a larger size, and for a disk that is to outlive its
 * application, that a later DataVolume of this name may take it over. The size is always said with it: once it was ours, an
 * apply without it would take it away.
 */
function claim(input: RenderDisk): readonly Rendered[] {
  const { release, spec } = input;
  const live = claimSize(input.needs.claim);
  if (live === undefined) return [];
  const larger = isToGrow(input.needs.claim, spec.storage, "spec.storage");
  const adoptable = spec.reclaimPolicy === "Retain";
  if (!adoptable && !larger) return [];
  return [
    patchExisting(
      PersistentVolumeClaim(release, {
        ...(adoptable ? { annotations: { "cdi.kubevirt.io/allowClaimAdoption": "true" } } : {}),
        spec: { resources: { requests: { storage: String(larger ? spec.storage : live) } } },
      }),
    ),
  ];
}

export function render(input: RenderDisk): readonly Rendered[] {
  return [volume(input), ...claim(input)];
}

/** Always operational: a disk has no process. */
export function monitors({ release }: Input): readonly Monitor[] {
  return [
    {
      name: release,
      kind: "vm-disk",
      type: "vm-disk",
      replicas: 0,
      minReplicas: 0,
      selector: { "app.kubernetes.io/instance": release },
    },
  ];
}

export function expose({ release }: Input): Exposure {
  return {
    rules: [
      {
        apiGroups: [DataVolume.group],
        resources: [DataVolume.plural],
        resourceNames: [release],
        verbs: ["get", "list", "watch"],
      },
    ],
  };
}

export function claims({ release }: Input): readonly StorageClaim[] {
  return [{ group: "", kind: "PersistentVolumeClaim", names: [release] }];
}
