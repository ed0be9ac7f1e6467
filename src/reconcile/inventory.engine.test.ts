import assert from "node:assert/strict";
import { test } from "node:test";
import { testEngine } from "../../test/support/engine.ts";
import { installKinds } from "../../test/support/synthetic-app.ts";
import { Inventory } from "../contracts/internal-cozystack-io.ts";
import { keyOf } from "../kube/object.ts";
import { deleteInventory, loadInventory, saveInventory } from "./inventory.ts";
import {
  emptyRecord,
  type InventoryEntry,
  type InventoryRecord,
  withEntries,
  withoutEntries,
} from "./inventory-record.ts";
import { clientView } from "./view.ts";

const engine = await testEngine();
const client = engine.client("cozystack");
await installKinds(client, []);
const namespace = await engine.namespace("inventory");
const view = clientView(client);
const owner = { group: "apps.cozystack.io", kind: "Redis", namespace, name: "db", uid: "u1" };

const entry = (at: number): InventoryEntry => ({
  ref: {
    group: "postgresql.cnpg.io",
    kind: "Cluster",
    namespace,
    name: `a-rather-long-name-of-an-object-${at}`,
    uid: `uid-${at}`,
  },
  policy: "managed",
  desired: "abcdefghijklmnop",
  accepted: "abcdefghijklmnop",
});

const large: InventoryRecord = {
  ...withEntries(
    emptyRecord(owner),
    Array.from({ length: 3000 }, (_, at) => entry(at)),
  ),
  generation: 7,
  rotated: "r",
  references: [{ group: "apps.cozystack.io", kind: "VMDisk", namespace, name: "disk" }],
};

test("a record that is too large for one object is spread, read back whole, changed in place, and goes without a trace", async () => {
  const saved = await saveInventory(client, view, await loadInventory(view, owner), large);
  assert.ok(saved.chunks.length > 1, `${saved.chunks.length} chunks`);
  const loaded = await loadInventory(view, owner);
  assert.deepEqual(loaded.record, large);

  const before = client.counters.writes();
  const fewer = withoutEntries(large, new Set([...large.entries.keys()].slice(0, 1)));
  const changed = await saveInventory(client, view, loaded, fewer);
  assert.equal(client.counters.writes() - before, 1, "only the chunk that changed is written");
  assert.equal((await loadInventory(view, owner)).record.entries.size, 2999);

  await saveInventory(client, view, changed, fewer);
  assert.equal(client.counters.writes() - before, 1, "nothing is written that is true already");

  await deleteInventory(client, (await loadInventory(view, owner)).chunks);
  assert.deepEqual((await client.list(Inventory, { namespace })).items, []);
});

test("uids alone are no reason to write; with what is, they are written", async () => {
  const { uid: _, ...ref } = entry(1).ref;
  const planned = withEntries(emptyRecord(owner), [{ ...entry(1), ref }]);
  const stored = await saveInventory(client, view, await loadInventory(view, owner), planned);
  const before = client.counters.writes();
  const known = await saveInventory(client, view, stored, withEntries(planned, [entry(1)]));
  assert.equal(client.counters.writes(), before);
  assert.equal(known.record.entries.get(keyOf(ref))?.ref.uid, "uid-1");
  const both = await saveInventory(client, view, known, withEntries(planned, [entry(1), entry(2)]));
  assert.equal(client.counters.writes(), before + 1);
  assert.equal((await loadInventory(view, owner)).record.entries.get(keyOf(ref))?.ref.uid, "uid-1");
  await saveInventory(
    client,
    view,
    both,
    withEntries(planned, [{ ...entry(1), ref: { ...ref, uid: "another" } }, entry(2)]),
  );
  assert.equal(client.counters.writes(), before + 2, "another uid than the stored one is");
  await deleteInventory(client, (await loadInventory(view, owner)).chunks);
});

test("an inventory that somebody else has written since is not overwritten", async () => {
  const record = withEntries(emptyRecord(owner), [entry(1)]);
  const mine = await saveInventory(client, view, await loadInventory(view, owner), record);
  const theirs = await loadInventory(view, owner);
  await saveInventory(client, view, theirs, withEntries(record, [entry(2)]));
  await assert.rejects(saveInventory(client, view, mine, withEntries(record, [entry(3)])), { code: "Conflict" });
  await deleteInventory(client, (await loadInventory(view, owner)).chunks);
});
