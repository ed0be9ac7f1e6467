/**
 * Where harbor differs from upstream on purpose.
 */
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";
import { fixedStorageClass } from "../fixed-storage-class.ts";

/** One of upstream's hook objects. */
const hook = (kind: string): Deviation => ({
  class: "hook",
  cases: "all",
  object: `${kind}/{release}-cleanup`,
  only: "missing",
  test: "a Harbor is ready with its bucket, database and Redis, and leaves nothing",
  reason:
    "The Job that deleted volumes and what the certificate's issuer leaves behind after the release was gone: the controller does so itself, by name and by host.",
});

const release = "helm.toolkit.fluxcd.io/v2/HelmRelease/{release}-system";

/** What upstream's inner release made beside the chart. */
const direct = (object: string, reason: string): Deviation => ({
  class: "innerRelease",
  cases: "all",
  object,
  only: "extra",
  reason,
});

const replicas = (values: unknown, part: string) => valueAt(values, part, "replicas");
const text = (values: unknown, field: string) => String(valueAt(values, field) ?? "");

const hidden =
  "Passwords and keys reach the chart from their Secrets, not through the release, which more people may read. Flux lays both together, so that Harbor gets the same values.";

const given = "Values of database and Redis are not in the release, which no longer makes them.";

export const harbor: readonly Deviation[] = [
  hook("batch/v1/Job"),
  hook("v1/ServiceAccount"),
  hook("rbac.authorization.k8s.io/v1/Role"),
  hook("rbac.authorization.k8s.io/v1/RoleBinding"),
  direct(
    "postgresql.cnpg.io/v1/Cluster/{release}-db",
    "The database is rendered directly; upstream's inner release made it.",
  ),
  direct(
    "databases.spotahome.com/v1/RedisFailover/{release}-redis",
    "Redis is rendered directly; upstream's inner release made it.",
  ),
  direct("v1/Secret/{release}-redis-auth", "Redis's password is rendered directly; upstream's inner release did it."),
  {
    class: "innerRelease",
    cases: "unseen",
    object: "v1/Secret/{release}-registry-s3",
    only: "extra",
    test: "the registry has the bucket's keys when the driver's document is complete, and not before",
    reason:
      "The registry's keys of the bucket are rendered directly, as soon as the driver has made them; upstream's inner release did it.",
  },
  { class: "innerRelease", cases: "all", object: release, at: "/spec/values/db", only: "missing", reason: given },
  { class: "innerRelease", cases: "all", object: release, at: "/spec/values/redis", only: "missing", reason: given },
  {
    class: "design",
    cases: "all",
    object: release,
    at: "/spec/values/harbor/harborAdminPassword",
    only: "missing",
    reason: hidden,
  },
  {
    class: "design",
    cases: "all",
    object: "v1/Secret/{release}-credentials",
    at: "/stringData/admin-password",
    only: "differs",
    when: (values) => isRecord(values),
    reason: "The administrator's password is not in the release as well, where upstream has it once more.",
  },
  {
    class: "design",
    cases: "unseen",
    object: release,
    at: "/spec/values/harbor/core/tokenKey",
    only: "missing",
    test: "the pair of keys for tokens is kept once it is whole",
    reason: hidden,
  },
  {
    class: "design",
    cases: "unseen",
    object: release,
    at: "/spec/values/harbor/core/tokenCert",
    only: "missing",
    test: "the pair of keys for tokens is kept once it is whole",
    reason: hidden,
  },
  { class: "design", cases: "all", object: release, at: "/spec/valuesFrom", reason: hidden },
  {
    class: "design",
    cases: "all",
    assumes: "objectstorage.k8s.io/v1alpha1/BucketClass/*",
    reason: "The registry waits for the bucket's class by name; upstream made a claim that nobody answers.",
  },
  {
    class: "design",
    cases: "all",
    assumes: "objectstorage.k8s.io/v1alpha1/BucketAccessClass/*",
    reason: "The registry waits for its access's class by name; upstream made an access that nobody answers.",
  },
  {
    class: "design",
    cases: "unseen",
    outcome: "refuses",
    when: (_, { namespace }) => (namespace?.["seaweedfs"] ?? "") === "",
    test: "without object storage a registry is refused, and says who can change that",
    reason: "A registry where no tenant has object storage is refused; upstream's release waited for ever.",
  },
  {
    class: "design",
    cases: "unseen",
    object: release,
    at: "/spec/values/harbor/persistence/persistentVolumeClaim/trivy/size",
    only: "differs",
    test: "the scanner's volume grows, and its set goes on as it was made",
    reason:
      "The scanner's volume grows under the running scanner: the chart goes on with the size that its claim template has. Upstream's release failed.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) =>
      !/^([a-zA-Z0-9]([-a-zA-Z0-9.]*[a-zA-Z0-9])?)?$/.test(text(values, "host")) ||
      !/^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$/.test(text(values, "storageClass")),
    test: "refuses a host that is none",
    reason:
      "A host name or a storage class is refused that is none: the chart writes them into its documents as they are, so that a tenant could have anything applied with them.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) =>
      isRecord(values) && (Number(replicas(values, "database") ?? 2) < 1 || Number(replicas(values, "redis") ?? 2) < 0),
    test: "refuses a database without servers",
    reason: "A database without servers and a negative number of replicas are refused; upstream's release failed.",
  },
  {
    class: "design",
    cases: "unseen",
    edits: ["trivy.size", "database.size", "redis.size"],
    test: "the server refuses: a volume that shrinks",
    reason: "A volume that shrinks is refused; upstream's release failed, or changed nothing.",
  },
  fixedStorageClass,
];
