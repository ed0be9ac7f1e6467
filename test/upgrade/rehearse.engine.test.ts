/** Rehearsals of a cluster of the test's own: what they predict, and that they leave the cluster alone. */
import assert from "node:assert/strict";
import { globSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { apps as catalogue } from "../../src/apps/index.ts";
import { pace, rehearsalPlayers } from "../../src/cli/rehearsal-stage.ts";
import { Cluster } from "../../src/contracts/postgresql-cnpg-io.ts";
import type { Client } from "../../src/kube/client.ts";
import { connect } from "../../src/kube/connect.ts";
import { ConfigMap, Lease, Secret } from "../../src/kube/core-kinds.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { isRecord } from "../../src/kube/json.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import type { AnyKind, KubeObject } from "../../src/kube/object.ts";
import type { Request } from "../../src/kube/request.ts";
import { type AppEffect, isTouched } from "../../src/upgrade/effects/effect.ts";
import { copyCluster } from "../../src/upgrade/rehearse/copy.ts";
import { copyEngine } from "../../src/upgrade/rehearse/copy-engine.ts";
import { copiedKinds } from "../../src/upgrade/rehearse/kinds.ts";
import { type Rehearsal, rehearse } from "../../src/upgrade/rehearse/rehearse.ts";
import { standIns } from "../../src/upgrade/rehearse/stand-ins.ts";
import { appOf, startCloud } from "../support/cloud.ts";
import { isWithin } from "../support/everything.ts";
import { type Earlier, earlierRelease, stampAsNow, withSpec } from "../support/older-release.ts";

const olderImage = "ghcr.io/cloudnative-pg/postgresql:16.0";

const withOlderImage: Earlier = (object) =>
  object.kind === Cluster.kind ? [withSpec(object, { imageName: olderImage })] : [object];

// Of its own, so that what is left there is a rehearsal's.
process.env["TMPDIR"] = mkdtempSync(join(tmpdir(), "cozystack-test-"));
const cloud = await startCloud({ apps: earlierRelease({ Postgres: withOlderImage }) });
await stampAsNow(cloud.admin);
const tenant = await cloud.tenant("one");
const [postgres, redis] = [appOf("Postgres"), appOf("Redis")];
await cloud.order(postgres, "db", tenant, {
  replicas: 2,
  users: { app: {} },
  databases: { app: { roles: { admin: ["app"] } } },
});
await cloud.order(redis, "cache", tenant);
await Promise.all([cloud.ready(postgres, "db", tenant), cloud.ready(redis, "cache", tenant)]);
await cloud.rest();

interface Seen {
  readonly rehearsal: Rehearsal;
  readonly requests: readonly Request[];
}

async function rehearsed(): Promise<Seen> {
  const requests: Request[] = [];
  const source = connect({
    ...loadKubeconfig(cloud.engine.kubeconfig),
    fieldManager: "rehearsal",
    intercept: (request) => void requests.push(request),
  });
  const log: string[] = [];
  try {
    const rehearsal = await rehearse({
      source,
      apps: catalogue,
      fieldManager: "cozystack",
      version: "2.0.0",
      players: rehearsalPlayers((line) => log.push(line)),
      pace,
      patience: 60_000,
      quiet: 1_500,
      signal: AbortSignal.timeout(120_000),
      log: (line) => log.push(line),
    });
    return { rehearsal, requests };
  } catch (error) {
    throw new Error(`${String(error)}\n${log.join("\n")}`, { cause: error });
  } finally {
    await source.close();
  }
}

/** The controllers of a test's cloud leave the rest of the cluster alone; a rehearsal does not. */
const inSubtree = ({ effects }: Rehearsal): readonly AppEffect[] =>
  effects.filter(({ tenant: of }) => isWithin(cloud.root, of));

const seen = rehearsed();

test("A rehearsal says which pools roll and how many pods, and of all else that nothing happens", async () => {
  const { rehearsal } = await seen;
  assert.equal(rehearsal.settled, true);
  const effects = inSubtree(rehearsal);
  assert.deepEqual(
    effects
      .filter((effect) => !isTouched(effect))
      .map(({ app }) => app.kind)
      .sort(),
    ["Info", "Redis", "Tenant"],
  );
  const pool = { group: "postgresql.cnpg.io", kind: "Cluster", namespace: tenant, name: "postgres-db" };
  assert.deepEqual(
    effects.filter(isTouched).map(({ app, impact, pools, blocked }) => ({ app: app.name, impact, pools, blocked })),
    [{ app: "db", impact: "rolls", pools: [{ object: pool, what: "pods", count: 2 }], blocked: undefined }],
  );
});

test("A rehearsal reads only, and leaves nothing behind", async () => {
  const { requests } = await seen;
  assert.ok(requests.length > 0);
  assert.deepEqual(
    requests.filter(({ write, method }) => write || method !== "GET"),
    [],
  );
  assert.deepEqual(globSync(join(tmpdir(), "cozystack-rehearsal-*")), []);
});

test("No value of a Secret is in what a rehearsal says", async () => {
  const said = JSON.stringify((await seen).rehearsal);
  const secret = await cloud.admin.get(Secret, "postgres-db-credentials", tenant);
  const values = Object.values(secret?.data ?? {});
  assert.ok(values.length > 0);
  const plain = (value: string): string => Buffer.from(value, "base64").toString();
  assert.deepEqual(
    values.filter((value) => said.includes(value) || said.includes(plain(value))),
    [],
  );
});

test("A copy is served as the cluster serves it: uids, owners, statuses; Secrets with their keys and sizes alone", async () => {
  await seen;
  const lease = await cloud.admin.create(Lease, Lease("left-out", { namespace: tenant }));
  const { apiVersion, kind, metadata } = lease;
  const ownerReferences = [{ apiVersion, kind, name: metadata.name, uid: metadata.uid ?? "" }];
  await cloud.admin.create(ConfigMap, ConfigMap("orphan", { namespace: tenant, metadata: { ownerReferences } }));
  const kinds = copiedKinds(catalogue);
  const hidden = standIns();
  const rootCa = await cloud.admin.get(ConfigMap, "kube-root-ca.crt", "kube-system");
  const copy = await copyEngine({
    rootCertificate: rootCa?.data?.["ca.crt"] ?? "",
    fill: async (etcd) => {
      const copied = await copyCluster({ source: cloud.admin, etcd, kinds, standIns: hidden });
      assert.equal(copied.withoutOwner, 1);
    },
    log: () => undefined,
    signal: AbortSignal.timeout(60_000),
  });
  const client = connect({ ...loadKubeconfig(copy.engine.kubeconfigPath), fieldManager: "test" });
  try {
    let compared = 0;
    for (const kind of kinds) {
      const original = await byName(cloud.admin, kind);
      const copied = await byName(client, kind);
      for (const [name, object] of original) {
        if (!name.startsWith(tenant)) continue;
        compared += 1;
        assert.deepEqual(copied.get(name), object, `${kind.kind} ${name}`);
      }
    }
    assert.ok(compared > 50);
    const orphan = await client.get(ConfigMap, "orphan", tenant);
    assert.deepEqual(orphan?.metadata.ownerReferences ?? [], []);
    assert.ok(hidden.size > 0);
  } finally {
    await client.close();
    await copy.close();
  }
});

/** What must be equal of the objects of a kind, by `namespace/name`. */
async function byName(client: Client, kind: AnyKind): Promise<ReadonlyMap<string, unknown>> {
  try {
    const { items } = await client.list(kind, { managedFields: true });
    return new Map(
      items.map((object) => [`${object.metadata.namespace ?? ""}/${object.metadata.name}`, comparable(object)]),
    );
  } catch (error) {
    if (isApiError(error, "Unserved")) return new Map();
    throw error;
  }
}

function comparable(object: KubeObject & { readonly data?: unknown }): unknown {
  const { resourceVersion: _, ownerReferences, ...metadata } = object.metadata;
  const plain = {
    ...object,
    metadata: object.metadata.name === "orphan" ? metadata : { ...metadata, ownerReferences },
  };
  if (object.kind !== Secret.kind || !isRecord(object.data)) return plain;
  const sizes = Object.entries(object.data).map(([key, value]) => [key, Buffer.from(String(value), "base64").length]);
  return { ...plain, data: Object.fromEntries(sizes) };
}
