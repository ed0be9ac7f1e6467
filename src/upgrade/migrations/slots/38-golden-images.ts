/**
 * 38: other names for the images that virtual machines start from.
 */
import { valueAt } from "../../../kube/json.ts";
import type { UnknownObject } from "../../../kube/object.ts";
import type { Cluster, Listing } from "../cluster.ts";
import { DataVolume } from "../kinds.ts";
import { type Migration, whereServed } from "../migration.ts";

const NAMESPACE = "cozy-public";
const before = "vm-image-";
const after = "vm-default-images-";
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

async function imagesNamed(cluster: Cluster, prefix: string): Promise<Listing<UnknownObject>> {
  const keep = ({ metadata }: UnknownObject) => metadata.name.startsWith(prefix);
  return (await cluster.list(DataVolume, { namespace: NAMESPACE, keep })) ?? { kind: DataVolume, items: [] };
}

const renamed = (name: string): string => `${after}${name.slice(before.length)}`;

function copyOf({ apiVersion, kind, metadata, ...rest }: UnknownObject): UnknownObject {
  const { [lastApplied]: _, ...annotations } = metadata.annotations ?? {};
  return {
    apiVersion,
    kind,
    metadata: {
      name: renamed(metadata.name),
      namespace: NAMESPACE,
      ...(metadata.labels === undefined ? {} : { labels: metadata.labels }),
      annotations,
    },
    spec: valueAt(rest, "spec"),
  };
}

export const goldenImages: Migration = {
  id: 38,
  title: "rename the images that virtual machines start from",
  why: "the catalogue knows them by other names, and would not find those that are there",
  where: "images named vm-image-* in cozy-public",
  fails: { reads: "closed", writes: "closed" },
  onceDone: { is: "neverAgain", because: "an image of such a name that is there now was made by somebody else" },
  precondition: whereServed(DataVolume),
  steps: [
    {
      title: "make them under their new names",
      async plan(cluster) {
        const { kind, items } = await imagesNamed(cluster, before);
        const present = await imagesNamed(cluster, after);
        const names = new Set(present.items.map(({ metadata }) => metadata.name));
        return items
          .filter(({ metadata }) => !names.has(renamed(metadata.name)))
          .map((image) => ({ do: "create", kind, object: copyOf(image), because: `it was ${image.metadata.name}` }));
      },
    },
    {
      title: "delete them under their old names",
      async plan(cluster) {
        const { kind, items } = await imagesNamed(cluster, before);
        return items
          .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
          .map((live) => ({
            do: "delete",
            kind,
            live,
            // Its content is imported again from where it came.
            impact: "deletes",
            because: `it is ${renamed(live.metadata.name)} now`,
          }));
      },
    },
  ],
};
