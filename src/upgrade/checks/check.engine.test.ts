/** The whole command against an API server with what upstream leaves there, by an account that may only read. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { parse } from "yaml";
import { type CliResult, cli } from "../../../test/support/cli.ts";
import { migrationBench } from "../../../test/support/migrations.ts";
import { ClusterRole, ClusterRoleBinding, ConfigMap, Namespace, ServiceAccount } from "../../kube/core-kinds.ts";
import { valueAt } from "../../kube/json.ts";
import { loadKubeconfig } from "../../kube/kubeconfig.ts";
import type { AnyKind, KubeObject, UnknownObject } from "../../kube/object.ts";
import { stampObject } from "../versions.ts";
import { listIn } from "./fields.ts";

const bench = await migrationBench();
const { admin } = bench;
const access = loadKubeconfig(bench.kubeconfig);
const directory = join(bench.kubeconfig, "..");

const kind = (group: string, version: string, name: string, plural: string, namespaced = true): AnyKind => ({
  group,
  version,
  kind: name,
  plural,
  namespaced,
});
const applications = "apps.cozystack.io";
await bench.serve([
  kind(applications, "v1alpha1", "Kubernetes", "kuberneteses"),
  kind(applications, "v1alpha1", "Tenant", "tenants"),
  kind(applications, "v1alpha1", "Etcd", "etcds"),
  kind(applications, "v1alpha1", "SeaweedFS", "seaweedfses"),
  kind(applications, "v1alpha1", "Bucket", "buckets"),
  kind("helm.toolkit.fluxcd.io", "v2", "HelmRelease", "helmreleases"),
  kind("etcd.aenix.io", "v1alpha1", "EtcdCluster", "etcdclusters"),
  kind("etcd.aenix.io", "v1alpha1", "EtcdBackupSchedule", "etcdbackupschedules"),
  kind("postgresql.cnpg.io", "v1", "Cluster", "clusters"),
  // Another version than ours: which one is served, the cluster says.
  kind("bootstrap.cluster.x-k8s.io", "v1beta1", "KubeadmConfigTemplate", "kubeadmconfigtemplates"),
  kind("monitoring.coreos.com", "v1", "ServiceMonitor", "servicemonitors"),
  kind("cert-manager.io", "v1", "Certificate", "certificates"),
  kind("backups.cozystack.io", "v1alpha1", "BackupClass", "backupclasses", false),
  kind("strategy.backups.cozystack.io", "v1alpha1", "Etcd", "etcds", false),
  kind("cozystack.io", "v1alpha1", "Package", "packages", false),
]);

const object = (
  apiVersion: string,
  name: string,
  place: string,
  fields: { readonly metadata?: object; readonly [field: string]: unknown } = {},
): UnknownObject => {
  const [namespace, own] = place.includes("/") ? place.split("/") : [undefined, place];
  const { metadata, ...rest } = fields;
  return {
    apiVersion,
    kind: name,
    metadata: { name: own ?? "", ...(namespace === undefined ? {} : { namespace }), ...metadata },
    ...rest,
  };
};

const base64 = (text: string | Buffer): string => Buffer.from(text).toString("base64");
const secretText = "hunter2";

/** A release as Helm keeps it. */
function helmSecret(namespace: string, release: string, revision: number, payload: object | string): UnknownObject {
  const text = typeof payload === "string" ? payload : base64(gzipSync(Buffer.from(JSON.stringify(payload))));
  return object("v1", "Secret", `${namespace}/sh.helm.release.v1.${release}.v${revision}`, {
    metadata: { labels: { owner: "helm", name: release, version: String(revision) } },
    type: "helm.sh/release.v1",
    data: { release: base64(text) },
  });
}
const seaweedfs = {
  version: 1,
  chart: { metadata: { name: "cozy-seaweedfs" } },
  manifest: "metadata:\n  name: seaweedfs-master\n",
  config: { password: secretText },
};

