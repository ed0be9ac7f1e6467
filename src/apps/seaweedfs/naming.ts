/**
 * Under which of two names the volumes of an object store live. One version of the chart named them after its release; all
 * others name them as the chart. A release that goes on under the other name starts empty beside the data it has.
 */
import type { KubeObject } from "../../kube/object.ts";
import { innerRelease } from "../../sdk/inner-release.ts";

/** Name of the chart, and of everything it makes. */
export const chartName = "seaweedfs";

/** Label of StatefulSets that count. Claims count by their names alone. */
export const chartLabel = { "app.kubernetes.io/name": chartName } as const;

/** `none`: nothing there yet. `L`: named as the chart, as it should be. `S`: after the release. `MIXED`: both. */
export type NamingClass = "none" | "L" | "S" | "MIXED";

export interface VolumeNames {
  readonly class: NamingClass;
  /** Claims and StatefulSets with each kind of name, as `Kind/name`. */
  readonly chartNamed: readonly string[];
  readonly releaseNamed: readonly string[];
}

/** As the chart shortens names: cut, and without a dash at the end. */
const cut = (name: string, length: number): string => name.slice(0, length).replace(/-$/, "");

/** How names of volumes begin that are made after the release of an application. */
export function releasePrefix(release: string): string {
  const inner = innerRelease(release);
  const full = inner.includes(chartName) ? inner : `${inner}-${chartName}`;
  return `${cut(cut(full, 63), 56)}-volume`;
}

const chartPrefix = `${chartName}-volume`;

interface Live {
  /** All of the namespace. */
  readonly claims: readonly Pick<KubeObject, "metadata">[];
  /** Those with {@link chartLabel}. */
  readonly sets: readonly Pick<KubeObject, "metadata">[];
}

/** The class of an application by what is in its namespace. Names after the release are looked for first: they may begin as the others. */
export function volumeNames(release: string, { claims, sets }: Live): VolumeNames {
  const volumes = [
    ...claims.flatMap(({ metadata: { name } }) => (name.startsWith("data1-") ? [["PersistentVolumeClaim", name]] : [])),
    ...sets.map(({ metadata: { name } }) => ["StatefulSet", name]),
  ].map(([kind = "", name = ""]) => ({ shown: `${kind}/${name}`, name: name.replace(/^data1-/, "") }));
  const prefix = releasePrefix(release);
  const releaseNamed = volumes.filter(({ name }) => name.startsWith(prefix));
  const chartNamed = volumes.filter((volume) => !releaseNamed.includes(volume) && volume.name.startsWith(chartPrefix));
  const classOf: NamingClass =
    releaseNamed.length > 0 ? (chartNamed.length > 0 ? "MIXED" : "S") : chartNamed.length > 0 ? "L" : "none";
  const shown = (some: readonly { readonly shown: string }[]) => some.map((volume) => volume.shown).sort();
  return { class: classOf, chartNamed: shown(chartNamed), releaseNamed: shown(releaseNamed) };
}

const listed = (names: readonly string[]): string =>
  names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;

/** Why an application of that class must not be applied, and what its administrator does; undefined for the others. */
export function namingProblem(names: VolumeNames): { readonly message: string; readonly remedy: string } | undefined {
  if (names.class === "S")
    return {
      message: `the data is in volumes named after the release (${listed(names.releaseNamed)}); going on would start an empty store beside them`,
      remedy: `With the store scaled down, bind each volume to a claim named data1-${chartPrefix} as the chart names it, and delete the old StatefulSets and claims.`,
    };
  if (names.class === "MIXED")
    return {
      message: `there are volumes named after the release (${listed(names.releaseNamed)}) and volumes named as the chart (${listed(names.chartNamed)}); which of them have the data cannot be told by their names`,
      remedy:
        "Find out by their contents which of the two have the data. Delete the others, by name; if those named after the release have it, then bind their volumes to claims named as the chart.",
    };
  return undefined;
}
