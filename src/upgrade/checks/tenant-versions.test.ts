import { cases, denied } from "../../../test/support/check-cases.ts";
import { clusterOf } from "../../../test/support/upgrade-objects.ts";
import { notServed, read } from "./source.ts";
import { tenantVersionCheck } from "./tenant-versions.ts";

const stamp = read(undefined);

cases(tenantVersionCheck, [
  {
    why: "v1.31 and newer",
    facts: { clusters: read([clusterOf({ version: "v1.31" }), clusterOf({})]), stamp },
    is: "pass",
  },
  {
    why: "v1.30 is patched by migration 46",
    facts: { clusters: read([clusterOf({ version: "v1.30" })]), stamp },
    is: "fail",
    severity: "warning",
    objects: ["tenant-a/prod"],
    says: /v1\.31, v1\.32, v1\.33, v1\.34, v1\.35/,
  },
  {
    why: "v1.30 that a repository holds blocks, with the name of who would revert it (feature 39)",
    facts: {
      clusters: read([clusterOf({ version: "v1.30", reverters: ["Flux (field manager kustomize-controller)"] })]),
      stamp,
    },
    is: "fail",
    severity: "blocking",
    says: /undone by Flux \(field manager kustomize-controller\)/,
  },
  {
    why: "older ones, which no migration knows",
    facts: { clusters: read([clusterOf({ version: "v1.28" })]), stamp },
    is: "fail",
    severity: "blocking",
  },
  {
    why: "what migration 46 left before is named",
    facts: { clusters: read([clusterOf({})]), stamp: read({ text: "47", kept: true, left: ["tenant-a/old"] }) },
    is: "pass",
    says: /could not change tenant-a\/old/,
  },
  { why: "no clusters", facts: { clusters: read([]), stamp }, is: "notApplicable" },
  { why: "no such kind", facts: { clusters: notServed, stamp }, is: "notApplicable" },
  { why: "a denied list", facts: { clusters: denied, stamp }, is: "couldNotTell" },
]);
