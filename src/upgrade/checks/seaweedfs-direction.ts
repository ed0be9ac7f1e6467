/**
 * Of volumes with two kinds of names: which kind may be the duplicate of the other, by when the volumes were made. Pure. A claim's own
 * age tells nothing, since a claim can be made anew for an old volume.
 */
import type { Scheme } from "./seaweedfs-objects.ts";

/** Volumes of one kind of name. */
export interface Generation {
  readonly claims: number;
  /** When their volumes were made, of those that are bound; undefined for one that could not be told. */
  readonly made: readonly (number | undefined)[];
}

export type Direction =
  | { readonly is: "legacyOriginal" | "renamedOriginal" | "overlap" }
  | { readonly is: "unknown"; readonly why: string };

/** Which came first. */
export function directionOf(chartNamed: Generation, releaseNamed: Generation): Direction {
  const chart = agesOf(chartNamed, "as the chart");
  const release = agesOf(releaseNamed, "after the release");
  if (typeof chart === "string") return { is: "unknown", why: chart };
  if (typeof release === "string") return { is: "unknown", why: release };
  if (release.first > chart.last) return { is: "legacyOriginal" };
  return chart.first > release.last ? { is: "renamedOriginal" } : { is: "overlap" };
}

function agesOf({ made }: Generation, kind: string): { readonly first: number; readonly last: number } | string {
  if (made.length === 0) return `no claim named ${kind} has a volume`;
  const known = made.flatMap((time) => (time === undefined || Number.isNaN(time) ? [] : [time]));
  if (known.length < made.length) return `when a volume named ${kind} was made cannot be told`;
  return { first: Math.min(...known), last: Math.max(...known) };
}

const steps: Readonly<Record<Exclude<Direction["is"], "unknown">, string>> = {
  legacyOriginal:
    "volumes named as the chart came first: those named after the release may be the duplicate. Take them out of service, see that none of them ever served, and delete them by name",
  renamedOriginal:
    "volumes named after the release came first: those named as the chart may be the duplicate. Remove them, then bind the others to claims named as the chart",
  overlap:
    "volumes of both names are as old as each other, as where binding them anew was interrupted: finish that, and delete nothing",
};

/** For people, with what the first revision tells. A candidate is never taken for empty. */
export function directionText(direction: Direction, scheme: Scheme | undefined): readonly string[] {
  const told = direction.is === "unknown" ? `which came first cannot be told: ${direction.why}` : steps[direction.is];
  const first = { legacy: "the chart", renamed: "the release" } as const;
  return [
    ...(scheme === undefined ? [] : [`the first revision named everything after ${first[scheme]}`]),
    told,
    "whatever came later is not empty for that: look into it before anything is deleted",
  ];
}
