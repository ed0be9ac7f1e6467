/**
 * Where our schemas accept less than those being replaced, on purpose: field by field, with the reason and values that remain.
 * A field that is listed and no longer narrower fails the suite.
 */
import fc from "fast-check";
import type { Overrides } from "./upstream-schema.ts";

export interface Narrower {
  readonly reason: string;
  /** What may still be written there. */
  readonly values: fc.Arbitrary<unknown>;
}

const label = fc.stringMatching(/^[a-z]([a-z0-9]{0,8}[a-z0-9])?$/);
const named = label.map((name) => ({ name }));
const count = fc.integer({ min: 0, max: 100 });

const negative = { reason: "a negative number of replicas means nothing, and its release failed", values: count };
const secretName = {
  reason: "name of a Secret: with another text no pod starts",
  values: fc.oneof(fc.constant(""), label),
};
const secretKey = {
  reason: "key in a Secret: with another text no pod starts",
  values: fc.constantFrom("", "ca.crt", "accessKey", "a-b_c.d"),
};
const disk = "name of a Kubernetes object that must exist: other texts never worked";

const user = "name of a user, from which the name of a Kubernetes object is made";

const port = { reason: "no port: nothing listened there", values: fc.integer({ min: 0, max: 65_535 }) };
const host = {
  reason: "no host: another text broke the proxy's configuration, or became part of it",
  values: fc.oneof(label, fc.ipV4(), fc.constantFrom("2001:db8::1", "a-1.example.org")),
};
const prefix = {
  reason: "no address: another text broke the proxy's configuration, or became part of it",
  values: fc.oneof(fc.ipV4(), fc.constantFrom("10.0.0.0/8", "2001:db8::1", "2001:db8::/32")),
};

/** By folder of the application and path within the spec, `*` for items and values of maps. */
export const narrower: Readonly<Record<string, Readonly<Record<string, Narrower>>>> = {
  bucket: {
    storagePool: { reason: "part of the name of a BucketClass", values: fc.oneof(fc.constant(""), label) },
  },
  clickhouse: {
    replicas: negative,
    shards: negative,
    "clickhouseKeeper.replicas": negative,
    "backup.endpointCA.name": secretName,
    "backup.endpointCA.key": secretKey,
    "backup.s3CredentialsSecret.name": secretName,
    "backup.s3CredentialsSecret.bucketKey": secretKey,
    "backup.s3CredentialsSecret.endpointKey": secretKey,
    "backup.s3CredentialsSecret.regionKey": secretKey,
    "backup.s3CredentialsSecret.accessKeyIDKey": secretKey,
    "backup.s3CredentialsSecret.secretAccessKeyKey": secretKey,
  },
  etcd: {
    replicas: negative,
    version: {
      reason: "the operator refuses versions that are not three numbers",
      values: fc.constantFrom("3.6.11", "3.5.21"),
    },
  },
  kafka: {
    "kafka.replicas": {
      reason: "its object was refused with less than one server",
      values: fc.integer({ min: 1, max: 9 }),
    },
    "zookeeper.replicas": {
      reason: "its object was refused with less than one server",
      values: fc.integer({ min: 1, max: 9 }),
    },
    "topics.*.name": { reason: "part of an object's name: its release failed", values: label },
    "topics.*.partitions": { reason: "its object was refused with less than none", values: count },
    "topics.*.replicas": { reason: "its object was refused with less than none, or more than 32767", values: count },
  },
  mariadb: {
    replicas: negative,
    "databases.*.roles.admin.*": { reason: user, values: label },
    "databases.*.roles.readonly.*": { reason: user, values: label },
  },
  nats: { replicas: negative },
  postgres: {
    replicas: negative,
    "backup.retentionPolicy": {
      reason: "the database operator refuses other texts",
      values: fc.constantFrom("", "30d", "4w", "12m"),
    },
  },
  qdrant: { replicas: negative },
  rabbitmq: {
    replicas: negative,
    "vhosts.*.roles.admin.*": { reason: user, values: label },
    "vhosts.*.roles.readonly.*": { reason: user, values: label },
  },
  redis: { replicas: negative },
  "tcp-balancer": {
    replicas: negative,
    "httpAndHttps.targetPorts.http": port,
    "httpAndHttps.targetPorts.https": port,
    "httpAndHttps.endpoints.*": host,
    "whitelist.*": prefix,
  },
  "vm-disk": {
    source: {
      reason: "of several sources all but one were ignored silently, and names and addresses must be such",
      values: fc.oneof(
        fc.constant({}),
        fc.constant({ upload: {} }),
        fc.constant({ http: { url: "https://images.example.org/a.raw" } }),
        named.map((image) => ({ image })),
        named.map((source) => ({ disk: source })),
      ),
    },
  },
  "vm-instance": {
    "disks.*": {
      reason: disk,
      values: fc.tuple(label, fc.constantFrom("virtio", "sata", "scsi", "usb")).map(([name, bus]) => ({ name, bus })),
    },
    "networks.*": { reason: disk, values: named },
    "subnets.*": { reason: disk, values: named },
    "gpus.*": { reason: "a GPU without a name cannot be found", values: named },
    "externalPorts.*": { reason: "no port numbers", values: fc.integer({ min: 1, max: 65_535 }) },
    "sshKeys.*": { reason: "one key a line", values: fc.constantFrom("ssh-ed25519 AAAA me", "ssh-rsa AAAA") },
  },
};

