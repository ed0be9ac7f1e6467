/**
 * The shape that most steps have: every object of a kind, and what is left to do to each.
 */
import type { ImpactRules } from "../../contracts/impact.ts";
import type { AnyKind, KubeObject } from "../../kube/object.ts";
import type { Cluster, Listing } from "./cluster.ts";
import type { MigrationStep } from "./migration.ts";
import type { DeleteWrite, Edit, EditWrite } from "./writes.ts";

interface Each {
  readonly title: string;
  readonly kind: AnyKind;
  readonly labelSelector?: string;
  /** What is left to do to an object; nothing where it is not concerned. */
  readonly edits: (live: KubeObject) => readonly Edit[];
  readonly because: string;
  readonly rules?: ImpactRules;
}

/** Edits every object of a kind that has something left to do. */
export function editEach({ title, kind, labelSelector, edits, because, rules }: Each): MigrationStep {
  return {
    title,
    async plan(cluster) {
      const found = await cluster.list(kind, {
        keep: (live) => edits(live).length > 0,
        ...(labelSelector === undefined ? {} : { labelSelector }),
      });
      return found === undefined ? [] : editsOf(found, edits, because, rules);
    },
  };
}

/** The objects of a list that have something left to do, as writes. */
export function editsOf(
  { kind, items }: Listing<KubeObject>,
  edits: (live: KubeObject) => readonly Edit[],
  because: string,
  rules?: ImpactRules,
): readonly EditWrite[] {
  return items
    .filter((live) => edits(live).length > 0)
    .map((live) => ({ do: "edit", kind, live, edits, because, ...(rules === undefined ? {} : { rules }) }));
}

/** Deletes objects by their names, those that are there. */
export function deleteNamed(
  title: string,
  kind: AnyKind,
  places: readonly { readonly name: string; readonly namespace?: string }[],
  because: string,
): MigrationStep {
  return {
    title,
    async plan(cluster: Cluster) {
      const writes: DeleteWrite[] = [];
      for (const { name, namespace } of places) {
        const live = await cluster.get(kind, name, namespace);
        if (live === undefined || live.metadata.deletionTimestamp !== undefined) continue;
        writes.push({ do: "delete", kind, live, because });
      }
      return writes;
    },
  };
}

/** The edit that sets an annotation, where it says something else. */
export function annotation(live: KubeObject, name: string, to: string): readonly Edit[] {
  return live.metadata.annotations?.[name] === to ? [] : [{ path: ["metadata", "annotations", name], to }];
}

/** The edit that sets a label, where it says something else. */
export function label(live: KubeObject, name: string, to: string): readonly Edit[] {
  return live.metadata.labels?.[name] === to ? [] : [{ path: ["metadata", "labels", name], to }];
}

/** Nothing that runs takes notice of such a change. */
export const noticedByNobody: ImpactRules = { otherwise: "none", at: { metadata: "none" } };
