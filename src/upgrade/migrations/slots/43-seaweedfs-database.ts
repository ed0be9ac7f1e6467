/**
 * 43, and 53 once more: databases of object stores go over to the release that keeps them.
 */
import type { KubeObject } from "../../../kube/object.ts";
import type { Cluster } from "../cluster.ts";
import { keep } from "../keep.ts";
import { PostgresCluster } from "../kinds.ts";
import type { Applicability, Migration } from "../migration.ts";
import { annotation, editEach } from "../steps.ts";
import type { Edit } from "../writes.ts";

const NAME = "seaweedfs-db";
const RELEASE = "meta.helm.sh/release-name";

const ownerOf = (database: KubeObject): string => database.metadata.annotations?.[RELEASE] ?? "";

/** The release that is to have a database of `owner`'s; undefined where it is not known whose it is. */
function heirOf(owner: string): string | undefined {
  if (owner.endsWith("-db") && owner !== "-db") return owner;
  const [, release = ""] = /^(.*)-system$/.exec(owner) ?? [];
  return release === "" ? undefined : `${release}-db`;
}

function edits(database: KubeObject): readonly Edit[] {
  const heir = database.metadata.name === NAME ? heirOf(ownerOf(database)) : undefined;
  return heir === undefined ? [] : [...annotation(database, RELEASE, heir), ...keep(database)];
}

async function precondition(cluster: Cluster): Promise<Applicability> {
  const isOdd = (database: KubeObject) => database.metadata.name === NAME && heirOf(ownerOf(database)) === undefined;
  const found = await cluster.list(PostgresCluster, { keep: isOdd });
  if (found === undefined) return { applies: false, because: "the cluster does not serve clusters.postgresql.cnpg.io" };
  const warnings = found.items.map((database) => {
    const owner = ownerOf(database);
    const whose = owner === "" ? "no release" : `the release "${owner}"`;
    return `Cluster ${database.metadata.namespace}/${NAME} belongs to ${whose}, and is left as it is: see whether a release deletes it`;
  });
  return { applies: true, warnings };
}

const handOver = editEach({
  title: "hand databases over",
  kind: PostgresCluster,
  edits,
  because: "its release no longer has it, and would delete it with its volume",
});

const common = {
  why: "Helm deletes what the last deployed revision had and the next has not: the database with all names of a tenant's objects",
  where: "databases named seaweedfs-db of releases named *-system",
  fails: { reads: "closed", writes: "closed" },
  precondition,
  steps: [handOver],
} as const;

export const seaweedfsDatabase: Migration = {
  ...common,
  id: 43,
  title: "hand databases of object stores over to the release that keeps them",
  onceDone: { is: "looksAgain", because: "its first version knew only releases named seaweedfs-system" },
};

export const seaweedfsDatabaseAgain: Migration = {
  ...common,
  id: 53,
  title: "hand databases of object stores over, those that 43 did not know included",
  onceDone: { is: "looksAgain", because: "a database that is not kept is lost with its volume" },
};
