/** What plans say of volumes when an application is asked for with fewer servers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { apps } from "../../src/apps/index.ts";
import { withRules } from "../../src/contracts/impact.ts";
import { impactRulesOf } from "../../src/contracts/index.ts";
import { isRecord, valueAt } from "../../src/kube/json.ts";
import { refOf } from "../../src/kube/object.ts";
import { differences } from "../../src/reconcile/diff.ts";
import { fieldChanges } from "../../src/reconcile/impact.ts";
import type { App } from "../../src/sdk/app.ts";
import { appOf } from "../support/cloud.ts";
import { renderApp } from "../support/render.ts";

interface Row {
  readonly kind: string;
  readonly before: object;
  readonly after: object;
  readonly volumes: "stay" | "go";
  readonly impact?: string;
}

const shard = (name: string, replicas = 3) => ({ name, replicas, size: "1Gi" });
const sharded = (...shards: readonly object[]) => ({ sharding: true, shardingConfig: { shards } });
const keepers = (replicas: number) => ({ clickhouseKeeper: { replicas } });
const kept = { reclaimPolicy: "Retain" };

const rows: readonly Row[] = [
  { kind: "Postgres", before: { replicas: 3 }, after: { replicas: 2 }, volumes: "go" },
  { kind: "Redis", before: { replicas: 3 }, after: { replicas: 2 }, volumes: "stay" },
  { kind: "MariaDB", before: { replicas: 3 }, after: { replicas: 1 }, volumes: "stay" },
  { kind: "MongoDB", before: { replicas: 3 }, after: { replicas: 1 }, volumes: "stay" },
  {
    kind: "MongoDB",
    before: sharded(shard("a"), shard("b")),
    after: sharded(shard("a"), shard("b", 1)),
    volumes: "stay",
  },
  { kind: "MongoDB", before: sharded(shard("a"), shard("b")), after: sharded(shard("a")), volumes: "stay" },
  { kind: "ClickHouse", before: { replicas: 2 }, after: { replicas: 1 }, volumes: "go" },
  { kind: "ClickHouse", before: { replicas: 2, ...kept }, after: { replicas: 1, ...kept }, volumes: "stay" },
  { kind: "ClickHouse", before: { shards: 2 }, after: { shards: 1 }, volumes: "go", impact: "losesData" },
  { kind: "ClickHouse", before: keepers(5), after: keepers(3), volumes: "go" },
  { kind: "Kafka", before: { kafka: { replicas: 5 } }, after: { kafka: { replicas: 3 } }, volumes: "go" },
  {
    kind: "Kafka",
    before: { zookeeper: { replicas: 5 }, ...kept },
    after: { zookeeper: { replicas: 3 }, ...kept },
    volumes: "stay",
  },
  { kind: "OpenSearch", before: { replicas: 5 }, after: { replicas: 3 }, volumes: "stay" },
  {
    kind: "FoundationDB",
    before: { cluster: { processCounts: { storage: 5 } } },
    after: { cluster: { processCounts: { storage: 3 } } },
    volumes: "go",
  },
  { kind: "Etcd", before: { replicas: 5 }, after: { replicas: 3 }, volumes: "go" },
  { kind: "NATS", before: { replicas: 3 }, after: { replicas: 2 }, volumes: "go", impact: "losesData" },
  { kind: "Qdrant", before: { replicas: 3 }, after: { replicas: 1 }, volumes: "stay" },
  { kind: "OpenBAO", before: { replicas: 5 }, after: { replicas: 3 }, volumes: "stay" },
  { kind: "SeaweedFS", before: { volume: { replicas: 3 } }, after: { volume: { replicas: 2 } }, volumes: "stay" },
];

/** Every field change of the operators' objects between two specs. */
function changes(app: App, before: object, after: object) {
  const [old, now] = [before, after].map((spec) =>
    renderApp(app, { spec, ...(app.module ? { name: app.singular } : {}) }),
  );
  return (now?.manifests ?? []).flatMap(({ object, impacts }) => {
    const live = old?.manifests.find((one) => JSON.stringify(refOf(one.object)) === JSON.stringify(refOf(object)));
    if (live === undefined) return [];
    const ref = refOf(object);
    return fieldChanges(ref, differences(object, live.object), withRules(impactRulesOf(ref.group, ref.kind), impacts));
  });
}

for (const { kind, before, after, volumes, impact } of rows) {
  test(`${kind} from ${JSON.stringify(before)} to ${JSON.stringify(after)}: the volumes ${volumes}`, () => {
    const found = changes(appOf(kind), before, after).filter((change) => change.volumes !== undefined);
    assert.deepEqual([...new Set(found.map((change) => change.volumes))], [volumes]);
    if (impact !== undefined)
      assert.ok(
        found.some((change) => change.impact === impact),
        JSON.stringify(found),
      );
    const more = changes(appOf(kind), after, before).filter((change) => change.volumes !== undefined);
    assert.deepEqual(more, [], "servers that come take nothing away");
  });
}

test("NATS without messages on disk has no volumes that could go", () => {
  const spec = (replicas: number) => ({ replicas, jetstream: { enabled: false } });
  const found = changes(appOf("NATS"), spec(3), spec(2));
  assert.ok(found.length > 0);
  assert.ok(found.every(({ volumes, impact }) => volumes === undefined && impact !== "losesData"));
});

/** Numbers of servers that may become less without a word of volumes, and why. */
const silent: Readonly<Record<string, string>> = {
  RabbitMQ: "a rule refuses it",
  HTTPCache: "its volumes are objects of its own, which the plan names",
  TCPBalancer: "no volumes",
  VPN: "no volumes",
  Ingress: "no volumes",
  ExternalDNS: "no volumes",
  Harbor: "its servers' numbers are those of its database and Redis, which say it",
};

test("every application with a number of servers is told of here", () => {
  const told = new Set([...rows.map(({ kind }) => kind), ...Object.keys(silent)]);
  const numbered = apps.filter(({ schema }) => {
    const replicas = valueAt(schema, "properties", "replicas");
    return isRecord(replicas);
  });
  assert.deepEqual(
    numbered.map(({ kind }) => kind).filter((kind) => !told.has(kind)),
    [],
  );
});
