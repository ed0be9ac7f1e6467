import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Secret } from "../../contracts/core.ts";
import { impactRulesOf } from "../../contracts/index.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { mariadb } from "./index.ts";

const demo = (given: RenderGiven = {}, seed = "") => renderApp(mariadb, given, seed);
const server = (given: RenderGiven = {}) => valueAt(demo(given).object("MariaDB", "mariadb-demo"), "spec");
const passwords = (given: RenderGiven = {}) =>
  valueAt(demo(given).object("Secret", "mariadb-demo-credentials"), "stringData");
const services = (given: RenderGiven = {}) => demo(given).instance.exposure.services;
const ann = { password: "", maxUserConnections: 10 };

test("the default is two servers, their settings, the superuser's password and what observes them", () => {
  assert.deepEqual(
    demo().objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    [
      "ConfigMap/mariadb-demo-my-cnf",
      "MariaDB/mariadb-demo",
      "Secret/mariadb-demo-credentials",
      "WorkloadMonitor/mariadb-demo",
      "Role/mariadb-demo-dashboard-resources",
      "RoleBinding/mariadb-demo-dashboard-resources",
    ],
  );
  assert.deepEqual(valueAt(server(), "rootPasswordSecretKeyRef"), { name: "mariadb-demo-credentials", key: "root" });
  assert.deepEqual(valueAt(server(), "myCnfConfigMapKeyRef"), { name: "mariadb-demo-my-cnf", key: "config" });
  const args = valueAt(server(), "metrics", "exporter", "args");
  assert.deepEqual(args, ["--web.listen-address=0.0.0.0:9104"], "the operator probes over IPv4");
});

const versions = [
  ["v11.8", "mariadb:11.8.5"],
  ["v11.4", "mariadb:11.4.9"],
  ["v10.11", "mariadb:10.11.15"],
  ["v10.6", "mariadb:10.6.24"],
] as const;

for (const [version, image] of versions) {
  test(`version ${version} is ${image}`, () => assert.equal(valueAt(server({ spec: { version } }), "image"), image));
}

const label = { metadata: { labels: { "app.kubernetes.io/instance": "mariadb-demo" } } };
const topologies = [
  { why: "one server", spec: { replicas: 1 }, replication: undefined, service: label, primary: undefined },
  {
    why: "one server, external",
    spec: { replicas: 1, external: true },
    replication: undefined,
    service: { ...label, type: "LoadBalancer" },
    primary: undefined,
  },
  { why: "two servers", spec: {}, replication: { enabled: true }, service: label, primary: undefined },
  {
    why: "two servers, external",
    spec: { external: true },
    replication: { enabled: true },
    service: label,
    primary: { type: "LoadBalancer" },
  },
] as const;

for (const { why, spec, replication, service, primary } of topologies) {
  test(`topology: ${why}`, () => {
    const rendered = server({ spec });
    assert.deepEqual(valueAt(rendered, "replication"), replication);
    assert.deepEqual(valueAt(rendered, "service"), service);
    assert.deepEqual(valueAt(rendered, "primaryService"), primary);
    const both = ["mariadb-demo-primary", "mariadb-demo-secondary"];
    assert.deepEqual(services({ spec }), ["mariadb-demo", ...(replication === undefined ? [] : both)]);
  });
}

test("a storage class is named only when one is given", () => {
  const storage = { size: "10Gi", resizeInUseVolumes: true, waitForVolumeResize: true };
  assert.deepEqual(valueAt(server(), "storage"), storage);
  assert.deepEqual(valueAt(server({ spec: { storageClass: "local" } }), "storage"), {
    ...storage,
    storageClassName: "local",
  });
});

