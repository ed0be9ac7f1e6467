import { cases, denied } from "../../../test/support/check-cases.ts";
import { etcdBackupCheck } from "./etcd-backups.ts";
import { notServed, read } from "./source.ts";

const order = (namespace: string, backs: boolean) => ({ namespace, name: "etcd", backs });

cases(etcdBackupCheck, [
  { why: "nobody asks", facts: { orders: read([order("tenant-a", false)]) }, is: "pass" },
  {
    why: "the tenants that ask are named (feature 43)",
    facts: { orders: read([order("tenant-a", true), order("tenant-b", false)]) },
    is: "fail",
    severity: "warning",
    objects: ["tenant-a/etcd"],
  },
  { why: "no etcd", facts: { orders: read([]) }, is: "notApplicable" },
  { why: "no such kind", facts: { orders: notServed }, is: "notApplicable" },
  { why: "a denied list", facts: { orders: denied }, is: "couldNotTell" },
]);
