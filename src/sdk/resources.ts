/**
 * From what a user asks for (a preset, or cpu and memory) to a container's limits and requests.
 */
import { type AppContext, clusterText } from "./context.ts";
import { refuse } from "./errors.ts";
import { divideDecimal, goFloatText, toFloat } from "./go-number.ts";
import { presets } from "./presets.ts";
import { quantityOf } from "./quantity.ts";

export { presets } from "./presets.ts";

/** Amounts by resource name, as quantities. */
export type ResourceMap = Readonly<Record<string, string | number | undefined>>;

/** Limits and requests of a container: what upstream calls a sanitised map. */
export interface Resources {
  readonly limits: Readonly<Record<string, string>>;
  readonly requests: Readonly<Record<string, string>>;
}

/** The fields that `sizing` (spec.ts) puts into a spec. */
export interface Sized {
  readonly resources?: ResourceMap;
  readonly resourcesPreset: string;
}

/** Resources that are overcommitted: the key of the platform's ratio, its default, and how a request is printed. */
const ratios: Readonly<
  Record<string, { readonly key: string; readonly fallback: string; readonly print: (value: number) => string }>
> = {
  cpu: { key: "cpu-allocation-ratio", fallback: "10", print: goFloatText },
  memory: { key: "memory-allocation-ratio", fallback: "1", print: wholeText },
  "ephemeral-storage": { key: "ephemeral-storage-allocation-ratio", fallback: "40", print: wholeText },
};

function wholeText(value: number): string {
  return BigInt(Math.trunc(value)).toString();
}

function ratioOf(resource: string, context: Pick<AppContext, "cluster">): number {
  const entry = ratios[resource];
  if (entry === undefined) return 1;
  const text = clusterText(context.cluster, entry.key, entry.fallback);
  const ratio = text === "" ? Number(entry.fallback) : Number(text);
  if (Number.isFinite(ratio) && ratio > 0) return ratio;
  return refuse({
    code: "InvalidPlatform",
    field: `_cluster.${entry.key}`,
    message: `${JSON.stringify(text)} is no ratio above 0`,
    remedy: "An administrator sets the ratio in the platform's configuration.",
  });
}

const textOf = (value: string | number): string => (typeof value === "number" ? goFloatText(value) : value);

/**
 * Limits as given; requests divided by the platform's allocation ratio for cpu, memory and ephemeral storage, equal to the
 * limits for everything else. Keys are sorted. `field` names the map in refusals.
 */
export function sanitize(map: ResourceMap, context: Pick<AppContext, "cluster">, field = "spec.resources"): Resources {
  const limits: Record<string, string> = {};
  const requests: Record<string, string> = {};
  for (const name of Object.keys(map).sort()) {
    const value = map[name];
    if (value === undefined) continue;
    if (name === "limits" || name === "requests") {
      refuse({
        code: "InvalidValue",
        field: `${field}.${name}`,
        message: "limits and requests are computed",
        remedy: "Write the amounts directly, such as cpu: 500m.",
      });
    }
    quantityOf(value, `${field}.${name}`);
    limits[name] = textOf(value);
    const print = ratios[name]?.print;
    requests[name] = print === undefined ? textOf(value) : print(divideDecimal(toFloat(value), ratioOf(name, context)));
  }
  return { limits, requests };
}

/** The amounts of a preset. `field` names the preset in the refusal of one that does not exist. */
export function presetAmounts(preset: string, field = "spec.resourcesPreset"): Readonly<Record<string, string>> {
  return (
    presets.get(preset) ??
    refuse({
      code: "UnknownPreset",
      field,
      message: `there is no preset ${JSON.stringify(preset)}`,
      remedy: `Use one of ${[...presets.keys()].sort().join(", ")}.`,
    })
  );
}

/**
 * Limits and requests for a spec with `resources` and `resourcesPreset`: the preset's amounts, overlaid key by key with
 * those given, then {@link sanitize}d. `field` is the path of the object that holds the two.
 */
export function resources(spec: Sized, context: Pick<AppContext, "cluster">, field = "spec"): Resources {
  const given = Object.entries(spec.resources ?? {}).filter(([, value]) => value !== undefined && value !== null);
  const amounts = { ...presetAmounts(spec.resourcesPreset, `${field}.resourcesPreset`), ...Object.fromEntries(given) };
  return sanitize(amounts, context, `${field}.resources`);
}

const MiB = 1024 * 1024;

/** Heap options of a Java process in a container with these limits: at most three quarters of the memory limit. */
export function javaHeap(container: Resources): string {
  const limit = toFloat(container.limits["memory"] ?? 0);
  const request = toFloat(container.requests["memory"] ?? 0);
  const least = Math.min(Math.floor(limit / (4 * MiB)), Math.floor(request / MiB));
  return `-Xms${least}m -Xmx${Math.floor((3 * limit) / (4 * MiB))}m`;
}
