import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Secret } from "../../contracts/core.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import { sha256hex } from "../../sdk/hash.ts";
import { clickhouse } from "./index.ts";

const demo = (given: RenderGiven = {}, seed = "") => renderApp(clickhouse, given, seed);
const chi = (given: RenderGiven = {}) =>
  valueAt(demo(given).object("ClickHouseInstallation", "clickhouse-demo"), "spec");
const chk = (given: RenderGiven = {}) =>
  valueAt(demo(given).object("ClickHouseKeeperInstallation", "clickhouse-demo-keeper"), "spec");
const names = (given: RenderGiven = {}) => demo(given).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : undefined);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const named = (value: unknown, name: string): unknown => list(value).find((one) => valueAt(one, "name") === name);
const texts = (rendered: ReturnType<typeof demo>, secret: string) =>
  valueAt(rendered.object("Secret", secret), "stringData");

const always = [
  "Secret/clickhouse-demo-credentials",
  "ClickHouseInstallation/clickhouse-demo",
  "WorkloadMonitor/clickhouse-demo",
  "Role/clickhouse-demo-dashboard-resources",
  "RoleBinding/clickhouse-demo-dashboard-resources",
];
const keeper = [
  "ClickHouseKeeperInstallation/clickhouse-demo-keeper",
  "VMPodScrape/clickhouse-demo-keeper",
  "WorkloadMonitor/clickhouse-demo-keeper",
];
const api = "Secret/clickhouse-demo-backup-api-auth";
const dump = [
  "CronJob/clickhouse-demo-backup",
  "Secret/clickhouse-demo-backup",
  "Secret/clickhouse-demo-backup-script",
];
const own = { s3CredentialsSecret: { name: "mine" } };

const sets = [
  { why: "nothing said", spec: {}, more: keeper },
  { why: "no Keeper", spec: { clickhouseKeeper: { enabled: false } }, more: [] },
  { why: "backups", spec: { backup: { enabled: true } }, more: [...keeper, api, "Secret/clickhouse-demo-backup-s3"] },
  { why: "one's own Secret", spec: { backup: { enabled: true, ...own } }, more: [...keeper, api] },
  {
    why: "the system bucket, with a schedule",
    spec: { backup: { enabled: true, useSystemBucket: true, schedule: "0 1 * * *" } },
    more: [...keeper, api],
  },
  {
    why: "a schedule",
    spec: { backup: { enabled: true, schedule: "0 1 * * *" } },
    more: [...keeper, api, "Secret/clickhouse-demo-backup-s3", ...dump],
  },
  { why: "a schedule with backups off", spec: { backup: { schedule: "0 1 * * *" } }, more: keeper },
] as const;

for (const { why, spec, more } of sets) {
  test(`objects: ${why}`, () => assert.deepEqual(names({ spec }).toSorted(), [...always, ...more].toSorted()));
}

test("users: hashes in the installation, the reserved user is the platform's, and live passwords are kept", () => {
  const value = (text: string) => Buffer.from(text).toString("base64");
  const live = Secret("clickhouse-demo-credentials", {
    data: { backup: value("b"), app: value("old"), gone: value("x") },
  });
  const users = { app: { password: "new" }, ro: { readonly: true }, backup: { password: "mine", readonly: true } };
  const rendered = demo({ spec: { users }, existing: [live] });
  const kept = texts(rendered, "clickhouse-demo-credentials");
  assert.ok(isRecord(kept));
  const { ro, ...others } = kept;
  assert.deepEqual(others, { app: "new", backup: "b" });
  assert.match(String(ro), /^[A-Za-z0-9]{16}$/);
  const settings = valueAt(
    rendered.object("ClickHouseInstallation", "clickhouse-demo"),
    "spec",
    "configuration",
    "users",
  );
  const entry = (name: string, password: unknown, profile: string) => ({
    [`${name}/password_sha256_hex`]: sha256hex(String(password)),
    [`${name}/profile`]: profile,
    [`${name}/networks/ip`]: ["::/0"],
  });
  assert.deepEqual(settings, {
    ...entry("app", "new", "default"),
    ...entry("backup", "b", "default"),
    ...entry("ro", ro, "readonly"),
  });
});

test("the password of the backup server's API is made once", () => {
  const given = { spec: { backup: { enabled: true } } };
  const made = texts(demo(given), "clickhouse-demo-backup-api-auth");
  assert.match(String(valueAt(made, "password")), /^[A-Za-z0-9]{24}$/);
  assert.equal(valueAt(made, "username"), "backup");
  const live = Secret("clickhouse-demo-backup-api-auth", {
    data: { password: Buffer.from("kept").toString("base64") },
  });
  assert.equal(
    valueAt(texts(demo({ ...given, existing: [live] }), "clickhouse-demo-backup-api-auth"), "password"),
    "kept",
  );
});

