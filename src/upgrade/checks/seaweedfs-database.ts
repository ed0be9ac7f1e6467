/**
 * P5: databases with the metadata of object stores, and which release would delete them.
 */
import type { ObjectRef, UnknownObject } from "../../kube/object.ts";
import { applicationRef, type Place } from "./applications.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { isKept } from "./installation.ts";
import { storeKind, storesSource } from "./seaweedfs-objects.ts";
import { listOf, type Resource, resourceText, valueIn } from "./source.ts";

const resource: Resource = { group: "postgresql.cnpg.io", plural: "clusters" };
const databaseName = "seaweedfs-db";

interface Database extends Place {
  /** Release that has it; empty where none has. */
  readonly owner: string;
  readonly kept: boolean;
}

const databasesSource = listOf(
  resource,
  (object: UnknownObject): Database => ({
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name,
    owner: object.metadata.annotations?.["meta.helm.sh/release-name"] ?? "",
    kept: isKept(object),
  }),
  { metadataOnly: true, fieldSelector: `metadata.name=${databaseName}` },
);

const refOf = ({ namespace, name }: Place): ObjectRef => ({ group: resource.group, kind: "Cluster", namespace, name });

const handOver = ({ namespace, name }: Place, owner: string): string =>
  `kubectl annotate ${resourceText(resource)} ${name} -n ${namespace} --overwrite meta.helm.sh/release-name=${owner} helm.sh/resource-policy=keep`;

function findingsOf(database: Database): readonly Finding[] {
  const { owner, namespace } = database;
  const store = owner.replace(/-(system|db)$/, "");
  if (owner.endsWith("-db") && store !== "") return [];
  if (owner.endsWith("-system") && store !== "")
    return [
      {
        object: refOf(database),
        severity: "blocking",
        what: `belongs to release ${owner}, which deletes it with its volume at the next change; do not let that release be reconciled before it is handed over`,
        remedy: [
          `kubectl patch helmreleases.helm.toolkit.fluxcd.io ${owner} -n ${namespace} --type merge -p '{"spec":{"suspend":true}}'`,
          handOver(database, `${store}-db`),
        ],
      },
    ];
  return [
    {
      object: refOf(database),
      severity: "warning",
      what:
        owner === ""
          ? "belongs to no release: no migration touches it"
          : `belongs to release ${owner}, which no migration knows`,
      remedy: [`See which object store uses it, then: ${handOver(database, "STORE-db")}`],
    },
  ];
}

export const seaweedfsDatabaseCheck = defineCheck({
  id: "P5",
  title: "Databases of object stores",
  severity: "blocking",
  why: "The database knows which object is where. Where it still belongs to the release that no longer has it, that release deletes it with its volume, and everything in the store is lost.",
  remedy: [
    `kubectl annotate ${resourceText(resource)} ${databaseName} -n NAMESPACE --overwrite meta.helm.sh/release-name=STORE-db helm.sh/resource-policy=keep`,
  ],
  sources: { databases: databasesSource, stores: storesSource },
  classify({ databases, stores }): Classified {
    const found = valueIn(databases, []);
    const there = new Set(found.map(({ namespace }) => namespace));
    const servers = valueIn(stores, []).filter(({ client }) => !client);
    // Databases that could not be listed are not missing.
    const missing = databases.is === "unreadable" ? [] : servers.filter(({ namespace }) => !there.has(namespace));
    return {
      applies: found.length + servers.length > 0,
      findings: [
        ...found.flatMap(findingsOf),
        ...missing.map(
          (store): Finding => ({
            object: applicationRef(storeKind, store),
            severity: "blocking",
            what: `has no ${resourceText(resource)} ${databaseName}: its metadata is gone, or it was never made. The release ${store.name}-db may say that it is ready all the same`,
            remedy: [
              "Restore the database from a backup, or give the store up. If it was ordered just now, wait until it is ready.",
            ],
          }),
        ),
      ],
      notes: found
        .filter(({ owner, kept }) => owner.endsWith("-db") && !kept)
        .map(({ namespace, owner }) => `${namespace}/${databaseName} was made by ${owner}, which keeps it`),
    };
  },
});
