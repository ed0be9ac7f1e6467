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
const period = fc.constantFrom("1", "3d", "2y");
const disk = "name of a Kubernetes object that must exist: other texts never worked";

const disks = fc.constantFrom("ssd", "hdd", "nvme0");
const hostName = {
  reason: "no host name: the chart writes it into commands",
  values: fc.constantFrom("", "s3.example.org", "localhost"),
};
const storageClass = {
  reason: "name of a StorageClass: another one never had volumes, and some broke out of the chart's documents",
  values: fc.constantFrom("", "local", "replicated-async.v2"),
};

const noFdb = "its object was refused by the API server with other texts";
const urlPart = "part of the URL that backups go to: other texts would end it";

const user = "name of a user, from which the name of a Kubernetes object is made";

const port = { reason: "no port: nothing listened there", values: fc.integer({ min: 0, max: 65_535 }) };
const host = {
  reason: "no host: another text broke the proxy's configuration, or became part of it",
  values: fc.oneof(label, fc.ipV4(), fc.constantFrom("2001:db8::1", "a-1.example.org")),
};
const endpoint = {
  reason: "no host: another text broke the proxy's configuration, or became part of it",
  values: fc.constantFrom("10.0.0.1:80", "a-1.example.org", "b:8080", "[2001:db8::1]:80"),
};
const ip = { reason: "no address: machines could do nothing with it", values: fc.ipV4() };
const prefix = {
  reason: "no address: another text broke the proxy's configuration, or became part of it",
  values: fc.oneof(fc.ipV4(), fc.constantFrom("10.0.0.0/8", "2001:db8::1", "2001:db8::/32")),
};

const machineRole = { reason: "part of a label's key: its release failed", values: label };

