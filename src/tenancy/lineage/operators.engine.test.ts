import assert from "node:assert/strict";
import { test } from "node:test";
import { appOf, startCloud } from "../../../test/support/cloud.ts";
import { PersistentVolumeClaim, Pod, Secret, Service } from "../../contracts/core.ts";
import { Ingress } from "../../kube/core-kinds.ts";
import type { AnyKind, KubeObject } from "../../kube/object.ts";

const cloud = await startCloud();
const namespace = await cloud.tenant("lin");
const kinds: readonly AnyKind[] = [Pod, Secret, Service, Ingress, PersistentVolumeClaim];
const APPLICATION = "apps.cozystack.io/application";
const VISIBLE = "internal.cozystack.io/tenantresource";

async function objects(): Promise<readonly KubeObject[]> {
  return (await Promise.all(kinds.map((kind) => cloud.admin.listMetadata(kind, { namespace })))).flatMap(
    ({ items }) => items,
  );
}
const said = ({ metadata: { labels = {} } }: KubeObject) =>
  `${labels[`${APPLICATION}.kind`]} ${labels[`${APPLICATION}.name`]} ${labels[VISIBLE]}`;

test("everything that operators make for databases says whose it is, and tenants see what is declared", async () => {
  await cloud.order(appOf("Redis"), "cache", namespace);
  await cloud.order(appOf("Postgres"), "db", namespace, {
    users: { alice: {} },
    databases: { shop: { roles: { admin: ["alice"] } } },
  });
  await cloud.ready(appOf("Redis"), "cache", namespace);
  await cloud.ready(appOf("Postgres"), "db", namespace);
  await cloud.rest();
  const owned = (await objects()).filter(({ metadata }) => (metadata.ownerReferences ?? []).length > 0);
  const of = (kind: string) => owned.filter((object) => object.kind === kind);
  assert.ok(of("Pod").length >= 7, "the pods of both");
  assert.ok(of("Secret").length >= 3 && of("Service").length >= 6);
  assert.deepEqual(
    owned
      .filter((object) => !/^(Redis cache|Postgres db) (true|false)$/.test(said(object)))
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    [],
  );
  const shown = (await objects()).filter(({ metadata }) => metadata.labels?.[VISIBLE] === "true");
  assert.deepEqual(shown.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort(), [
    "Secret postgres-db-credentials",
    "Secret postgres-db.tenant-ca",
    "Secret redis-cache-auth",
    "Service postgres-db-r",
    "Service postgres-db-ro",
    "Service postgres-db-rw",
    "Service rfrm-redis-cache",
    "Service rfrs-redis-cache",
    "Service rfs-redis-cache",
  ]);
});

test("at rest nothing is labelled again, and after a restart neither", async () => {
  await cloud.rest();
  const before = cloud.writes.length;
  await cloud.stopControllers();
  cloud.startControllers();
  await cloud.rest(2_000);
  const labelled = cloud.writes.slice(before).filter(({ kind }) => kinds.some((one) => one.kind === kind));
  assert.deepEqual(
    labelled.map(({ verb, kind, name }) => `${verb} ${kind} ${name}`),
    [],
  );
  assert.deepEqual(
    cloud.log.filter((line) => /lineage|FightingOver/.test(line)),
    [],
  );
});
