import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { renderApp } from "../../../test/support/render.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { clickhouse } from "./index.ts";

const schedule = "0 1 * * *";
const own = { s3CredentialsSecret: { name: "mine" } };

const refused = [
  {
    why: "a path in the system bucket",
    backup: { useSystemBucket: true, s3PathOverride: "x" },
    field: "s3PathOverride",
  },
  ...["s3Bucket", "s3Region", "s3AccessKey", "s3SecretKey"].map((field) => ({
    why: `backups without ${field}`,
    backup: { [field]: "" },
    field,
  })),
  ...["s3Bucket", "cleanupStrategy", "s3AccessKey", "s3SecretKey", "resticPassword"].map((field) => ({
    why: `a scheduled dump without ${field}, whatever Secret there is`,
    backup: { ...own, schedule, [field]: "" },
    field,
  })),
];

for (const { why, backup, field } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => renderApp(clickhouse, { spec: { backup: { enabled: true, ...backup } } }),
      (error) => error instanceof Refusal && error.field === `spec.backup.${field}` && error.message.includes(field),
    );
    renderApp(clickhouse, { spec: { backup } });
  });
}

test("nothing is needed that is not used", () => {
  const nothing = { s3Bucket: "", s3Region: "", s3AccessKey: "", s3SecretKey: "", resticPassword: "" };
  renderApp(clickhouse, { spec: { backup: { enabled: true, ...nothing, ...own } } });
  renderApp(clickhouse, { spec: { backup: { enabled: true, ...nothing, useSystemBucket: true, schedule } } });
});

const users = ["a b", "1st", "-a", "a/b", "<x>", "a\nb", "ü", ""];
for (const name of users) {
  test(`refuses the user ${JSON.stringify(name)}, which is no element of the server's configuration`, () => {
    assert.throws(() => renderApp(clickhouse, { spec: { users: { [name]: {} } } }), { field: "spec.users" });
  });
}

test("names: the operator's volumes leave room for 20 characters, less with more than ten shards or replicas", () => {
  assert.equal(clickhouse.longestName, 20);
  renderApp(clickhouse, { name: "a".repeat(20) });
  assert.throws(() => renderApp(clickhouse, { name: "a".repeat(21) }), { code: "NameTooLong" });
  assert.throws(() => renderApp(clickhouse, { name: "a".repeat(20), spec: { shards: 11 } }), { code: "NameTooLong" });
  renderApp(clickhouse, { name: "a".repeat(19), spec: { shards: 11 } });
});

test("the Keeper has a shorter name where the operator's names would be too long", () => {
  const of = (name: string, replicas = 3) => {
    const rendered = renderApp(clickhouse, { name, spec: { clickhouseKeeper: { replicas } } });
    const keeper = rendered.objects.find(({ kind }) => kind === "ClickHouseKeeperInstallation")?.metadata.name ?? "";
    const chi = rendered.object("ClickHouseInstallation", `clickhouse-${name}`);
    const nodes = valueAt(chi, "spec", "configuration", "zookeeper", "nodes");
    const host = Array.isArray(nodes) ? String(valueAt(nodes[0], "host")) : "";
    assert.ok(host.startsWith(`chk-${keeper}-cluster1-0-0.`), "the servers look for the same name");
    assert.ok(`chk-${keeper}-deploy-confd-cluster1-0-${replicas - 1}`.length <= 63);
    const scrape = rendered.object("VMPodScrape", `clickhouse-${name}-keeper`);
    assert.equal(valueAt(scrape, "spec", "selector", "matchLabels", "app"), `clickhouse-${name}-keeper`);
    return keeper;
  };
  assert.equal(of("a".repeat(15)), `clickhouse-${"a".repeat(15)}-keeper`);
  assert.notEqual(of("a".repeat(15), 11), `clickhouse-${"a".repeat(15)}-keeper`);
  assert.notEqual(of("a".repeat(16)), of("a".repeat(17)));
});

const hostile = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.constantFrom("'; DROP", "$(id)", "{{ .x }}", "a\nb: c", '"\\', "</clickhouse>", "`", "-c"),
);

/** Such as occurs nowhere else. */
const password = fc.oneof(
  fc.constant(""),
  hostile.map((text) => `${text} is the word`),
);

test("property: any text is kept as it is in the same objects, and passwords in Secrets alone", () => {
  const spec = fc.record({
    users: fc.dictionary(fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,20}$/), fc.record({ password }), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
    path: hostile,
    bucket: hostile.filter((text) => text !== ""),
    name: fc.stringMatching(/^[a-z][a-z0-9]{0,19}$/),
  });
  fc.assert(
    fc.property(spec, ({ users, path, bucket, name }) => {
      const backup = { enabled: true, schedule, s3PathOverride: path, s3Bucket: bucket };
      const rendered = renderApp(clickhouse, { name, spec: { users, backup } });
      assert.deepEqual(rendered.objects, renderApp(clickhouse, { name, spec: { users, backup } }).objects);
      const plain = renderApp(clickhouse, { name, spec: { users: {}, backup: { enabled: true, schedule } } });
      const keys = ({ objects }: typeof plain) => objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
      assert.deepEqual(keys(rendered), keys(plain), "the same set of objects");
      for (const { metadata } of rendered.objects) {
        assert.match(metadata.name, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/);
        assert.ok(metadata.name.length <= 63);
      }
      const secret = valueAt(rendered.object("Secret", `clickhouse-${name}-credentials`), "stringData");
      assert.ok(isRecord(secret));
      assert.deepEqual(Object.keys(secret).toSorted(), [...new Set([...Object.keys(users), "backup"])].toSorted());
      const others = JSON.stringify(rendered.objects.filter(({ kind }) => kind !== "Secret"));
      for (const value of Object.values(secret)) {
        assert.ok(!others.includes(JSON.stringify(value).slice(1, -1)));
      }
    }),
    { numRuns: 60 },
  );
});
