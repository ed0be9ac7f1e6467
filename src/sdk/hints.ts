/**
 * What our own programs read from a schema beside what the API server does: keywords `x-cozystack-*`, left out of the CRD.
 */
import { isRecord } from "../kube/json.ts";

/** Where a form finds the values that a field may take. */
export type OptionSource =
  | "storageclass"
  | "storagepool"
  | "image"
  | "instancetype"
  | "instanceprofile"
  | "vmdisk"
  | "network"
  | "gpu"
  | "backupclass";

export interface Hints {
  readonly immutable: boolean;
  readonly options: string | undefined;
  /** RE2 that the keys of a map must match. */
  readonly keyPattern: string | undefined;
  /** The size of a volume; `orNone`: the number 0 stands for no volume. */
  readonly volume: VolumeHint | undefined;
}

export type VolumeHint = "always" | "orNone";

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** The hints on one node of a schema. */
export function hintsOf(schema: unknown): Hints {
  const node = isRecord(schema) ? schema : {};
  const options = node["x-cozystack-options"];
  return {
    immutable: node["x-cozystack-immutable"] === true,
    options: isRecord(options) ? text(options["source"]) : undefined,
    keyPattern: text(node["x-cozystack-key-pattern"]),
    volume:
      node["x-cozystack-volume"] === "always" || node["x-cozystack-volume"] === "orNone"
        ? node["x-cozystack-volume"]
        : undefined,
  };
}
