/** What stays as it is under a running installation, so that nothing restarts that does not have to. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { renderApp } from "../../../test/support/render.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { clickhouse } from "./index.ts";

const pass = (spec: object, existing: readonly KubeObject[] = []) => renderApp(clickhouse, { spec, existing });
const installation = (rendered: ReturnType<typeof pass>) =>
  valueAt(rendered.object("ClickHouseInstallation", "clickhouse-demo"), "spec");
const hosts = (spec: unknown) => {
  const nodes = valueAt(spec, "configuration", "zookeeper", "nodes");
  return Array.isArray(nodes) ? nodes.map((node) => String(valueAt(node, "host"))) : [];
};
const files = (spec: unknown) => valueAt(spec, "configuration", "files");

const isObject = (value: unknown): value is KubeObject =>
  isRecord(value) && isRecord(value["metadata"]) && typeof value["kind"] === "string";

/** The operator's two objects as they live after a render, with texts replaced. */
function live(spec: object, texts: readonly (readonly [RegExp, string])[]): readonly KubeObject[] {
  return pass(spec).objects.flatMap((object) => {
    if (!object.kind.startsWith("ClickHouse")) return [];
    const changed: unknown = JSON.parse(
      texts.reduce((text, [from, to]) => text.replaceAll(from, to), JSON.stringify(object)),
    );
    return isObject(changed) ? [changed] : [];
  });
}

/** As upstream wrote it: addresses without the domain. */
const upstream: readonly (readonly [RegExp, string])[] = [[/\.svc\.cozy\.local"/g, '.svc."']];
const untouched = [/%s\.svc\."/g, '%s.svc.cozy.local"'] as const;

test("a new installation finds its Keepers", () => {
  assert.deepEqual(hosts(installation(pass({}))).slice(0, 1), [
    "chk-clickhouse-demo-keeper-cluster1-0-0.tenant-foo.svc.cozy.local",
  ]);
});

test("addresses that cannot be found stay until the servers restart for another reason, then are right for good", () => {
  const running = live({}, [...upstream, untouched]);
  const kept = hosts(installation(pass({}, running)));
  assert.ok(kept.length === 3 && kept.every((host) => host.endsWith(".svc.")));
  assert.deepEqual(hosts(installation(pass({ users: { a: {} } }, running))), kept, "users do not restart servers");
  const restarted = pass({ resources: { cpu: 2 } }, running);
  assert.ok(hosts(installation(restarted)).every((host) => host.endsWith(".svc.cozy.local")));
  const then = restarted.objects.filter(({ kind }) => kind === "ClickHouseInstallation");
  assert.ok(hosts(installation(pass({ resources: { cpu: 2 } }, then))).every((host) => host.endsWith(".cozy.local")));
  const more = pass({ clickhouseKeeper: { replicas: 5 } }, running);
  assert.ok(
    hosts(installation(more)).every((host) => host.endsWith(".cozy.local")),
    "another list restarts them too",
  );
});

test("other addresses than upstream's are put right: somebody changed them", () => {
  const running = live({}, [[/keeper-cluster1-0-1\.tenant-foo/g, "elsewhere"]]);
  assert.deepEqual(hosts(installation(pass({}, running))), hosts(installation(pass({}))));
});

const otherText = {
  "config.d/z_log_disable.xml": `<?xml version="1.0"?><yandex><!-- quiet -->${[
    ...["asynchronous_metric_log", "metric_log", "query_views_log", "part_log", "session_log", "text_log", "trace_log"],
    ...["crash_log", "opentelemetry_span_log", "processors_profile_log"],
  ]
    .map((name) => `<${name} remove="1"></${name}>`)
    .join("\n")}</yandex>`,
  "config.d/query_log_ttl.xml": `<clickhouse>${["query_log", "query_thread_log"]
    .map(
      (name) =>
        `<${name} replace="1"><database>system</database><table>${name}</table><engine>ENGINE = MergeTree\nPARTITION BY (event_date)\nORDER BY (event_time)\nTTL event_date + INTERVAL 15 DAY DELETE\n</engine><flush_interval_milliseconds>7500</flush_interval_milliseconds></${name}>`,
    )
    .join("")}</clickhouse>`,
};

function withFiles(texts: Readonly<Record<string, string>>): readonly KubeObject[] {
  return pass({}).objects.flatMap((object) => {
    if (object.kind !== "ClickHouseInstallation") return [];
    const changed: unknown = JSON.parse(JSON.stringify(object), (key, value) => (key === "files" ? texts : value));
    return isObject(changed) ? [changed] : [];
  });
}

test("configuration files that say the same in other words stay", () => {
  assert.deepEqual(files(installation(pass({}, withFiles(otherText)))), otherText);
});

const rewritten = [
  { why: "another time to live", spec: { logTTL: 3 }, file: "config.d/query_log_ttl.xml", text: undefined },
  {
    why: "a log that is not switched off",
    spec: {},
    file: "config.d/z_log_disable.xml",
    text: '<clickhouse><metric_log remove="1"/></clickhouse>',
  },
  {
    why: "an element that has no business there",
    spec: {},
    file: "config.d/query_log_ttl.xml",
    text: otherText["config.d/query_log_ttl.xml"].replace("<clickhouse>", "<clickhouse><users/>"),
  },
] as const;

for (const { why, spec, file, text } of rewritten) {
  test(`configuration files are written anew for ${why}`, () => {
    const running = withFiles({ ...otherText, ...(text === undefined ? {} : { [file]: text }) });
    const now = files(installation(pass(spec, running)));
    assert.deepEqual(valueAt(now, file), valueAt(files(installation(pass(spec))), file));
    const other = Object.keys(otherText).find((name) => name !== file) ?? "";
    assert.equal(valueAt(now, other), valueAt(otherText, other), "the other file stays");
  });
}

test("the time to live is what is asked for", () => {
  const text = String(valueAt(files(installation(pass({ logTTL: 3 }))), "config.d/query_log_ttl.xml"));
  assert.equal(text.match(/TTL event_date \+ INTERVAL 3 DAY DELETE/g)?.length, 2);
});

const classes = (rendered: ReturnType<typeof pass>) =>
  [
    ["ClickHouseInstallation", "clickhouse-demo"] as const,
    ["ClickHouseKeeperInstallation", "clickhouse-demo-keeper"] as const,
  ].flatMap(([kind, name]) => {
    const claims = valueAt(rendered.object(kind, name), "spec", "templates", "volumeClaimTemplates");
    return Array.isArray(claims) ? claims.map((claim) => valueAt(claim, "spec", "storageClassName")) : [];
  });

test("volumes have the storage class that is asked for; a running installation keeps its own", () => {
  const spec = { storageClass: "local" };
  assert.deepEqual(classes(pass({})), [undefined, undefined, undefined]);
  const fresh = pass(spec);
  assert.deepEqual(classes(fresh), ["local", "local", "local"]);
  assert.deepEqual(classes(pass(spec, fresh.objects)), ["local", "local", "local"]);
  assert.deepEqual(classes(pass(spec, live({}, []))), [undefined, undefined, undefined], "as upstream left it");
});