const sidecar = (backup: object) =>
  list(
    valueAt(
      first(valueAt(chi({ spec: { backup: { enabled: true, ...backup } } }), "templates", "podTemplates")),
      "spec",
      "containers",
    ),
  )[1];
const variable = (backup: object, name: string) => named(valueAt(sidecar(backup), "env"), name);
const reference = (backup: object, name: string) => valueAt(variable(backup, name), "valueFrom", "secretKeyRef");

test("the sidecar comes second, and only with backups", () => {
  const containers = valueAt(first(valueAt(chi(), "templates", "podTemplates")), "spec", "containers");
  assert.equal(list(containers).length, 1);
  assert.equal(valueAt(sidecar({}), "name"), "clickhouse-backup");
  assert.deepEqual(
    list(valueAt(sidecar({}), "env")).map((one) => valueAt(one, "name")),
    [
      ...["CLICKHOUSE_HOST", "CLICKHOUSE_PORT", "CLICKHOUSE_USERNAME", "CLICKHOUSE_PASSWORD", "ALLOW_EMPTY_BACKUPS"],
      ...["REMOTE_STORAGE", "API_LISTEN", "API_USERNAME", "API_PASSWORD", "S3_PATH", "S3_BUCKET", "S3_ENDPOINT"],
      ...["S3_REGION", "S3_ACCESS_KEY", "S3_SECRET_KEY"],
    ],
  );
});

test("the sidecar's bucket: inline, one's own Secret, the system's", () => {
  const system = { useSystemBucket: true };
  assert.deepEqual(reference({}, "S3_BUCKET"), { name: "clickhouse-demo-backup-s3", key: "bucketName" });
  assert.deepEqual(reference(own, "S3_ACCESS_KEY"), { name: "mine", key: "accessKey" });
  const remapped = { s3CredentialsSecret: { name: "mine", accessKeyIDKey: "id", regionKey: "r" } };
  assert.deepEqual(reference(remapped, "S3_ACCESS_KEY"), { name: "mine", key: "id" });
  assert.deepEqual(reference(remapped, "S3_REGION"), { name: "mine", key: "r" });
  assert.deepEqual(reference(system, "S3_SECRET_KEY"), {
    name: "cozy-backups-creds",
    key: "secretKey",
    optional: true,
  });

  assert.equal(variable({}, "S3_FORCE_PATH_STYLE"), undefined);
  assert.equal(valueAt(variable(own, "S3_FORCE_PATH_STYLE"), "value"), "true");
  assert.equal(valueAt(variable({ endpoint: "https://s3" }, "S3_FORCE_PATH_STYLE"), "value"), "true");
  assert.equal(valueAt(variable(system, "S3_FORCE_PATH_STYLE"), "value"), undefined);
  const style = { name: "cozy-backups-creds", key: "forcePathStyle", optional: true };
  assert.deepEqual(reference(system, "S3_FORCE_PATH_STYLE"), style);

  assert.equal(valueAt(variable({}, "S3_PATH"), "value"), "clickhouse-demo");
  assert.equal(valueAt(variable({ s3PathOverride: "a/b" }, "S3_PATH"), "value"), "a/b");
  assert.equal(valueAt(variable(system, "S3_PATH"), "value"), "tenant-foo/clickhouse-demo");
  const trick = { s3PathOverride: "$(CLICKHOUSE_PASSWORD)" };
  assert.equal(valueAt(variable(trick, "S3_PATH"), "value"), "$$(CLICKHOUSE_PASSWORD)", "text, not a variable");
});

test("a CA of the S3 service is added for the sidecar alone", () => {
  const spec = { backup: { enabled: true, useSystemBucket: true, endpointCA: { name: "ca", key: "root.pem" } } };
  const pod = valueAt(first(valueAt(chi({ spec }), "templates", "podTemplates")), "spec");
  assert.deepEqual(valueAt(pod, "volumes"), [
    { name: "backup-s3-ca", secret: { secretName: "ca", items: [{ key: "root.pem", path: "ca.crt" }] } },
  ]);
  const [server, backup] = list(valueAt(pod, "containers"));
  assert.equal(named(valueAt(server, "volumeMounts"), "backup-s3-ca"), undefined);
  assert.deepEqual(named(valueAt(backup, "volumeMounts"), "backup-s3-ca"), {
    name: "backup-s3-ca",
    mountPath: "/etc/ssl/cozy-s3-ca",
    readOnly: true,
  });
  assert.equal(valueAt(named(valueAt(backup, "env"), "SSL_CERT_DIR"), "value"), "/etc/ssl/cozy-s3-ca:/etc/ssl/certs");
  assert.ok(!JSON.stringify(pod).includes("AWS_CA_BUNDLE"));
  const off = { spec: { backup: { endpointCA: { name: "ca" } } } };
  assert.ok(!JSON.stringify(chi(off)).includes("cozy-s3-ca"), "not without backups");
});

