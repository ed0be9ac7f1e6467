/**
 * Where snapshots of etcd go before it is adopted. Of four answers two are a place to go to; where it cannot be told which one, nothing
 * is guessed.
 */
import { isRecord, valueAt } from "../kube/json.ts";

/** Secret with the credentials, and what it tells beside them. Never the credentials themselves. */
export interface BackupCredentials {
  readonly hasKeyId: boolean;
  readonly hasSecretKey: boolean;
  readonly bucketName: string;
  readonly endpoint: string;
  readonly region: string;
  readonly forcePathStyle: string;
}

/** Where the default strategy for etcd sends its backups. */
export interface StrategyTarget {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly forcePathStyle: boolean | undefined;
}

export interface BucketClaimState {
  readonly namespace: string;
  readonly name: string;
  /** Name of the bucket that it stands for; empty until there is one. */
  readonly bucketName: string;
  readonly terminating: boolean;
}

export interface Coordinates {
  readonly endpoint: string;
  readonly bucket: string;
  readonly region: string;
  readonly forcePathStyle: boolean | undefined;
}

/**
 * `cosi`: a bucket of this platform. `external`: somebody else's. `terminating`: the bucket is being deleted. `incomplete`: something is
 * missing, in words.
 */
export type SnapshotTarget =
  | { readonly is: "cosi" | "external"; readonly at: Coordinates }
  | { readonly is: "terminating"; readonly claim: BucketClaimState }
  | { readonly is: "incomplete"; readonly missing: readonly string[] };

export const credentialsSecret = { namespace: "cozy-velero", name: "cozy-backups-creds" } as const;
export const etcdStrategy = {
  resource: { group: "strategy.backups.cozystack.io", plural: "etcds" },
  kind: "Etcd",
  name: "cozy-default-etcd",
} as const;

function dataText(secret: unknown, key: string): string {
  const value = valueAt(secret, "data", key);
  return typeof value === "string" ? Buffer.from(value, "base64").toString("utf8") : "";
}

/** What the Secret tells. */
export function credentialsOf(secret: unknown): BackupCredentials {
  return {
    hasKeyId: dataText(secret, "AWS_ACCESS_KEY_ID") !== "",
    hasSecretKey: dataText(secret, "AWS_SECRET_ACCESS_KEY") !== "",
    bucketName: dataText(secret, "bucketName"),
    endpoint: dataText(secret, "endpoint"),
    region: dataText(secret, "region"),
    forcePathStyle: dataText(secret, "forcePathStyle"),
  };
}

const textAt = (value: unknown, key: string): string => {
  const text = valueAt(value, key);
  return typeof text === "string" ? text : "";
};

/** Where the strategy sends backups. */
export function strategyTargetOf(strategy: unknown): StrategyTarget {
  const s3 = valueAt(strategy, "spec", "template", "destination", "s3");
  const style = valueAt(s3, "forcePathStyle");
  return {
    endpoint: textAt(s3, "endpoint"),
    bucket: textAt(s3, "bucket"),
    region: textAt(s3, "region"),
    forcePathStyle: typeof style === "boolean" ? style : undefined,
  };
}

export function claimStateOf(claim: {
  readonly metadata: { readonly namespace?: string; readonly name: string; readonly deletionTimestamp?: string };
  readonly status?: unknown;
}): BucketClaimState {
  const { namespace = "", name, deletionTimestamp } = claim.metadata;
  const status = isRecord(claim.status) ? claim.status : {};
  return { namespace, name, bucketName: textAt(status, "bucketName"), terminating: deletionTimestamp !== undefined };
}

/** The gate of this platform's buckets speaks TLS alone, whatever scheme was written down. */
const overTls = (endpoint: string): string =>
  endpoint === "" ? "" : `https://${endpoint.replace(/^[a-z]+:\/\//i, "")}`;

/**
 * The target by what there is; undefined for an object that does not exist. Claims are those of the whole cluster; an empty list where
 * their kind is not served. Whoever could not read one of them does not ask.
 */
export function snapshotTarget(found: {
  readonly credentials: BackupCredentials | undefined;
  readonly strategy: StrategyTarget | undefined;
  readonly claims: readonly BucketClaimState[];
}): SnapshotTarget {
  const { credentials, strategy, claims } = found;
  const keys = missingKeys(credentials);
  if (credentials === undefined || keys.length > 0) return { is: "incomplete", missing: keys };
  const { bucketName } = credentials;
  const claiming = bucketName === "" ? [] : claims.filter((claim) => claim.bucketName === bucketName);
  if (claiming.some(({ terminating }) => !terminating)) return cosiTarget(credentials, strategy);
  const [claim] = claiming;
  if (claim !== undefined) return { is: "terminating", claim };
  if (strategy === undefined)
    return { is: "incomplete", missing: [`strategy ${etcdStrategy.name}, which would say where the bucket is`] };
  const { endpoint, bucket } = strategy;
  return whole("external", { ...strategy, endpoint, bucket });
}

function missingKeys(credentials: BackupCredentials | undefined): readonly string[] {
  const { namespace, name } = credentialsSecret;
  if (credentials === undefined) return [`Secret ${namespace}/${name}`];
  return [
    ...(credentials.hasKeyId ? [] : [`AWS_ACCESS_KEY_ID in Secret ${namespace}/${name}`]),
    ...(credentials.hasSecretKey ? [] : [`AWS_SECRET_ACCESS_KEY in Secret ${namespace}/${name}`]),
  ];
}

function cosiTarget(credentials: BackupCredentials, strategy: StrategyTarget | undefined): SnapshotTarget {
  const style = credentials.forcePathStyle;
  return whole("cosi", {
    endpoint: overTls(credentials.endpoint === "" ? (strategy?.endpoint ?? "") : credentials.endpoint),
    bucket: credentials.bucketName,
    region: credentials.region === "" ? (strategy?.region ?? "") : credentials.region,
    forcePathStyle: style === "" ? strategy?.forcePathStyle : style === "true",
  });
}

function whole(is: "cosi" | "external", at: Coordinates): SnapshotTarget {
  const missing = [...(at.endpoint === "" ? ["an endpoint"] : []), ...(at.bucket === "" ? ["a bucket"] : [])];
  return missing.length > 0 ? { is: "incomplete", missing } : { is, at };
}