const claim = (place: string, volumeName?: string): UnknownObject =>
  object("v1", "PersistentVolumeClaim", place, {
    spec: {
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "1Gi" } },
      ...(volumeName === undefined ? {} : { volumeName }),
    },
  });

const kubeconfig = (server: string, token: unknown = access.token): string =>
  JSON.stringify({
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
    clusters: [{ name: "k", cluster: { server, "certificate-authority-data": base64(access.ca ?? "") } }],
    users: [{ name: "u", user: { token } }],
  });
const clusterSecret = (cluster: string, server: string): UnknownObject =>
  object("v1", "Secret", `tenant-a/kubernetes-${cluster}-admin-kubeconfig`, {
    data: { "super-admin.conf": base64(kubeconfig(server)) },
  });

/** Kubeconfig of an account with these rights. */
async function account(name: string, rules: readonly object[]): Promise<string> {
  const namespace = stampObject.namespace;
  await admin.create(ServiceAccount, ServiceAccount(name, { namespace }));
  await admin.create(
    ClusterRole,
    ClusterRole(name, { rules: rules.map((rule) => ({ verbs: ["get", "list"], ...rule })) }),
  );
  await admin.create(
    ClusterRoleBinding,
    ClusterRoleBinding(name, {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    }),
  );
  const answer = await admin.raw("POST", `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: {},
  });
  const file = join(directory, `${name}.kubeconfig`);
  writeFileSync(file, kubeconfig(access.server, valueAt(answer, "status", "token")));
  return file;
}

const everything = { apiGroups: ["*"], resources: ["*"] };
const reader = await account("reader", [everything]);

const check = (config: string, ...words: readonly string[]): Promise<CliResult> =>
  cli(["upgrade", "check", "--kubeconfig", config, ...words]);

/** Verdicts by check, out of the table. */
const verdictsOf = ({ stdout }: CliResult): ReadonlyMap<string, string> =>
  new Map(
    [...stdout.matchAll(/^(P\d+) +(pass|fail: \w+|could not tell|not applicable)(?: |$)/gm)].map(
      ([, id = "", verdict = ""]) => [id, verdict],
    ),
  );
/** Objects that the findings of a check name. */
const namedBy = ({ stdout }: CliResult, id: string): readonly string[] =>
  listIn(JSON.parse(stdout), "checks")
    .filter((one) => valueAt(one, "id") === id)
    .flatMap((one) => listIn(one, "findings"))
    .map((one) => `${String(valueAt(one, "object", "namespace") ?? "")}/${String(valueAt(one, "object", "name"))}`)
    .sort();

/** What upstream's installer leaves, with this stamp. */
async function installed(stamp: number, objects: readonly KubeObject[], kept = true): Promise<void> {
  await bench.set(stamp, objects);
  const annotations = { "helm.sh/resource-policy": kept ? "keep" : null };
  const { namespace, name } = stampObject;
  await admin.mergePatch(ConfigMap, name, namespace, { metadata: { annotations } });
  await admin.mergePatch(Namespace, namespace, undefined, { metadata: { annotations } });
}

const operator = (image: string): UnknownObject => {
  const labels = { app: "cozystack-operator" };
  return object("apps/v1", "Deployment", "cozy-system/cozystack-operator", {
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "cozystack-operator", image }] } },
    },
  });
};

const linstor = (name: string, metadata: object = {}): UnknownObject =>
  object("storage.k8s.io/v1", "StorageClass", name, { metadata, provisioner: "linstor.csi.linbit.com" });
const ofHelm = { labels: { "app.kubernetes.io/managed-by": "Helm" } };
const template = (place: string, annotations = {}): UnknownObject =>
  object("bootstrap.cluster.x-k8s.io/v1beta1", "KubeadmConfigTemplate", place, {
    metadata: { ...ofHelm, annotations },
  });
const app = (name: string, place: string, spec: object, metadata: object = {}): UnknownObject =>
  object(`${applications}/v1alpha1`, name, place, { metadata, spec });
const keep = { "helm.sh/resource-policy": "keep" };

const good: readonly UnknownObject[] = [
  operator("ghcr.io/cozystack/cozystack/cozystack-operator:v1.5.4@sha256:00"),
  template("tenant-a/pinned", keep),
  linstor("replicated", { annotations: { "meta.helm.sh/release-name": "csi" } }),
  app("Kubernetes", "tenant-a/prod", {
    version: "v1.35",
    nodeGroups: { md0: {} },
    nodeHealthCheck: { maxUnhealthy: "0%" },
  }),
  clusterSecret("prod", access.server),
  app("SeaweedFS", "tenant-a/seaweedfs", { topology: "Simple", reclaimPolicy: "Retain" }),
  object("postgresql.cnpg.io/v1", "Cluster", "tenant-a/seaweedfs-db", {
    metadata: { annotations: { ...keep, "meta.helm.sh/release-name": "seaweedfs-db" } },
  }),
  helmSecret("tenant-a", "seaweedfs-system", 1, seaweedfs),
  claim("tenant-a/data1-seaweedfs-volume-0"),
];

test("a whole installation of 1.5.4 has nothing in its way: exit 0, and the way is shown", async () => {
  await installed(46, good);
  const text = await check(reader);
  assert.equal(text.code, 0, text.stdout + text.stderr);
  assert.match(text.stdout, /^CHECK +VERDICT\n(P\d+ +(pass|not applicable) .*\n){21}/);
  assert.match(text.stdout, /Path\n {2}1\.5\.4 -> 1\.6\.2, migrations 46 to 55\n/);
  assert.match(text.stdout, /Nothing stands in the way/);
  const verdicts = verdictsOf(text);
  for (const id of ["P1", "P2", "P3", "P5", "P6", "P7", "P8", "P11", "P12", "P14", "P18"])
    assert.equal(verdicts.get(id), "pass", id);
  for (const id of ["P4", "P10", "P13", "P15", "P16", "P17", "P20"])
    assert.equal(verdicts.get(id), "not applicable", id);
});

const bad: readonly UnknownObject[] = [
  helmSecret("cozy-system", "cozystack", 1, {}),
  template("tenant-a/pinned", keep),
  template("tenant-a/unpinned"),
  object("etcd.aenix.io/v1alpha1", "EtcdCluster", "tenant-a/etcd"),
  object("v1", "Secret", "cozy-velero/cozy-backups-creds", { data: { AWS_ACCESS_KEY_ID: base64(secretText) } }),
  object("postgresql.cnpg.io/v1", "Cluster", "tenant-a/seaweedfs-db", {
    metadata: { annotations: { "meta.helm.sh/release-name": "seaweedfs-system" } },
  }),
  helmSecret("tenant-l", "seaweedfs-system", 1, seaweedfs),
  claim("tenant-l/data1-seaweedfs-volume-0"),
  helmSecret("tenant-s", "objects-system", 2, seaweedfs),
  claim("tenant-s/data1-objects-system-seaweedfs-volume-0"),
  helmSecret("tenant-m", "seaweedfs-system", 1, seaweedfs),
  claim("tenant-m/data1-seaweedfs-volume-0"),
  object("apps/v1", "StatefulSet", "tenant-m/seaweedfs-system-volume", {
    metadata: { labels: { "app.kubernetes.io/name": "seaweedfs" } },
    spec: {
      selector: { matchLabels: { a: "b" } },
      serviceName: "x",
      template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "a", image: "a" }] } },
    },
  }),
  // Another application's release beside them is none of theirs.
  helmSecret("tenant-m", "redis-system", 1, { version: 1, chart: { metadata: { name: "cozy-redis" } } }),
  app(
    "Kubernetes",
    "tenant-a/old",
    { version: "v1.30", nodeGroups: {} },
    { labels: { "kustomize.toolkit.fluxcd.io/name": "tenants" } },
  ),
  app("Kubernetes", "tenant-a/odd", { version: "v1.33", nodeGroups: ["a"] }),
  clusterSecret("old", access.server),
  linstor("replicated"),
  app("Etcd", "tenant-a/etcd", { backup: { enabled: true } }),
  app("Tenant", "tenant-root/a", { resourceQuotas: { cpu: 10 } }),
  app("Tenant", "tenant-a/b", { resourceQuotas: { cpu: 11 } }),
  object("monitoring.coreos.com/v1", "ServiceMonitor", "tenant-a/certs", {
    spec: {
      selector: { matchLabels: { "app.kubernetes.io/name": "cert-manager" } },
      endpoints: [{ targetPort: 10250 }],
    },
  }),
  object("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", "kubeovn-webhook", {
    webhooks: [
      {
        name: "pods.kubeovn.test",
        admissionReviewVersions: ["v1"],
        sideEffects: "None",
        clientConfig: { service: { namespace: "cozy-kubeovn", name: "webhook" } },
        namespaceSelector: { matchLabels: { "nobody.has/this": "label" } },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
      },
    ],
  }),
  object("v1", "Service", "cozy-kubeovn/webhook", { spec: { selector: { app: "webhook" }, ports: [{ port: 443 }] } }),
  object("v1", "Pod", "cozy-kubeovn/webhook-1", {
    metadata: { labels: { app: "webhook" } },
    spec: {
      containers: [{ name: "a", image: "kubeovn-webhook:v1.5.2" }],
      volumes: [{ name: "tls", secret: { secretName: "webhook-tls" } }],
    },
    status: { startTime: "2026-01-01T00:00:00Z" },
  }),
  object("cert-manager.io/v1", "Certificate", "cozy-kubeovn/webhook", {
    spec: { secretName: "webhook-tls" },
    status: { notBefore: "2026-02-01T00:00:00Z" },
  }),
  object("backups.cozystack.io/v1alpha1", "BackupClass", "cozy-default", {
    spec: {
      strategies: [
        { application: { kind: "Etcd" }, strategyRef: { kind: "Etcd", name: "cozy-default-etcd" } },
        { application: { kind: "MariaDB" }, strategyRef: { kind: "MariaDB", name: "not-served" } },
      ],
    },
  }),
  object("cozystack.io/v1alpha1", "Package", "cozystack.cozystack-platform", {
    spec: { components: { platform: { values: { registries: { mirrors: { "docker.io": {} } } } } } },
  }),
  // No API serves this kind: its order is in the release.
  object("helm.toolkit.fluxcd.io/v2", "HelmRelease", "tenant-a/qdrant-vectors", {
    metadata: {
      labels: { [`${applications}/application.kind`]: "Qdrant", [`${applications}/application.name`]: "vectors" },
    },
    spec: { values: {} },
  }),
];

test("everything that is wrong is found, by an account that may only read: exit 2, and no secret is told", async () => {
  await installed(45, bad, false);
  const found = await check(reader, "-o", "json");
  assert.equal(found.code, 2, found.stderr);
  const expected: Readonly<Record<string, readonly string[]>> = {
    P2: ["cozy-system/cozystack-version"],
    P3: ["tenant-a/unpinned"],
    P4: ["cozy-velero/cozy-backups-creds"],
    P5: ["tenant-a/seaweedfs-db"],
    P6: ["tenant-m/seaweedfs", "tenant-s/objects"],
    P7: ["tenant-a/old"],
    P8: ["tenant-a/old"],
    P10: ["tenant-a/etcd"],
    P12: ["/cozy-system", "cozy-system/cozystack-version"],
    P13: ["tenant-root/a"],
    P14: ["tenant-a/odd"],
    P15: ["/cozy-default-etcd"],
    P16: ["cozy-kubeovn/webhook-1"],
    P17: ["tenant-a/certs"],
    P18: ["tenant-a/odd", "tenant-a/old"],
    P19: ["tenant-a/etcd", "tenant-a/vectors"],
    P20: ["tenant-a/odd", "tenant-a/old"],
    P21: ["tenant-a/old"],
  };
  for (const [id, names] of Object.entries(expected)) {
    assert.deepEqual(namedBy(found, id), names, id);
  }
  const text = await check(reader);
  assert.equal(text.code, 2);
  assert.match(text.stdout, /undone by Flux \(kustomize\.toolkit\.fluxcd\.io\/name: tenants\)/);
  assert.match(text.stdout, /1\.5\.4 \(with the tools of the installed version\), migration 45\n/);
  assert.match(text.stdout, /note: tenant-l\/seaweedfs: class L/);
  assert.match(text.stdout, /\d+ of 21 checks fail\. Mend what they name, and check again\./);
  const names = await check(reader, "-o", "name");
  assert.match(names.stdout, /^kubeadmconfigtemplate\.bootstrap\.cluster\.x-k8s\.io\/unpinned$/m);
  const yaml: unknown = parse((await check(reader, "-o", "yaml")).stdout);
  assert.equal(valueAt(yaml, "standing"), "failing");
  for (const { stdout, stderr } of [found, text, names]) {
    for (const hidden of [secretText, base64(secretText), access.token ?? secretText])
      assert.ok(!(stdout + stderr).includes(hidden));
  }
});

test("a list that is denied is never clean: exit 3, with the kind and why (features 13 and 14)", async () => {
  await installed(46, good);
  const groups = listIn(await admin.raw("GET", "/apis"), "groups").map((one) => String(valueAt(one, "name")));
  const others = groups.filter((group) => group !== "bootstrap.cluster.x-k8s.io");
  const blind = await account("blind", [
    { apiGroups: others, resources: ["*"] },
    { apiGroups: [""], resources: ["configmaps", "namespaces", "secrets", "persistentvolumes", "pods"] },
  ]);
  const text = await check(blind);
  assert.equal(text.code, 3, text.stdout);
  const verdicts = verdictsOf(text);
  for (const id of ["P3", "P6"]) assert.equal(verdicts.get(id), "could not tell", id);
  for (const id of ["P1", "P2", "P5", "P7", "P8"]) assert.equal(verdicts.get(id), "pass", id);
  assert.match(
    text.stdout,
    /could not read kubeadmconfigtemplates\.bootstrap\.cluster\.x-k8s\.io: .*forbidden.*\(Forbidden\)/,
  );
  assert.match(text.stdout, /could not read persistentvolumeclaims: /);
  assert.match(text.stdout, /Nothing above is a whole answer/);
});

test("a payload that cannot be decoded, and a cluster that cannot be reached, are never clean: exit 3", async () => {
  await installed(46, [
    ...good,
    helmSecret("tenant-b", "seaweedfs-system", 1, "no payload"),
    claim("tenant-b/data1-seaweedfs-volume-0"),
    app("Kubernetes", "tenant-a/far", { version: "v1.35", nodeGroups: { md0: {} } }),
    clusterSecret("far", "https://127.0.0.1:1"),
  ]);
  const found = await check(reader);
  assert.equal(found.code, 3, found.stdout);
  assert.match(
    found.stdout,
    /could not read Secret tenant-b\/sh\.helm\.release\.v1\.seaweedfs-system\.v1: its payload is/,
  );
  assert.match(found.stdout, /could not read cluster tenant-a\/far: storageclasses\.storage\.k8s\.io: .*\(Network\)/);
});

test("a target with silent faults, late answers and wrong words have their own ends", async () => {
  await installed(46, good);
  const early = await check(reader, "--to", "1.6.0");
  assert.equal(early.code, 2);
  assert.match(early.stdout, /P1 The version to go to: .*\n.*1\.6\.0 has faults that nobody notices/);
  const late = await check(reader, "--timeout", "1ms");
  assert.equal(late.code, 3);
  assert.match(late.stdout, /no whole answer within 0 s \(Timeout\)/);
  const wrong = await check(reader, "--to", "soon");
  assert.equal(wrong.code, 64);
});
