/** Postgres and ClickHouse under the real controller: at rest, changed, deleted. No operator answers. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { clickhouse } from "../../src/apps/clickhouse/index.ts";
import { postgres } from "../../src/apps/postgres/index.ts";
import { PersistentVolumeClaim, Secret } from "../../src/contracts/core.ts";
import { Cluster } from "../../src/contracts/postgresql-cnpg-io.ts";
import { defineKind } from "../../src/kube/define-kind.ts";
import { Job } from "../../src/kube/kinds/workloads.ts";
import type { UnknownObject } from "../../src/kube/object.ts";
import { fixedContext } from "../../src/reconcile/context.ts";
import { startController } from "../../src/reconcile/controller.ts";
import { testEngine } from "../support/engine.ts";
import { eventually } from "../support/eventually.ts";
import { installKinds, testContext } from "../support/synthetic-app.ts";

const abort = new AbortController();
// Before the engine registers its own, which closes the clients.
after(async () => {
  abort.abort();
  await controller.ended;
});

const engine = await testEngine();
const admin = engine.client();
await installKinds(admin, [postgres, clickhouse]);
const namespace = await engine.namespace("databases");
const errors: string[] = [];
const controller = startController(
  {
    client: engine.client("cozystack"),
    apps: [postgres, clickhouse],
    context: fixedContext(testContext),
    scope: (each) => each === namespace,
    backoff: { base: 50, cap: 500, gap: 20 },
    onError: (what, error) => errors.push(`${what}: ${error}`),
  },
  abort.signal,
);

const served = { group: "apps.cozystack.io", version: "v1alpha1", namespaced: true } as const;
const Postgres = defineKind<UnknownObject>({ ...served, kind: "Postgres", plural: "postgreses" });
const ClickHouse = defineKind<UnknownObject>({ ...served, kind: "ClickHouse", plural: "clickhouses" });

const jobs = async () =>
  (await admin.list(Job, { namespace })).items
    .map(({ metadata }) => metadata.name)
    .filter((name) => /-db-init-/.test(name));

/** Names and versions of everything of the release that this test looks at. */
const versions = async () => {
  const lists = await Promise.all([
    admin.list(Job, { namespace }),
    admin.list(Secret, { namespace }),
    admin.list(Cluster, { namespace }),
  ]);
  return lists
    .flatMap(({ items }) => items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`))
    .toSorted();
};

async function deleted(kind: typeof Postgres, name: string): Promise<void> {
  await admin.delete(kind, name, namespace);
  await eventually(`${name} is gone`, async () =>
    (await admin.get(kind, name, namespace)) === undefined ? true : undefined,
  );
}

test("a Postgres is applied once, runs its Job again for users alone, and leaves nothing", async () => {
  const before = await versions();
  await admin.create(Postgres, Postgres("db", { namespace, spec: { users: { ann: {} } } }));
  const [first] = await eventually("the Job exists", async () => ((await jobs()).length === 1 ? jobs() : undefined));
  await sleep(1000);
  const rest = await versions();
  await sleep(1000);
  assert.deepEqual(await versions(), rest, "nothing is written at rest");

  await admin.mergePatch(Postgres, "db", namespace, { spec: { version: "v17", replicas: 3 } });
  await eventually("the new version is applied", async () => {
    const cluster = await admin.get(Cluster, "postgres-db", namespace);
    return cluster?.spec.instances === 3 ? true : undefined;
  });
  assert.deepEqual(await jobs(), [first]);

  await admin.mergePatch(Postgres, "db", namespace, { spec: { users: { ann: { password: "given" } } } });
  const both = await eventually("another Job", async () => ((await jobs()).length === 2 ? jobs() : undefined));
  assert.ok(both.includes(first ?? ""), "the first one stays until the next has succeeded");

  await deleted(Postgres, "db");
  await eventually("nothing is left", async () => ((await versions()).join() === before.join() ? true : undefined));
  assert.deepEqual(errors, []);
});

const claim = (name: string) =>
  PersistentVolumeClaim(name, {
    namespace,
    labels: { "app.kubernetes.io/instance": "clickhouse-ev" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  });
const volumes = ["data-volume-template-x-0", "log-volume-template-x-0", "default-chk-x-0"];
const claims = async () =>
  (await admin.list(PersistentVolumeClaim, { namespace })).items.map(({ metadata }) => metadata.name);

for (const reclaimPolicy of ["Delete", "Retain"]) {
  const title =
    reclaimPolicy === "Delete"
      ? "deletion frees the volumes of servers, logs and Keepers (feature 114)"
      : "deletion keeps volumes and passwords that are to stay, and the next of the name has the same";
  test(title, async () => {
    const password = async () => (await admin.get(Secret, "clickhouse-ev-credentials", namespace))?.data?.["app"];
    const create = () =>
      admin.create(ClickHouse, ClickHouse("ev", { namespace, spec: { reclaimPolicy, users: { app: {} } } }));
    await create();
    const made = await eventually("the password is made", password);
    for (const name of volumes) await admin.create(PersistentVolumeClaim, claim(name));
    await deleted(ClickHouse, "ev");
    if (reclaimPolicy === "Delete") {
      await eventually("no claim is left", async () => ((await claims()).length === 0 ? true : undefined));
      assert.equal(await password(), undefined);
      return;
    }
    assert.deepEqual((await claims()).toSorted(), volumes.toSorted());
    assert.equal(await password(), made);
    await create();
    await sleep(1000);
    assert.equal(await password(), made);
    await admin.mergePatch(ClickHouse, "ev", namespace, { spec: { reclaimPolicy: "Delete" } });
    await deleted(ClickHouse, "ev");
    await eventually("no claim is left", async () => ((await claims()).length === 0 ? true : undefined));
  });
}
