import { cases, denied } from "../../../test/support/check-cases.ts";
import { read } from "./source.ts";
import { storageCleanupCheck } from "./storage-cleanup.ts";

const one = (name: string, retains: boolean) => ({
  namespace: "tenant-a",
  name,
  kind: "Qdrant",
  plural: "qdrants",
  storage: "volumes",
  retains,
});

cases(storageCleanupCheck, [
  { why: "all keep their storage", facts: { losing: read([one("a", true)]) }, is: "pass" },
  {
    why: "those that take it along are named",
    facts: { losing: read([one("a", true), one("b", false)]) },
    is: "fail",
    severity: "information",
    objects: ["tenant-a/b"],
  },
  { why: "no such applications", facts: { losing: read([]) }, is: "notApplicable" },
  { why: "a denied list", facts: { losing: denied }, is: "couldNotTell" },
]);
