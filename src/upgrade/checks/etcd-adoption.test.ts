import { cases, denied } from "../../../test/support/check-cases.ts";
import type { SnapshotTarget } from "../snapshot-target.ts";
import { type Backing, etcdAdoptionCheck } from "./etcd-adoption.ts";
import { notServed, read } from "./source.ts";

const at = { endpoint: "https://s3.example.org", bucket: "b", region: "", forcePathStyle: undefined };
const cosi: SnapshotTarget = { is: "cosi", at };
const good: Backing = { target: cosi, strategy: true, bucketReady: true, skipsSnapshot: false };
const one = read([{ namespace: "tenant-a", name: "etcd" }]);
const none = read([]);
const facts = (given: Partial<Backing>) => ({
  legacy: one,
  schedules: none,
  backups: none,
  backing: read({ ...good, ...given }),
});

cases(etcdAdoptionCheck, [
  {
    why: "a bucket of this platform that is ready",
    facts: facts({}),
    is: "pass",
    says: /tenant-a\/etcd is to be adopted/,
  },
  {
    why: "an external bucket, without one of this platform",
    facts: facts({ target: { is: "external", at }, bucketReady: undefined }),
    is: "pass",
    says: /bucket b at https:\/\/s3\.example\.org/,
  },
  {
    why: "no credentials (feature 23)",
    facts: facts({ target: { is: "incomplete", missing: ["Secret cozy-velero/cozy-backups-creds"] } }),
    is: "fail",
    severity: "blocking",
    objects: ["cozy-velero/cozy-backups-creds"],
    says: /forceAt=\$now.*bucket|bucket.*forceAt=\$now/,
  },
  { why: "no strategy", facts: facts({ strategy: false }), is: "fail", objects: ["cozy-default-etcd"] },
  {
    why: "a bucket that is not ready, by its name (feature 27)",
    facts: facts({ bucketReady: false }),
    is: "fail",
    objects: ["tenant-root/cozy-backups"],
    says: /is not ready/,
  },
  {
    why: "a bucket that is being deleted",
    facts: facts({
      target: {
        is: "terminating",
        claim: { namespace: "tenant-root", name: "old", bucketName: "b", terminating: true },
      },
    }),
    is: "fail",
    objects: ["tenant-root/old"],
  },
  {
    why: "the way around the snapshot is set",
    facts: facts({ skipsSnapshot: true, target: { is: "incomplete", missing: ["x"] } }),
    is: "fail",
    severity: "warning",
    objects: ["cozystack.cozystack-platform"],
  },
  {
    why: "schedules that end",
    facts: { ...facts({}), schedules: read([{ namespace: "tenant-a", name: "daily" }]) },
    is: "fail",
    severity: "warning",
    objects: ["tenant-a/daily"],
  },
  {
    why: "no former operator",
    facts: { legacy: notServed, schedules: notServed, backups: notServed, backing: read(undefined) },
    is: "notApplicable",
  },
  {
    why: "a former operator without clusters",
    facts: { legacy: none, schedules: none, backups: none, backing: read(undefined) },
    is: "notApplicable",
  },
  { why: "denied clusters", facts: { ...facts({}), legacy: denied, backing: read(undefined) }, is: "couldNotTell" },
  { why: "a claim that cannot be read", facts: { ...facts({}), backing: denied }, is: "couldNotTell" },
]);
