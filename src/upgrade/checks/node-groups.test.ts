import { cases, denied } from "../../../test/support/check-cases.ts";
import { clusterOf } from "../../../test/support/upgrade-objects.ts";
import type { NodeGroups } from "./kubernetes-clusters.ts";
import { emptyGroupsCheck, impliedGroupCheck } from "./node-groups.ts";
import { notServed, read } from "./source.ts";

const clusters = (...all: readonly NodeGroups[]) => ({
  clusters: read(all.map((nodeGroups, index) => clusterOf({ name: `c${index}`, nodeGroups }))),
});
const groups = (...names: readonly string[]): NodeGroups => ({ are: "groups", names });

cases(impliedGroupCheck, [
  {
    why: "it is ordered, or nothing is",
    facts: clusters(groups("md0"), { are: "none" }),
    is: "pass",
    never: /written into/,
  },
  {
    why: "those that get it are named",
    facts: clusters(groups("a"), groups()),
    is: "pass",
    says: /c0 gets the group md0.*c1 gets the group md0/,
  },
  {
    why: "groups that are no map",
    facts: clusters(groups("a"), { are: "noMap" }),
    is: "fail",
    severity: "blocking",
    objects: ["tenant-a/c1"],
  },
  { why: "no clusters", facts: clusters(), is: "notApplicable" },
  { why: "no such kind", facts: { clusters: notServed }, is: "notApplicable" },
  { why: "a denied list", facts: { clusters: denied }, is: "couldNotTell" },
]);

cases(emptyGroupsCheck, [
  { why: "all order groups", facts: clusters(groups("a")), is: "pass" },
  {
    why: "some order none",
    facts: clusters(groups("a"), groups(), { are: "none" }),
    is: "fail",
    severity: "information",
    objects: ["tenant-a/c1", "tenant-a/c2"],
  },
  { why: "no clusters", facts: clusters(), is: "notApplicable" },
  { why: "a denied list", facts: { clusters: denied }, is: "couldNotTell" },
]);
