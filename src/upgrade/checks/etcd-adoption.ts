/**
 * P4: etcd clusters of the former operator, and where their snapshots go before they are adopted.
 */
import { valueAt } from "../../kube/json.ts";
import type { ObjectRef, UnknownObject } from "../../kube/object.ts";
import {
  claimStateOf,
  credentialsOf,
  credentialsSecret,
  etcdStrategy,
  type SnapshotTarget,
  snapshotTarget,
  strategyTargetOf,
} from "../snapshot-target.ts";
import type { Place } from "./applications.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { listIn } from "./fields.ts";
import { packageName, platformSource } from "./platform-package.ts";
import { type Answer, defineSource, listOf, oneOf, read, resourceText, type Source, valueIn } from "./source.ts";

const legacyGroup = "etcd.aenix.io";
const legacyResource = { group: legacyGroup, plural: "etcdclusters" };

const placeOf = ({ metadata: { namespace = "", name } }: UnknownObject): Place => ({ namespace, name });

const legacySource = listOf(legacyResource, placeOf, { metadataOnly: true });
const schedulesSource = listOf({ group: legacyGroup, plural: "etcdbackupschedules" }, placeOf, { metadataOnly: true });
const backupsSource = listOf({ group: legacyGroup, plural: "etcdbackups" }, placeOf, { metadataOnly: true });

const secretSource = oneOf({ group: "", plural: "secrets" }, credentialsSecret, credentialsOf);
const strategySource = oneOf(etcdStrategy.resource, etcdStrategy, strategyTargetOf);
const claimsSource = listOf({ group: "objectstorage.k8s.io", plural: "bucketclaims" }, claimStateOf);

const bucket = { namespace: "tenant-root", name: "cozy-backups" } as const;
const bucketSource = oneOf({ group: "apps.cozystack.io", plural: "buckets" }, bucket, isReady);

function isReady({ status }: UnknownObject): boolean {
  const ready = listIn(status, "conditions").find((one) => valueAt(one, "type") === "Ready");
  return valueAt(ready, "status") === "True";
}

/** What there is to take snapshots with. */
export interface Backing {
  readonly target: SnapshotTarget;
  /** Whether the default strategy exists. */
  readonly strategy: boolean;
  /** Whether the platform's own bucket is ready; undefined where there is none. */
  readonly bucketReady: boolean | undefined;
  readonly skipsSnapshot: boolean;
}

const parts = [secretSource, strategySource, claimsSource, bucketSource, platformSource] as const;

/** Undefined where nothing is to be adopted: then nothing of it is read. */
const backingSource: Source<Backing | undefined> = defineSource(
  [...new Set(parts.flatMap(({ reads }) => reads))],
  async (reader): Promise<Answer<Backing | undefined>> => {
    const legacy = await legacySource.answer(reader);
    if (legacy.is === "unreadable" || valueIn(legacy, []).length === 0) return read(undefined);
    const [secret, strategy, claims, ready, platform] = await Promise.all([
      secretSource.answer(reader),
      strategySource.answer(reader),
      claimsSource.answer(reader),
      bucketSource.answer(reader),
      platformSource.answer(reader),
    ]);
    for (const answer of [secret, strategy, claims, ready, platform]) if (answer.is === "unreadable") return answer;
    const found = valueIn(strategy, undefined);
    return read({
      target: snapshotTarget({ credentials: valueIn(secret, undefined), strategy: found, claims: valueIn(claims, []) }),
      strategy: found !== undefined,
      bucketReady: valueIn(ready, undefined),
      skipsSnapshot: valueIn(platform, undefined)?.skipsEtcdSnapshot ?? false,
    });
  },
);

const secretRef: ObjectRef = { group: "", kind: "Secret", ...credentialsSecret };
const strategyRef: ObjectRef = { group: etcdStrategy.resource.group, kind: etcdStrategy.kind, name: etcdStrategy.name };
const bucketRef: ObjectRef = { group: "apps.cozystack.io", kind: "Bucket", ...bucket };

