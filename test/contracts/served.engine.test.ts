/**
 * Kinds served from their contracts, by a real API server.
 */
import assert from "node:assert/strict";
import test, { before } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { contractCrd, servedFromContract } from "../../src/contracts/crd.ts";
import { contractKinds, ownKinds } from "../../src/contracts/index.ts";
import { Inventory } from "../../src/contracts/internal-cozystack-io.ts";
import { VirtualMachine } from "../../src/contracts/kubevirt-io.ts";
import { Cluster } from "../../src/contracts/postgresql-cnpg-io.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { CustomResourceDefinition } from "../../src/kube/kinds/extension.ts";
import { testEngine } from "../support/engine.ts";

const engine = await testEngine();
const client = engine.client();
const own = new Set(ownKinds);

async function established(name: string): Promise<CustomResourceDefinition> {
  for (;;) {
    const live = await client.get(CustomResourceDefinition, name);
    if (live?.status?.conditions?.some((one) => one.type === "Established" && one.status === "True")) return live;
    await sleep(20);
  }
}

before(async () => {
  await Promise.all(
    contractKinds.map((kind) => client.apply(CustomResourceDefinition, contractCrd(kind, own.has(kind)))),
  );
});

for (const kind of contractKinds) {
  const name = `${kind.plural}.${kind.group}`;
  test(`${name} is served from its contract`, { timeout: 30_000 }, async () => {
    const live = await established(name);
    const complaints = live.status?.conditions?.filter(
      (one) => one.type === "NonStructuralSchema" && one.status === "True",
    );
    assert.deepEqual(complaints, []);
    assert.equal(live.metadata.labels?.[servedFromContract], own.has(kind) ? undefined : "true");
  });
}

test("an unknown field is refused where the contract is closed", { timeout: 30_000 }, async () => {
  await established("clusters.postgresql.cnpg.io");
  const namespace = await engine.namespace("contracts");
  const cluster = Cluster("a", { namespace, spec: { instances: 1 } });
  await client.apply(Cluster, cluster, { dryRun: true });
  const typo = { ...cluster, spec: { ...cluster.spec, instnaces: 2 } };
  await assert.rejects(client.apply(Cluster, typo, { dryRun: true }), (error) => isApiError(error));
});

test("an open part keeps what the contract does not name", { timeout: 30_000 }, async () => {
  await established("virtualmachines.kubevirt.io");
  const namespace = await engine.namespace("contracts");
  const machine = VirtualMachine("a", {
    namespace,
    spec: { template: { metadata: { labels: { a: "b" } }, spec: { domain: { devices: {} } } } },
  });
  const stored = await client.apply(VirtualMachine, machine, { dryRun: true });
  assert.deepEqual(stored.spec.template.metadata, { labels: { a: "b" } });
});

test("an Inventory keeps fields of its spec that are not declared", { timeout: 30_000 }, async () => {
  await established("inventories.internal.cozystack.io");
  const namespace = await engine.namespace("contracts");
  const instance = { group: "apps.cozystack.io", kind: "Redis", name: "a", uid: "u", generation: 1 };
  const stored = await client.apply(
    Inventory,
    Inventory("redis-a", { namespace, spec: { instance, entries: ["/Secret/x/y@z"], digests: { a: "b" } } }),
    { dryRun: true },
  );
  assert.deepEqual(stored.spec, { instance, entries: ["/Secret/x/y@z"], digests: { a: "b" } });
});
