import { cases, denied } from "../../../test/support/check-cases.ts";
import { quotaCheck } from "./quotas.ts";
import { notServed, read } from "./source.ts";

const tenant = (namespace: string, name: string, quotas?: object) => ({ namespace, name, quotas });
const root = tenant("tenant-root", "root");
const tenants = (...all: readonly ReturnType<typeof tenant>[]) => ({ tenants: read(all) });

cases(quotaCheck, [
  {
    why: "what is given away fits exactly",
    facts: tenants(
      root,
      tenant("tenant-root", "a", { cpu: 10 }),
      tenant("tenant-a", "b", { cpu: "4" }),
      tenant("tenant-a", "c", { cpu: "6000m" }),
    ),
    is: "pass",
  },
  {
    why: "more is given away than there is",
    facts: tenants(
      root,
      tenant("tenant-root", "a", { cpu: 10, memory: "1Gi" }),
      tenant("tenant-a", "b", { cpu: 6 }),
      tenant("tenant-a", "c", { cpu: 5 }),
    ),
    is: "fail",
    severity: "warning",
    objects: ["tenant-root/a"],
    says: /has 10 of cpu and has given away 11/,
    never: /memory/,
  },
  {
    why: "by a tenant in between that bounds nothing",
    facts: tenants(
      root,
      tenant("tenant-root", "a", { cpu: 2 }),
      tenant("tenant-a", "b"),
      tenant("tenant-a-b", "c", { cpu: 3 }),
    ),
    is: "fail",
    objects: ["tenant-root/a"],
  },
  {
    why: "an amount that cannot be read",
    facts: tenants(tenant("tenant-root", "a", { cpu: "much" }), tenant("tenant-root", "b", { cpu: 1 })),
    is: "fail",
    objects: ["tenant-root/a"],
    says: /bounds nothing/,
  },
  {
    why: "no budgets",
    facts: tenants(root, tenant("tenant-root", "a"), tenant("tenant-a", "b", {})),
    is: "notApplicable",
  },
  { why: "no such kind", facts: { tenants: notServed }, is: "notApplicable" },
  { why: "a denied list", facts: { tenants: denied }, is: "couldNotTell" },
]);
