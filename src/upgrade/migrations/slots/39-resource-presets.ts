/**
 * 39: the names of resource presets, which got a series.
 */
import { isRecord } from "../../../kube/json.ts";
import type { AnyKind, KubeObject } from "../../../kube/object.ts";
import type { PathSegment } from "../../../reconcile/diff.ts";
import { currentPreset } from "../../../sdk/presets.ts";
import { APPLICATIONS, HelmRelease } from "../kinds.ts";
import { everywhere, type Migration } from "../migration.ts";
import { editsOf, noticedByNobody } from "../steps.ts";
import { type Edit, fieldAt, type MigrationWrite } from "../writes.ts";

/** Presets of old names at and below a path, at any depth. */
function edits(object: KubeObject, path: readonly PathSegment[]): readonly Edit[] {
  const walk = (value: unknown, at: readonly PathSegment[]): readonly Edit[] => {
    if (Array.isArray(value)) return value.flatMap((item, index) => walk(item, [...at, index]));
    if (!isRecord(value)) return [];
    return Object.entries(value).flatMap(([key, item]) => {
      if (key !== "resourcesPreset" || typeof item !== "string") return walk(item, [...at, key]);
      const to = currentPreset(item);
      return to === item ? [] : [{ path: [...at, key], to }];
    });
  };
  return walk(fieldAt(object, path), path);
}

const inValues = (release: KubeObject) => edits(release, ["spec", "values"]);
const inSpec = (application: KubeObject) => edits(application, ["spec"]);
const because = "its preset has a name of old";

export const resourcePresets: Migration = {
  id: 39,
  title: "write resource presets by their present names",
  why: "the names of old stay valid; without it, people go on reading two names for one amount",
  where: "releases and applications with a preset named nano to 2xlarge",
  fails: { reads: "closed", writes: "open" },
  onceDone: { is: "looksAgain", because: "upstream's stamp moves on over objects that could not be changed" },
  precondition: everywhere,
  steps: [
    {
      title: "rename presets",
      async plan(cluster) {
        const writes: MigrationWrite[] = [];
        const look = async (kind: AnyKind, edits: (live: KubeObject) => readonly Edit[]): Promise<void> => {
          const found = await cluster.list(kind, { keep: (live) => edits(live).length > 0 });
          // The amounts are the same.
          if (found !== undefined) writes.push(...editsOf(found, edits, because, noticedByNobody));
        };
        await look(HelmRelease, inValues);
        for (const kind of await cluster.kindsOf(APPLICATIONS)) await look(kind, inSpec);
        return writes;
      },
    },
  ],
};