test("users, databases and grants have names in which underscores are dashes", () => {
  const spec = {
    users: { user1: { ...ann, password: "p" }, app_rw: ann, root: { ...ann, password: "secret" } },
    databases: { my_app: { roles: { admin: ["user1"], readonly: ["app_rw", "elsewhere"] } } },
  };
  const rendered = demo({ spec });
  assert.equal(rendered.object("User", "mariadb-demo-root"), undefined, "the superuser is there already");
  assert.deepEqual(valueAt(rendered.object("User", "mariadb-demo-app-rw"), "spec"), {
    name: "app_rw",
    mariaDbRef: { name: "mariadb-demo" },
    passwordSecretKeyRef: { name: "mariadb-demo-credentials", key: "app_rw" },
    maxUserConnections: 10,
  });
  assert.deepEqual(valueAt(rendered.object("Database", "mariadb-demo-my-app"), "spec"), {
    name: "my_app",
    mariaDbRef: { name: "mariadb-demo" },
    characterSet: "utf8",
    collate: "utf8_general_ci",
  });
  const grant = (user: string) => valueAt(rendered.object("Grant", `mariadb-demo-my-app-${user}`), "spec");
  const common = { mariaDbRef: { name: "mariadb-demo" }, database: "my_app", table: "*", grantOption: true };
  assert.deepEqual(grant("user1"), { ...common, privileges: ["ALL"], username: "user1" });
  assert.deepEqual(grant("app-rw"), { ...common, privileges: ["SELECT"], username: "app_rw" });
  assert.deepEqual(grant("elsewhere"), { ...common, privileges: ["SELECT"], username: "elsewhere" });
  assert.equal(valueAt(passwords({ spec }), "root"), "secret");
});

test("a database without roles is one that nobody was given", () => {
  const kinds = demo({ spec: { databases: { a: {}, b: { roles: {} } }, users: { ann } } }).objects.map(
    ({ kind }) => kind,
  );
  assert.equal(kinds.filter((kind) => kind === "Database").length, 2);
  assert.ok(!kinds.includes("Grant"));
});

const base64 = (text: string) => Buffer.from(text).toString("base64");
const live = Secret("mariadb-demo-credentials", {
  data: { app: base64("keepApp"), root: base64("keepRoot"), gone: base64("old") },
});

test("live passwords are kept, given ones win, and users that are gone have none", () => {
  const spec = { users: { app: ann, other: { ...ann, password: "fresh" } } };
  assert.deepEqual(passwords({ spec, existing: [live] }), { app: "keepApp", other: "fresh", root: "keepRoot" });
  const made = passwords({ spec });
  assert.match(String(valueAt(made, "app")), /^[A-Za-z0-9]{16}$/);
  assert.match(String(valueAt(made, "root")), /^[A-Za-z0-9]{16}$/);
});

test("a rotation leaves the superuser's password, which the servers read only once", () => {
  const [need] = demo({ spec: { users: { ann } } }).instance.needs;
  assert.ok(need?.type === "generated");
  assert.deepEqual([Object.keys(need.values).sort(), need.rotate], [["ann", "root"], ["ann"]]);
});

test("passwords stay the texts they are", () => {
  const spec = { users: { a: { ...ann, password: "007" }, b: { ...ann, password: "true" } } };
  assert.partialDeepStrictEqual(passwords({ spec }), { a: "007", b: "true" });
});

test("what the objects stand for cannot change in place, and a database that goes takes its tables", () => {
  const rendered = demo({ spec: { users: { ann }, databases: { d: { roles: { admin: ["ann"] } } } } });
  const replaceOn = (kind: string, name: string) => rendered.manifest(kind, name)?.replaceOn;
  assert.deepEqual(replaceOn("User", "mariadb-demo-ann"), ["/spec/name"]);
  assert.deepEqual(replaceOn("Database", "mariadb-demo-d"), ["/spec/name"]);
  assert.deepEqual(replaceOn("Grant", "mariadb-demo-d-ann"), ["/spec/database", "/spec/username"]);
  assert.equal(impactRulesOf("k8s.mariadb.com", "Database").deletion, "losesData");
  assert.equal(
    impactRulesOf("k8s.mariadb.com", "Database").deleted,
    "last",
    "or it would be dropped from a kept volume",
  );
});

