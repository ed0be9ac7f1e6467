/**
 * Fields of the catalogue that say how large a volume is, found by what the schemas say of themselves.
 */
import fc from "fast-check";
import { isRecord } from "../../src/kube/json.ts";
import { valueSchemaOf } from "../../src/sdk/defaults.ts";
import { hintsOf } from "../../src/sdk/hints.ts";
import { quantityPattern } from "../../src/sdk/quantity.ts";
import { isVolumeSize } from "../../src/sdk/volume-size.ts";
import type { Overrides } from "./upstream-schema.ts";

/** A node of a schema with its path, `*` for items and values of maps. */
export interface Leaf {
  readonly path: readonly string[];
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Every field without fields. */
export function leaves(schema: unknown, path: readonly string[] = []): readonly Leaf[] {
  if (!isRecord(schema)) return [];
  const properties = isRecord(schema["properties"]) ? Object.entries(schema["properties"]) : [];
  const below = [
    ...properties.flatMap(([name, child]) => leaves(child, [...path, name])),
    ...leaves(valueSchemaOf(schema), [...path, "*"]),
    ...leaves(schema["items"], [...path, "*"]),
  ];
  return below.length > 0 ? below : [{ path, schema }];
}

/** Those that are the size of a volume. */
export function volumesOf(schema: unknown): readonly Leaf[] {
  return leaves(schema).filter((leaf) => hintsOf(leaf.schema).volume !== undefined);
}

function at(value: unknown, [name, ...rest]: readonly string[]): readonly unknown[] {
  if (name === undefined) return value === undefined || value === null ? [] : [value];
  if (name === "*")
    return Object.values(isRecord(value) || Array.isArray(value) ? value : {}).flatMap((one) => at(one, rest));
  return isRecord(value) ? at(value[name], rest) : [];
}

const quantity = new RegExp(quantityPattern);
const isQuantity = (size: unknown): boolean => typeof size === "number" || quantity.test(String(size));

/** Whether a spec asks for a volume of nothing, or of a size that is none. */
export function asksForNothing(schema: unknown, spec: unknown): boolean {
  return volumesOf(schema).some((leaf) => {
    const { volume } = hintsOf(leaf.schema);
    return volume !== undefined && at(spec, leaf.path).some((size) => !isQuantity(size) || !isVolumeSize(size, volume));
  });
}

/** Sizes that are accepted, for every field that is one. */
export function volumeOverrides(schema: unknown): Overrides {
  const sizes = fc.constantFrom<unknown>("1Gi", "500M", "1.5Ti", 1_073_741_824);
  return Object.fromEntries(volumesOf(schema).map(({ path }) => [path.join("."), sizes]));
}
