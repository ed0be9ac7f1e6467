/**
 * 37: the image of the platform's own PostgreSQL databases.
 */
import { valueAt } from "../../../kube/json.ts";
import type { KubeObject } from "../../../kube/object.ts";
import { PostgresCluster } from "../kinds.ts";
import { type Migration, whereServed } from "../migration.ts";
import { editEach } from "../steps.ts";
import type { Edit } from "../writes.ts";

const flavour = "-standard-trixie";
const image = `ghcr.io/cloudnative-pg/postgresql:17.7${flavour}`;
const ofThePlatform: ReadonlySet<string> = new Set(["keycloak-db", "grafana-db", "alerta-db", "seaweedfs-db"]);

function isSystemDatabase({ metadata: { name, annotations } }: KubeObject): boolean {
  const release = annotations?.["meta.helm.sh/release-name"] ?? "";
  return ofThePlatform.has(name) || (name.endsWith("-db") && release.endsWith("-system"));
}

/** The image that takes another's place; undefined where that one is right. */
export function pinnedImage(now: unknown): string | undefined {
  if (now === undefined || now === null || now === "") return image;
  if (typeof now !== "string") return undefined;
  const [, tag = ""] = /:([^:/@]+)$/.exec(now) ?? [];
  if (tag.startsWith("17.")) return now === image ? undefined : image;
  return /^\d+\.\d+$/.test(tag) ? `${now}${flavour}` : undefined;
}

function edits(database: KubeObject): readonly Edit[] {
  if (!isSystemDatabase(database)) return [];
  const to = pinnedImage(valueAt(database, "spec", "imageName"));
  return to === undefined ? [] : [{ path: ["spec", "imageName"], to }];
}

export const systemDatabases: Migration = {
  id: 37,
  title: "pin the image of the platform's own PostgreSQL databases",
  why: "the operator's default image changes its operating system, and with it the order of texts in indexes",
  where: "databases of Keycloak, Grafana, Alerta, SeaweedFS and Harbor",
  fails: { reads: "closed", writes: "closed" },
  onceDone: { is: "neverAgain", because: "an image that was chosen since would be taken back" },
  precondition: whereServed(PostgresCluster),
  steps: [editEach({ title: "pin the image", kind: PostgresCluster, edits, because: "its image is not pinned" })],
};
