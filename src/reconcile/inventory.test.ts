import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Inventory } from "../contracts/internal-cozystack-io.ts";
import { type KubeObject, keyOf } from "../kube/object.ts";
import { loadInventory } from "./inventory.ts";
import { emptyRecord, formatEntry, type InventoryEntry, inherit, parseEntry, withEntries } from "./inventory-record.ts";
import type { View } from "./view.ts";

const owner = { group: "apps.cozystack.io", kind: "Redis", namespace: "tenant-a", name: "db", uid: "u1" };

const name = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,20}[a-z0-9])?$/);
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const entries: fc.Arbitrary<InventoryEntry> = fc
  .record({
    group: fc.constantFrom("", "apps", "postgresql.cnpg.io"),
    kind: fc.constantFrom("Secret", "Cluster"),
    namespace: some(name),
    name,
    uid: some(fc.uuid()),
    policy: fc.constantFrom("managed", "createOnly", "keep", "runOnce"),
    flags: fc.subarray(["generated", "retired", "succeeded", "superseded", "inherited"]),
    digests: fc.constantFrom(
      {},
      { desired: "abcdefghijklmno_" },
      { desired: "abcdefghijklmno_", accepted: "-bcdefghijklmnop" },
    ),
  })
  .map(({ group, kind, namespace, name: named, uid, policy, flags, digests }) => ({
    ref: {
      group,
      kind,
      name: named,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
    },
    policy,
    ...Object.fromEntries(flags.map((flag) => [flag, true])),
    ...digests,
  }));

test("property: an entry is read back as it was written", () => {
  fc.assert(fc.property(entries, (entry) => assert.deepEqual(parseEntry(formatEntry(entry)), entry)));
});

test("a line that this program did not write is no entry", () => {
  for (const line of ["", "x", "/Secret/a/b", "/Secret/a/b z", "Secret m", "/Secret/a/b@u "]) {
    assert.equal(parseEntry(line), undefined, line);
  }
});

test("another uid's inventory is evidence, not authority: every entry is inherited, no state of it is believed", () => {
  const entry: InventoryEntry = {
    ref: { group: "", kind: "Secret", namespace: "tenant-a", name: "s", uid: "x" },
    policy: "managed",
    generated: true,
    desired: "d",
    accepted: "a",
  };
  const record = inherit(withEntries(emptyRecord({ ...owner, uid: "u0" }), [entry]), owner);
  assert.deepEqual(record.formerUids, ["u0"]);
  assert.equal(record.owner.uid, "u1");
  assert.deepEqual(
    [...record.entries.values()],
    [{ ref: entry.ref, policy: "managed", inherited: true, generated: true }],
  );
});

function viewOf(objects: readonly KubeObject[]): View {
  const find = (wanted: string) => Promise.resolve(objects.find(({ metadata }) => metadata.name === wanted));
  const no = () => Promise.reject(new Error("not asked for in this test"));
  return {
    serves: no,
    look: no,
    read: (_, wanted) => find(wanted),
    fresh: (_, wanted) => find(wanted),
    list: no,
    wrote: () => undefined,
  };
}

const chunk = (at: number, lines: readonly string[], uid = "u1") =>
  Inventory(at === 0 ? "redis.db" : `redis.db.${at}`, {
    namespace: "tenant-a",
    spec: {
      instance: { group: owner.group, kind: owner.kind, name: owner.name, uid, generation: 4 },
      entries: lines,
      ...(at === 0
        ? { rotated: "r", storage: [{ group: "", kind: "PersistentVolumeClaim", labels: { a: "b" } }] }
        : {}),
    },
  });

test("chunks are read as one record", async () => {
  const { record, chunks } = await loadInventory(
    viewOf([chunk(0, ["/Secret/tenant-a/one m"]), chunk(1, ["/Secret/tenant-a/two@x c"])]),
    owner,
  );
  assert.equal(chunks.length, 2);
  assert.deepEqual([...record.entries.keys()], ["/Secret/tenant-a/one", "/Secret/tenant-a/two"]);
  assert.equal(record.rotated, "r");
  assert.equal(record.generation, 4);
  assert.deepEqual(record.storage, [{ group: "", kind: "PersistentVolumeClaim", labels: { a: "b" } }]);
});

test("no inventory is an empty record; an inventory of another uid is inherited", async () => {
  const none = await loadInventory(viewOf([]), owner);
  assert.deepEqual([none.record, none.chunks], [emptyRecord(owner), []]);
  const { record } = await loadInventory(viewOf([chunk(0, ["/Secret/tenant-a/one@x m"], "u0")]), owner);
  assert.equal(
    record.entries.get(keyOf({ group: "", kind: "Secret", namespace: "tenant-a", name: "one" }))?.inherited,
    true,
  );
});
