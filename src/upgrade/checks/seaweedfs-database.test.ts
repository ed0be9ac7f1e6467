import { cases, denied } from "../../../test/support/check-cases.ts";
import { seaweedfsDatabaseCheck } from "./seaweedfs-database.ts";
import { notServed, read } from "./source.ts";

const database = (owner: string, kept: boolean, namespace = "tenant-a") => ({
  namespace,
  name: "seaweedfs-db",
  owner,
  kept,
});
const store = (namespace = "tenant-a", client = false) => ({ namespace, name: "seaweedfs", client });
const stores = read([store()]);

cases(seaweedfsDatabaseCheck, [
  { why: "handed over", facts: { databases: read([database("seaweedfs-db", true)]), stores }, is: "pass" },
  {
    why: "made by the release that has it, which needs no pin",
    facts: { databases: read([database("objects-db", false)]), stores },
    is: "pass",
    says: /was made by objects-db/,
  },
  {
    why: "still of the release that deletes it, whatever the store is called",
    facts: { databases: read([database("objects-system", false)]), stores },
    is: "fail",
    severity: "blocking",
    objects: ["tenant-a/seaweedfs-db"],
    says: /suspend.*meta\.helm\.sh\/release-name=objects-db helm\.sh\/resource-policy=keep/,
  },
  {
    why: "of no release, or of one with no name in front",
    facts: { databases: read([database("", false), database("-system", false), database("mine", true)]), stores },
    is: "fail",
    severity: "warning",
  },
  {
    why: "a store without one has lost it",
    facts: { databases: read([database("seaweedfs-db", true)]), stores: read([store(), store("tenant-b")]) },
    is: "fail",
    severity: "blocking",
    objects: ["tenant-b/seaweedfs"],
  },
  {
    why: "stores without the operator of databases",
    facts: { databases: notServed, stores },
    is: "fail",
    objects: ["tenant-a/seaweedfs"],
  },
  {
    why: "a client of another's store has none",
    facts: { databases: read([]), stores: read([store("tenant-a", true)]) },
    is: "notApplicable",
  },
  { why: "no stores", facts: { databases: notServed, stores: notServed }, is: "notApplicable" },
  {
    why: "denied databases are not missing ones",
    facts: { databases: denied, stores },
    is: "couldNotTell",
    objects: [],
  },
  { why: "denied stores", facts: { databases: read([]), stores: denied }, is: "couldNotTell" },
]);