/** By folder of the application and path within the spec, `*` for items and values of maps. */
export const narrower: Readonly<Record<string, Readonly<Record<string, Narrower>>>> = {
  bootbox: {
    "whitelist.*": prefix,
    "machines.*.hostname": { reason: "name of an object: its release failed", values: label },
    "machines.*.arch": { reason: "no processor: no machine says so", values: fc.constantFrom("", "x86_64", "arm64") },
    "machines.*.leaseTime": { reason: "a negative time means nothing", values: count },
    "machines.*.ip.address": ip,
    "machines.*.ip.gateway": ip,
    "machines.*.ip.netmask": ip,
    "machines.*.mac.*": {
      reason: "no hardware address: its release failed",
      values: fc.constantFrom("00:25:90:aa:bb:01", "00:25:90:AA:BB:01"),
    },
    "machines.*.nameServers.*": host,
    "machines.*.timeServers.*": host,
  },
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
  "http-cache": {
    "haproxy.replicas": negative,
    "nginx.replicas": negative,
    "endpoints.*": endpoint,
  },
  gateway: {
    gatewayClassName: { reason: "no name of an object: its Gateway was never written", values: label },
    "tlsPassthroughServices.*": { reason: "no part of a domain: its Gateway was never written", values: label },
  },
  ingress: {
    replicas: negative,
    "whitelist.*": {
      reason: "no address or range: the controllers ignored the whole list",
      values: fc.constantFrom("10.0.0.0/8", "192.0.2.1", "2001:db8::/32"),
    },
  },
  harbor: {
    host: hostName,
    storageClass,
    "database.replicas": {
      reason: "its object was refused with less than one",
      values: fc.integer({ min: 1, max: 9 }),
    },
    "redis.replicas": negative,
  },
  foundationdb: {
    "cluster.version": { reason: noFdb, values: fc.constantFrom("7.3.63", "7.1.26", "7.4.0-rc1") },
    "cluster.redundancyMode": {
      reason: noFdb,
      values: fc.constantFrom("single", "double", "triple", "three_data_hall"),
    },
    "cluster.storageEngine": { reason: noFdb, values: fc.constantFrom("ssd-2", "memory", "ssd-rocksdb-v1") },
    "cluster.processCounts.storage": negative,
    "securityContext.runAsUser": { reason: "no pod runs as a negative number", values: count },
    "securityContext.runAsGroup": { reason: "no pod runs as a negative number", values: count },
    "backup.s3.bucket": { reason: noFdb, values: fc.constantFrom("", "a.bucket-1") },
    "backup.s3.endpoint": {
      reason: urlPart,
      values: fc.constantFrom("", "https://s3.example.org:9000", "minio.a.svc"),
    },
    "backup.s3.region": { reason: urlPart, values: fc.constantFrom("", "us-east-1") },
    "backup.s3.credentials.accessKeyId": { reason: urlPart, values: fc.constantFrom("", "AKIA1234") },
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
  kubernetes: {
    host: {
      reason: "no host name: nothing could be served under it",
      values: fc.constantFrom("", "k8s.example.org", "localhost"),
    },
    "controlPlane.replicas": negative,
    "nodeGroups.*.minReplicas": negative,
    "nodeGroups.*.maxReplicas": negative,
    "nodeGroups.*.roles.*": machineRole,
  },
  "kubernetes-nodes": { minReplicas: negative, maxReplicas: negative, "roles.*": machineRole },
  mariadb: {
    replicas: negative,
    "databases.*.roles.admin.*": { reason: user, values: label },
    "databases.*.roles.readonly.*": { reason: user, values: label },
  },
  mongodb: {
    replicas: negative,
    "shardingConfig.configServers": negative,
    "shardingConfig.mongos": negative,
    "shardingConfig.shards": {
      reason: "names of objects, each once: the operator could not make others; and no negative number of servers",
      values: fc.uniqueArray(
        fc.record({ name: label, replicas: count, size: fc.constantFrom("1Gi", 1024) }, { noNullPrototype: true }),
        {
          selector: ({ name }) => name,
          maxLength: 4,
        },
      ),
    },
  },
  monitoring: {
    host: { reason: "no domain: its Ingress was refused", values: fc.constantFrom("", "mon.example.org") },
    metricsStorages: {
      reason:
        "the name is part of objects' names and names one storage, the operator refuses other periods, and half a storage failed",
      values: fc.uniqueArray(
        fc.record(
          {
            name: label,
            retentionPeriod: period,
            deduplicationInterval: fc.constantFrom("15s", "1m30s", "0.5h"),
            storage: fc.constantFrom("1Gi", "500G"),
            storageClassName: fc.constantFrom("", "local"),
            vminsert: fc.constant({ minAllowed: { cpu: "100m", memory: 0 }, maxAllowed: { cpu: 2, memory: "1Gi" } }),
          },
          {
            requiredKeys: ["name", "retentionPeriod", "deduplicationInterval", "storage", "storageClassName"],
            noNullPrototype: true,
          },
        ),
        { selector: ({ name }) => name, maxLength: 3 },
      ),
    },
    logsStorages: {
      reason:
        "the name is part of objects' names and names one storage, the operator refuses other periods, and half a storage failed",
      values: fc.uniqueArray(
        fc.record(
          {
            name: label,
            retentionPeriod: period,
            storage: fc.constantFrom("1Gi", "500G"),
            storageClassName: fc.constantFrom("", "local"),
          },
          { noNullPrototype: true },
        ),
        { selector: ({ name }) => name, maxLength: 3 },
      ),
    },
    "oidc.users.*.email": {
      reason: "no address: the second release failed",
      values: fc.constantFrom("a@example.org", "x.y+z@e-1.io"),
    },
  },
  nats: { replicas: negative },
  opensearch: { replicas: negative, "dashboards.replicas": negative },
  openbao: { replicas: negative, storageClass },
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
  seaweedfs: {
    host: hostName,
    replicationFactor: { reason: "SeaweedFS has one digit for it", values: fc.integer({ min: 1, max: 10 }) },
    "db.replicas": { reason: "its object was refused with less than one", values: fc.integer({ min: 1, max: 9 }) },
    "db.storageClass": storageClass,
    "master.replicas": negative,
    "filer.replicas": negative,
    "filer.grpcHost": hostName,
    "filer.grpcPort": { reason: "no port number", values: fc.integer({ min: 1, max: 65_535 }) },
    "filer.whitelist.*": { reason: "no network: the ingress controller refused it", values: fc.constant("10.0.0.0/8") },
    "s3.replicas": negative,
    "volume.replicas": negative,
    "volume.storageClass": storageClass,
    "volume.diskType": { reason: "its release failed", values: fc.oneof(fc.constant(""), disks) },
    ...Object.fromEntries(
      ["volume.pools.*", "volume.zones.*", "volume.zones.*.pools.*"].flatMap((place) => [
        [`${place}.replicas`, negative],
        [`${place}.storageClass`, storageClass],
        ...(place.endsWith("pools.*") ? [[`${place}.diskType`, { reason: "its release failed", values: disks }]] : []),
      ]),
    ),
    "volume.zones.*.dataCenter": {
      reason: "part of a command that runs in a shell",
      values: fc.constantFrom("", "east", "dc-1", "DC_2.a"),
    },
    "volume.zones.*.nodeSelector": {
      reason: "the chart runs it as a template and writes it into its documents",
      values: fc.constantFrom("", "topology.kubernetes.io/zone: a", 'zone: "1"\n# here\ndisk: ssd\n'),
    },
  },
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
  vpc: {
    "subnets.*.name": { reason: "value of a label and part of a key: its objects were refused", values: label },
    "subnets.*.cidr": { reason: "no network: Kube-OVN refused it", values: fc.constantFrom("", "172.16.0.0/24") },
    "peers.*.vpcName": { reason: "no name of an application: its key in a ConfigMap was refused", values: label },
    "peers.*.tenantNamespace": { reason: "no name of a namespace: its key in a ConfigMap was refused", values: label },
    "routes.*.cidr": { reason: "no addresses: Kube-OVN made no route", values: prefix.values },
    "routes.*.nextHopIP": { reason: "no address: Kube-OVN made no route", values: fc.ipV4() },
  },
  vpn: {
    replicas: negative,
    host: { reason: "no host: a URL with another text leads nowhere", values: fc.oneof(fc.constant(""), host.values) },
    "externalIPs.*": { reason: "the Service was refused", values: fc.oneof(fc.ipV4(), fc.constant("2001:db8::1")) },
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
  computeplane: [{ message: "one of the groups must have the role ingress-nginx", before: "the release failed" }],
  etcd: [{ message: "size must be given in Ki, Mi or Gi", before: "the release failed" }],
  ingress: [{ message: "cloudflareProxy and proxyProtocol exclude", before: "the release failed" }],
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
  foundationdb: ["bucket", "credentials.accessKeyId", "credentials.secretAccessKey"].map((field) => ({
    message: `backup.s3.${field} must be set`,
    before: "its object was refused by the API server",
  })),
  mongodb: [
    { message: "a user cannot be named backup", before: "the operator left the user out" },
    { message: "shards cannot be named", before: "the operator made one set of both" },
    { message: "sharding needs at least one shard", before: "the operator had nothing to keep data in" },
    ...["s3AccessKey", "s3SecretKey"].map((field) => ({
      message: `backup needs backup.${field}`,
      before: "the release failed",
    })),
    { message: "backup.destinationPath must name a bucket", before: "no backup could be written" },
    { message: "bootstrap.backupName must be set", before: "the release failed" },
    { message: "bootstrap.recoveryTime must be", before: "the release failed, its restore being refused" },
    ...["destinationPath", "endpointURL", "s3AccessKey", "s3SecretKey"].map((field) => ({
      message: `bootstrap needs backup.${field}`,
      before: "the release failed",
    })),
  ],
  monitoring: [
    { message: "logsStorages needs at least one storage", before: "the release failed" },
    { message: "customConfig.secretRef and users exclude each other", before: "the second release failed" },
    { message: "mode CustomConfig needs exactly one of", before: "the second release failed" },
  ],
  nats: [{ message: "a password cannot have both", before: "the servers' configuration broke, or was another one" }],
  opensearch: [{ message: "at least one of nodeRoles", before: "the release failed" }],
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
  seaweedfs: [
    { message: "topology Client needs filer.grpcHost", before: "the release failed" },
    { message: "topology MultiZone needs volume.zones", before: "the release failed" },
    { message: "replicationFactor is more than there are zones", before: "the release failed" },
    { message: "volume.pools is for topology Simple", before: "the release failed" },
    { message: "names of pools cannot end in -lock", before: "the release failed" },
    { message: "diskType of a pool must differ", before: "the release failed" },
    { message: "a pool of several zones must have the same diskType", before: "the release failed" },
    { message: "the name of a zone is that of another zone", before: "the release failed" },
  ],
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
  vpc: [
    { message: "two subnets have the same name", before: "the release failed" },
    { message: "a peer is listed twice", before: "the release failed" },
  ],
};

/** Fields that only our schemas have. */
export const added: ReadonlySet<string> = new Set(["reclaimPolicy"]);

/** What is still accepted, except at `but`. */
export function overrides(folder: string, but?: string): Overrides {
  const fields = Object.entries(narrower[folder] ?? {}).filter(([path]) => path !== but);
  return Object.fromEntries(fields.map(([path, { values }]) => [path, values]));
}
