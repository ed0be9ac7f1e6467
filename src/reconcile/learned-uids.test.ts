import assert from "node:assert/strict";
import { test } from "node:test";
import {
  configMap,
  entry,
  live,
  ours,
  owner,
  refTo,
  secret,
  storedSecret,
  want,
} from "../../test/support/plan-cases.ts";
import { keyOf, type ObjectRef } from "../kube/object.ts";
import { emptyRecord, type InventoryEntry, withEntries } from "./inventory-record.ts";
import { learnUids, lostSecret, rememberUids, withUids } from "./learned-uids.ts";
import type { GeneratedAnswer } from "./needs-generated.ts";
import type { Known } from "./plan-types.ts";

const conf = refTo("ConfigMap", "conf");
const auth = refTo("Secret", "auth");
const recordOf = (...entries: readonly InventoryEntry[]) => withEntries(emptyRecord(owner), entries);
const knowing =
  (objects: Readonly<Record<string, Known>>) =>
  (ref: ObjectRef): Known =>
    objects[ref.name] ?? { is: "absent" };

test("what the inventory says goes before what is remembered; what it does not list is not made up", () => {
  const uids = new Map([
    [keyOf(conf), "remembered"],
    [keyOf(auth), "remembered"],
    [keyOf(refTo("ConfigMap", "other")), "remembered"],
  ]);
  const record = withUids(recordOf(entry(conf), entry({ ...auth, uid: "stored" })), uids);
  assert.deepEqual(
    [...record.entries.values()].map(({ ref }) => `${ref.name} ${ref.uid}`),
    ["conf remembered", "auth stored"],
  );
});

test("learned is the uid of what carries our mark, and of nothing else", () => {
  const uids = new Map<string, string>();
  const record = recordOf(entry(conf), entry(auth));
  learnUids(record, knowing({ conf: ours(configMap({})), auth: live(secret({})) }), uids);
  assert.deepEqual([...uids], [[keyOf(conf), "uid-conf"]]);
});

test("what is no longer listed is forgotten", () => {
  const uids = new Map([[keyOf(conf), "old"]]);
  rememberUids(recordOf(entry({ ...auth, uid: "new" })), uids);
  assert.deepEqual([...uids], [[keyOf(auth), "new"]]);
});

const planned = entry(auth, { policy: "createOnly", generated: true });
const answer = (stored: boolean): GeneratedAnswer => ({
  is: "generated",
  name: "auth",
  values: { p: "x" },
  existing: new Set(),
  live: stored ? storedSecret({ p: "x" }) : undefined,
  rotated: new Set(),
  annotations: {},
});

const rows: readonly {
  readonly why: string;
  readonly entries: readonly InventoryEntry[];
  readonly known: Readonly<Record<string, Known>>;
  readonly stored?: true;
  readonly lost: boolean;
}[] = [
  { why: "nothing was made yet", entries: [planned, entry(conf)], known: {}, lost: false },
  {
    why: "what is made after it is there",
    entries: [planned, entry(conf)],
    known: { conf: ours(configMap({})) },
    lost: true,
  },
  {
    why: "it is there, the store is late",
    entries: [planned, entry(conf)],
    known: { conf: ours(configMap({})) },
    stored: true,
    lost: false,
  },
  {
    why: "the other object is somebody else's",
    entries: [planned, entry(conf)],
    known: { conf: live(configMap({})) },
    lost: false,
  },
  {
    why: "the other object is older: it was there when the Secret was planned",
    entries: [planned, entry({ ...conf, uid: "uid-conf" })],
    known: { conf: ours(configMap({})) },
    lost: false,
  },
  { why: "it was never planned", entries: [entry(conf)], known: { conf: ours(configMap({})) }, lost: false },
];

for (const { why, entries, known, stored, lost } of rows) {
  test(`a generated Secret is ${lost ? "" : "not "}lost: ${why}`, () => {
    const wanted = [{ ...want(secret({ p: "x" }), "createOnly"), generated: true }, want(configMap({}))];
    const found = lostSecret(
      recordOf(...entries),
      wanted,
      new Map([["auth", answer(stored === true)]]),
      knowing(known),
    );
    assert.equal(found !== undefined, lost);
  });
}
