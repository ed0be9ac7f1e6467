/**
 * Where clickhouse differs from upstream on purpose.
 */
import type { Deviation } from "../deviation.ts";

const installation = "clickhouse.altinity.com/v1/ClickHouseInstallation/{release}";
const keeper = "clickhouse-keeper.altinity.com/v1/ClickHouseKeeperInstallation/{release}-keeper";

const cleanup = [
  "batch/v1/Job",
  "v1/ServiceAccount",
  "rbac.authorization.k8s.io/v1/Role",
  "rbac.authorization.k8s.io/v1/RoleBinding",
];

const storageClass = [installation, keeper].map(
  (object): Deviation => ({
    class: "fault",
    cases: "unseen",
    object,
    at: "/spec/templates/volumeClaimTemplates/*/spec/storageClassName",
    only: "extra",
    test: "volumes have the storage class that is asked for; a running installation keeps its own",
    reason:
      "`storageClass` was in the schema and used nowhere: volumes had the default class. New installations use it; a running one keeps its claim templates, since its volumes cannot move and another template restarts the servers.",
  }),
);

export const clickhouse: readonly Deviation[] = [
  ...cleanup.map(
    (kind): Deviation => ({
      class: "hook",
      cases: "all",
      object: `${kind}/{release}-cleanup`,
      only: "missing",
      test: "deletion frees the volumes of servers, logs and Keepers (feature 114)",
      reason: "The Job that deleted volumes after the release was gone: the controller deletes them itself.",
    }),
  ),
  {
    class: "fault",
    cases: "all",
    object: installation,
    at: "/spec/configuration/zookeeper/nodes/*/host",
    only: "differs",
    reason:
      "The Keepers' addresses ended in `.svc.`, with nothing where the cluster's domain belongs, so that the servers could not find them. Other addresses restart the servers: a running installation gets them when its servers restart for another reason.",
  },
  ...storageClass,
  {
    class: "fault",
    cases: "all",
    object: "cozystack.io/v1alpha1/WorkloadMonitor/{release}",
    at: "/spec/replicas",
    only: "differs",
    reason: "The monitor expected the servers of one shard; it expects those of all shards.",
  },
  {
    class: "fault",
    cases: "unseen",
    object: keeper,
    renamed: "clickhouse-keeper.altinity.com/v1/ClickHouseKeeperInstallation/*-keeper",
    test: "the Keeper has a shorter name where the operator's names would be too long",
    reason:
      "With an application name of more than 15 characters the operator could not make the Keeper's pods, because a volume's name was too long; the Keeper's object then has a shorter name with a hash.",
  },
  {
    class: "design",
    cases: "all",
    object: "batch/v1/CronJob/{release}-backup",
    at: "/spec/jobTemplate/spec/template/metadata/annotations/checksum~1secret",
    only: "missing",
    reason:
      "The checksum of the backup's credentials is left out: whoever may read the object could try passwords against it. Each run reads the credentials anew without it.",
  },
];