/** Helm renders a release again only if it is forced to; the second looks at what the first makes. */
export const renderAgain: readonly string[] = [
  { release: "bucket-cozy-backups-system", namespace: bucket.namespace },
  { release: "backupstrategy-controller", namespace: "cozy-backup-controller" },
].map(
  ({ release, namespace }) =>
    `now=$(date +%s); kubectl annotate helmreleases.helm.toolkit.fluxcd.io ${release} -n ${namespace} --overwrite reconcile.fluxcd.io/forceAt=$now reconcile.fluxcd.io/requestedAt=$now`,
);

function targetFindings({ target, strategy, bucketReady }: Backing): readonly Finding[] {
  const blocking = (object: ObjectRef, what: string, remedy: readonly string[] = renderAgain): Finding => ({
    object,
    severity: "blocking",
    what,
    remedy,
  });
  const ofTarget =
    target.is === "incomplete"
      ? [blocking(secretRef, `snapshots have no target, there is no ${target.missing.join(" and no ")}`)]
      : target.is === "terminating"
        ? [
            blocking(
              {
                group: "objectstorage.k8s.io",
                kind: "BucketClaim",
                namespace: target.claim.namespace,
                name: target.claim.name,
              },
              "is being deleted, and stands for the bucket of the backups: whose it is cannot be told",
              [
                `kubectl get bucketclaims.objectstorage.k8s.io ${target.claim.name} -n ${target.claim.namespace} -o yaml   # see what its finalizers wait for`,
              ],
            ),
          ]
        : [];
  const noStrategy = strategy || target.is === "incomplete" ? [] : [blocking(strategyRef, "does not exist")];
  const isOurs = target.is === "cosi" || bucketReady === false;
  const notReady =
    !isOurs || bucketReady === true
      ? []
      : [
          blocking(
            bucketRef,
            bucketReady === false ? "is not ready" : "does not exist, although the bucket is of this platform",
            [`kubectl describe buckets.apps.cozystack.io ${bucket.name} -n ${bucket.namespace}`],
          ),
        ];
  return [...ofTarget, ...noStrategy, ...notReady];
}

const skipped: Finding = {
  object: { group: "cozystack.io", kind: "Package", name: packageName },
  severity: "warning",
  what: "has migrations.etcdAdoptSkipBackup set: etcd is adopted without a snapshot, and nothing can be taken back",
  remedy: [
    `kubectl patch packages.cozystack.io ${packageName} --type merge -p '{"spec":{"components":{"platform":{"values":{"migrations":{"etcdAdoptSkipBackup":false}}}}}}'`,
  ],
};

const lostSchedule =
  (kind: string) =>
  ({ namespace, name }: Place): Finding => ({
    object: { group: legacyGroup, kind, namespace, name },
    severity: "warning",
    what: "is not taken over: its backups end with the adoption",
    remedy: [`Order a Plan with the BackupClass cozy-default for the Etcd of ${namespace}.`],
  });

export const etcdAdoptionCheck = defineCheck({
  id: "P4",
  title: "Adoption of etcd",
  severity: "blocking",
  why: "Live etcd is taken from one operator to another. Without a snapshot, or where it cannot be told where it would go, migration 50 refuses and the upgrade stops.",
  remedy: renderAgain,
  sources: { legacy: legacySource, schedules: schedulesSource, backups: backupsSource, backing: backingSource },
  classify({ legacy, schedules, backups, backing }): Classified {
    const clusters = valueIn(legacy, []);
    const found = valueIn(backing, undefined);
    const target = found?.target;
    return {
      applies: clusters.length > 0,
      findings: [
        ...(found === undefined ? [] : found.skipsSnapshot ? [skipped] : targetFindings(found)),
        ...valueIn(schedules, []).map(lostSchedule("EtcdBackupSchedule")),
        ...valueIn(backups, []).map(lostSchedule("EtcdBackup")),
      ],
      notes: [
        ...clusters.map(
          ({ namespace, name }) => `${resourceText(legacyResource)} ${namespace}/${name} is to be adopted`,
        ),
        ...(target?.is === "cosi" ? ["snapshots go to the bucket that this platform keeps for backups"] : []),
        ...(target?.is === "external" ? [`snapshots go to bucket ${target.at.bucket} at ${target.at.endpoint}`] : []),
      ],
    };
  },
});