test("Keepers: addresses, sizes, and the same explicit resources as the servers", () => {
  const spec = {
    resources: { cpu: 3 },
    clickhouseKeeper: { replicas: 2, size: "4Gi", resourcesPreset: "s1.small" },
  };
  const cluster = { "cluster-domain": "k8s.internal" };
  assert.deepEqual(valueAt(chi({ spec, cluster }), "configuration", "zookeeper", "nodes"), [
    { host: "chk-clickhouse-demo-keeper-cluster1-0-0.tenant-foo.svc.k8s.internal", port: 2181 },
    { host: "chk-clickhouse-demo-keeper-cluster1-0-1.tenant-foo.svc.k8s.internal", port: 2181 },
  ]);
  assert.equal(valueAt(chk({ spec, cluster }), "namespaceDomainPattern"), "%s.svc.k8s.internal");
  const container = first(valueAt(first(valueAt(chk({ spec }), "templates", "podTemplates")), "spec", "containers"));
  assert.deepEqual(valueAt(container, "resources", "limits"), { cpu: "3", memory: "2Gi", "ephemeral-storage": "2Gi" });
  const without = { spec: { clickhouseKeeper: { enabled: false } } };
  assert.equal(valueAt(chi(without), "configuration", "zookeeper"), undefined);
});

test("monitors: all servers of all shards, and the Keepers", () => {
  const spec = { shards: 3, replicas: 2, clickhouseKeeper: { replicas: 5, resourcesPreset: "s1.nano" } };
  const monitor = (name: string) => valueAt(demo({ spec }).object("WorkloadMonitor", name), "spec");
  assert.deepEqual(monitor("clickhouse-demo"), {
    kind: "clickhouse",
    type: "clickhouse",
    version: "0.0.0",
    replicas: 6,
    minReplicas: 1,
    selector: { "app.kubernetes.io/instance": "clickhouse-demo" },
  });
  assert.equal(valueAt(monitor("clickhouse-demo-keeper"), "replicas"), 5);
  assert.deepEqual(valueAt(monitor("clickhouse-demo-keeper"), "selector"), { app: "clickhouse-demo-keeper" });
});

test("the volumes of servers, logs and Keepers, and the passwords, are what deletion is to free", () => {
  const labels = { "app.kubernetes.io/instance": "clickhouse-demo" };
  assert.deepEqual(demo().instance.storage, [
    { group: "", kind: "PersistentVolumeClaim", labels },
    { group: "", kind: "Secret", names: ["clickhouse-demo-credentials"] },
  ]);
  const claims = [chi(), chk()].flatMap((spec) => list(valueAt(spec, "templates", "volumeClaimTemplates")));
  assert.deepEqual(
    claims.map((claim) => [
      valueAt(claim, "name"),
      valueAt(claim, "metadata", "labels"),
      valueAt(claim, "reclaimPolicy"),
    ]),
    ["data-volume-template", "log-volume-template", "default"].map((name) => [name, labels, undefined]),
  );
});

test("volumes that are to stay are not the operator's to delete", () => {
  const given = { spec: { reclaimPolicy: "Retain" } };
  const claims = [chi(given), chk(given)].flatMap((spec) => list(valueAt(spec, "templates", "volumeClaimTemplates")));
  assert.deepEqual(
    claims.map((claim) => valueAt(claim, "reclaimPolicy")),
    ["Retain", "Retain", "Retain"],
  );
});

test("the scheduled dump takes its words as they are, and no hash of its credentials is readable", () => {
  const backup = { enabled: true, schedule: "0 1 * * *", s3Bucket: "s3/$(RESTIC_PASSWORD)", resticPassword: "RP1" };
  const job = demo({ spec: { backup } }).object("CronJob", "clickhouse-demo-backup");
  const template = valueAt(job, "spec", "jobTemplate", "spec", "template");
  const env = valueAt(first(valueAt(template, "spec", "containers")), "env");
  assert.equal(valueAt(named(env, "REPO_PREFIX"), "value"), "s3/$$(RESTIC_PASSWORD)");
  assert.deepEqual(Object.keys(valueAt(template, "metadata", "annotations") ?? {}), ["checksum/config"]);
});