/**
 * Rules over several fields, or over a value in context, that the former schemas did not have: the beginning of each one's
 * message, and what became of such values before. A rule that is listed and no longer there fails the suite.
 */
export const rules: Readonly<Record<string, readonly { readonly message: string; readonly before: string }[]>> = {
  clickhouse: [
    { message: "backup.s3PathOverride cannot be combined with backup.useSystemBucket", before: "the release failed" },
    { message: "backup.s3Bucket must be set", before: "the release failed" },
    { message: "backup.s3AccessKey must be set", before: "the release failed" },
    { message: "backup.s3SecretKey must be set", before: "the release failed" },
    { message: "backup.s3Region must be set", before: "the release failed" },
    { message: "backup.cleanupStrategy must be set", before: "the release failed" },
    { message: "backup.resticPassword must be set", before: "the release failed" },
  ],
  etcd: [{ message: "size must be given in Ki, Mi or Gi", before: "the release failed" }],
  mariadb: [
    { message: "a user cannot be named metrics", before: "the operator and the release overwrote each other's user" },
    { message: "databases cannot be named mysql", before: "the server's own database went with the application" },
    { message: "names of users can have 80 characters", before: "the server refused the user" },
    ...["s3Bucket", "cleanupStrategy", "s3AccessKey", "s3SecretKey", "resticPassword"].map((field) => ({
      message: `backup.${field} must be set`,
      before: "the release failed",
    })),
    { message: "backup.schedule must be set", before: "the release failed, its CronJob being refused" },
  ],
  nats: [{ message: "a password cannot have both", before: "the servers' configuration broke, or was another one" }],
  postgres: [
    { message: "bootstrap needs", before: "the release failed, or its database never started" },
    { message: "bootstrap cannot be combined with backup.useSystemBucket", before: "the release failed" },
    {
      message: "SECURITY: a parameter that can load code",
      before: "a tenant could run commands as the database server",
    },
    { message: "users cannot be named", before: "the Job that makes users failed for ever" },
    { message: "databases cannot be named", before: "the Job that makes databases failed for ever" },
    { message: "the name of a database can have 54 bytes", before: "the names of its roles were cut" },
    { message: "the user postgres is", before: "the release failed" },
  ],
  rabbitmq: [{ message: "users x and x-user cannot both exist", before: "two Secrets overwrote each other" }],
  "vm-instance": [
    { message: "resources.", before: "the machine was refused by KubeVirt" },
    { message: "a machine needs an instanceType", before: "the machine was refused by KubeVirt" },
    { message: "instanceType and resources both", before: "the release failed" },
    { message: "externalPorts is empty", before: "the Service was refused" },
    { message: "a port is listed twice", before: "the Service was refused" },
    { message: "a disk is listed twice", before: "the machine was refused by KubeVirt" },
    { message: "a network is listed twice", before: "the machine was refused by KubeVirt" },
    { message: "default is the name of the pod network", before: "the machine was refused by KubeVirt" },
  ],
};

/** Fields that only our schemas have. */
export const added: ReadonlySet<string> = new Set(["reclaimPolicy"]);

/** What is still accepted, except at `but`. */
export function overrides(folder: string, but?: string): Overrides {
  const fields = Object.entries(narrower[folder] ?? {}).filter(([path]) => path !== but);
  return Object.fromEntries(fields.map(([path, { values }]) => [path, values]));
}