test("dumps are a CronJob that reads a copy where there is one, with the superuser's password", () => {
  const spec = { backup: { enabled: true, s3Bucket: "s3.example.org/$(HOME)", schedule: "0 4 * * *" } };
  const env = (more: object) => {
    const job = demo({ spec: { ...spec, ...more } }).object("CronJob", "mariadb-demo-backup");
    assert.equal(valueAt(job, "spec", "schedule"), "0 4 * * *");
    const [container] = [valueAt(job, "spec", "jobTemplate", "spec", "template", "spec", "containers")].flat();
    const entries = [valueAt(container, "env")].flat().map((entry) => [valueAt(entry, "name"), entry] as const);
    return new Map(entries);
  };
  assert.equal(valueAt(env({}).get("MYSQL_HOST"), "value"), "mariadb-demo-secondary");
  assert.equal(valueAt(env({ replicas: 1 }).get("MYSQL_HOST"), "value"), "mariadb-demo");
  assert.equal(valueAt(env({}).get("REPO_PREFIX"), "value"), "s3.example.org/$$(HOME)", "not a variable's value");
  assert.deepEqual(valueAt(env({}).get("MYSQL_PWD"), "valueFrom", "secretKeyRef"), {
    name: "mariadb-demo-credentials",
    key: "root",
  });
  assert.equal(demo().object("CronJob", "mariadb-demo-backup"), undefined);
});

test("credentials of a registry are a Secret that pods may name", () => {
  const registrySecret = { auths: { "registry.example.org": { auth: "eA==" } } };
  const secret = demo({ spec: { registrySecret } }).object("Secret", "mariadb-demo-regsecret");
  assert.equal(valueAt(secret, "type"), "kubernetes.io/dockerconfigjson");
  assert.deepEqual(JSON.parse(String(valueAt(secret, "stringData", ".dockerconfigjson"))), registrySecret);
});

test("what is freed, or kept, are volumes, users' passwords and the operator's own", () => {
  assert.deepEqual(demo().instance.storage, [
    { group: "", kind: "PersistentVolumeClaim", labels: { "app.kubernetes.io/instance": "mariadb-demo" } },
    {
      group: "",
      kind: "Secret",
      names: ["mariadb-demo-credentials", "mariadb-demo-metrics-password", "mariadb-demo-repl-password"],
    },
  ]);
});

test("the monitor counts servers, and carries the preset even beside explicit resources", () => {
  const spec = { replicas: 3, resourcesPreset: "s1.small", resources: { cpu: "3" } };
  const monitor = demo({ spec }).object("WorkloadMonitor", "mariadb-demo");
  assert.equal(valueAt(monitor, "metadata", "labels", "workloads.cozystack.io/resource-preset"), "s1.small");
  assert.deepEqual(valueAt(monitor, "spec"), {
    kind: "mariadb",
    type: "mariadb",
    version: "0.0.0",
    replicas: 3,
    minReplicas: 1,
    selector: { "app.kubernetes.io/instance": "mariadb-demo" },
  });
});

const entry = fc.stringMatching(/^[a-z][a-z0-9_]{0,10}[a-z0-9]$/);
const spec = fc.record(
  {
    replicas: fc.nat(5),
    external: fc.boolean(),
    users: fc.dictionary(entry, fc.record({ password: fc.string(), maxUserConnections: fc.nat(100) }), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
    databases: fc.dictionary(
      entry,
      fc.record({ roles: fc.record({ admin: fc.uniqueArray(entry, { maxLength: 3 }) }) }),
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    ),
  },
  { requiredKeys: [] },
);

test("property: a render depends on nothing but its input, and passwords are in Secrets alone", () => {
  fc.assert(
    fc.property(spec, (wanted) => {
      let rendered: ReturnType<typeof demo>;
      try {
        rendered = demo({ spec: wanted });
      } catch (error) {
        // Names that become the same, or are the server's.
        assert.ok(error instanceof Refusal);
        return;
      }
      assert.deepEqual(rendered.objects, demo({ spec: wanted }).objects);
      const users = Object.entries(wanted.users ?? {}).map(([name, user]) => [name, { ...user, password: "plain" }]);
      const others = ({ objects }: ReturnType<typeof demo>) => objects.filter(({ kind }) => kind !== "Secret");
      assert.deepEqual(others(rendered), others(demo({ spec: { ...wanted, users: Object.fromEntries(users) } })));
      for (const { metadata } of rendered.objects) assert.ok(metadata.name.startsWith("mariadb-demo"));
    }),
    { numRuns: 100 },
  );
});
