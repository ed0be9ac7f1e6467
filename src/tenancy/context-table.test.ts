import assert from "node:assert/strict";
import { test } from "node:test";
import { ContextTable } from "./context-table.ts";

const ANCESTORS = "internal.cozystack.io/ancestors";
const cluster = { "root-host": "example.org", "gateway-enabled": "false" };

function table(): { readonly contexts: ContextTable; readonly told: (string | undefined)[] } {
  const contexts = new ContextTable("1.2.3");
  const told: (string | undefined)[] = [];
  contexts.onChange((namespace) => told.push(namespace));
  return { contexts, told };
}
const foo = (labels: Record<string, string> = {}) => ({
  annotations: { [ANCESTORS]: "tenant-root" },
  labels: { "namespace.cozystack.io/host": "foo.example.org", ...labels },
});
function known(contexts: ContextTable, namespace: string) {
  const answer = contexts.answer(namespace);
  assert.equal(answer.is, "known");
  assert.ok(answer.is === "known");
  return answer.context;
}

test("place and values of a tenant come from its Namespace alone", () => {
  const { contexts } = table();
  contexts.setCluster(cluster);
  contexts.setNamespace("tenant-foo", foo({ "namespace.cozystack.io/etcd": "tenant-root" }));
  const context = known(contexts, "tenant-foo");
  assert.deepEqual(context.tenant, { namespace: "tenant-foo", ancestors: ["tenant-root"] });
  assert.equal(context.namespace.host, "foo.example.org");
  assert.equal(context.namespace.etcd, "tenant-root");
  assert.equal(context.namespace.ingress, "");
  assert.equal(context.chartVersion, "1.2.3");
});

test("tenant-root's values come from the platform, whatever its labels", () => {
  const { contexts } = table();
  contexts.setNamespace("tenant-root", { annotations: { [ANCESTORS]: "" }, labels: {} });
  contexts.setCluster(cluster);
  assert.deepEqual(known(contexts, "tenant-root").namespace, {
    host: "example.org",
    etcd: "tenant-root",
    ingress: "tenant-root",
    gateway: "",
    monitoring: "tenant-root",
    seaweedfs: "tenant-root",
    schedulingClass: "",
  });
  contexts.setCluster({ ...cluster, "gateway-enabled": "true" });
  assert.equal(known(contexts, "tenant-root").namespace.gateway, "tenant-root");
});

const waits: readonly { why: string; prepare: (contexts: ContextTable) => void; on: string; says: RegExp }[] = [
  { why: "no platform values yet", prepare: () => undefined, on: "Package", says: /not read yet/ },
  {
    why: "platform values that cannot be used",
    prepare: (contexts) => contexts.setProblem("publishing.host must be a string"),
    on: "Package",
    says: /publishing\.host/,
  },
  {
    why: "no namespace",
    prepare: (contexts) => contexts.setCluster(cluster),
    on: "Namespace",
    says: /does not exist/,
  },
];
for (const { why, prepare, on, says } of waits) {
  test(`waits with: ${why}`, () => {
    const { contexts } = table();
    prepare(contexts);
    const answer = contexts.answer("tenant-foo");
    assert.ok(answer.is === "waiting");
    assert.equal(answer.on.kind, on);
    assert.match(answer.why, says);
  });
}

test("a namespace of no tenant is none, however it is called", () => {
  const { contexts } = table();
  contexts.setCluster(cluster);
  contexts.setNamespace("tenant-foo", { labels: {} });
  assert.deepEqual(contexts.answer("tenant-foo"), {
    is: "notATenant",
    on: { group: "", kind: "Namespace", name: "tenant-foo" },
  });
});

test("bad platform values later leave the last good ones in force", () => {
  const { contexts } = table();
  contexts.setCluster(cluster);
  contexts.setNamespace("tenant-foo", foo());
  contexts.setProblem("broken");
  assert.equal(known(contexts, "tenant-foo").cluster["root-host"], "example.org");
});

test("tells exactly what changed, and nothing where nothing did", () => {
  const { contexts, told } = table();
  contexts.setCluster(cluster);
  contexts.setNamespace("tenant-foo", foo());
  contexts.setNamespace("tenant-foo", foo());
  contexts.setNamespace("tenant-foo", { ...foo(), labels: { ...foo().labels, other: "x" } });
  contexts.setNamespace("default", { labels: { a: "b" } });
  contexts.setCluster({ ...cluster });
  contexts.setApis(new Set());
  assert.deepEqual(told, [undefined, "tenant-foo"]);
  contexts.setNamespace("tenant-foo", foo({ "namespace.cozystack.io/etcd": "tenant-foo" }));
  contexts.setApis(new Set(["v1.edp.epam.com/v1"]));
  contexts.removeNamespace("tenant-foo");
  assert.deepEqual(told, [undefined, "tenant-foo", "tenant-foo", undefined, "tenant-foo"]);
});

test("nobody is told after they have left", () => {
  const contexts = new ContextTable("0");
  let calls = 0;
  const leave = contexts.onChange(() => {
    calls += 1;
  });
  contexts.setCluster(cluster);
  leave();
  contexts.setCluster({ "root-host": "other" });
  assert.equal(calls, 1);
});
