import { cases, denied } from "../../../test/support/check-cases.ts";
import { backupObjectsCheck } from "./backup-objects.ts";
import { notServed, read } from "./source.ts";

const routes = [{ kind: "Etcd", name: "cozy-default-etcd" }];
const whole = read({ routes, missing: [] });

cases(backupObjectsCheck, [
  { why: "all is there", facts: { backing: whole, definition: read(true), runs: read(true) }, is: "pass" },
  {
    why: "a strategy is missing although every release is ready",
    facts: {
      backing: read({
        routes,
        missing: [{ group: "strategy.backups.cozystack.io", kind: "Etcd", name: "cozy-default-etcd" }],
      }),
      definition: read(true),
      runs: read(true),
    },
    is: "fail",
    severity: "warning",
    objects: ["cozy-default-etcd"],
    says: /forceAt/,
  },
  {
    why: "Velero is newer than its definitions",
    facts: { backing: whole, definition: read(false), runs: read(true) },
    is: "fail",
    objects: ["backups.velero.io"],
  },
  {
    why: "an old Velero has old definitions",
    facts: { backing: whole, definition: read(false), runs: read(false) },
    is: "pass",
  },
  {
    why: "no backups",
    facts: { backing: read(undefined), definition: notServed, runs: read(undefined) },
    is: "notApplicable",
  },
  {
    why: "a denied strategy",
    facts: { backing: denied, definition: read(true), runs: read(true) },
    is: "couldNotTell",
  },
]);
