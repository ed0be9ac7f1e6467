import assert from "node:assert/strict";
import { test } from "node:test";
import { type Amounts, BudgetInvalid, formatAmounts, parseAmounts } from "./amounts.ts";
import { type Ledger, ledgerOf, merged, objectOf } from "./ledger.ts";
import { isEmpty, type Row, reserved, seenAs, seenGone } from "./row.ts";

const cpu = (cores: number): Amounts => parseAmounts({ cpu: cores });
const empty: Row = { owns: "tenant-a", name: "a", ancestors: ["tenant-root"], pending: [] };
const seen = (version: string, cores: number, uid = "one") => ({ uid, version, amounts: cpu(cores) });
const update = (base: string, cores: number, at = 100) => ({ base, amounts: cpu(cores), at });
const create = (uid: string, cores: number, at = 100) => ({ uid, amounts: cpu(cores), at });
const bases = ({ pending }: Row) => pending.map((one) => ("uid" in one ? one.uid : one.base));

test("the same write asked for again is one reservation, with the later time", () => {
  const row = reserved(reserved(empty, create("u", 2, 100)), create("u", 2, 200));
  assert.deepEqual(row.pending, [create("u", 2, 200)]);
  assert.equal(reserved(row, create("other", 2)).pending.length, 2);
});

test("an update is over once its object has another version, whether it was stored or not", () => {
  const row = reserved(reserved({ ...empty, stored: seen("5", 4) }, update("5", 9)), update("5", 2));
  assert.equal(seenAs(row, seen("5", 4)), row, "nothing has happened yet");
  const after = seenAs(row, seen("8", 9));
  assert.deepEqual([after.stored?.amounts, after.pending], [cpu(9), []]);
});

test("a create is over when its object is seen, not when another of the name is", () => {
  const row = reserved(reserved(empty, create("one", 1)), create("two", 2));
  assert.deepEqual(bases(seenAs(row, seen("7", 1, "one"))), ["two"]);
});

test("an old sight changes nothing", () => {
  const row = reserved({ ...empty, stored: seen("10", 4) }, update("10", 9));
  assert.equal(seenAs(row, seen("9", 1)), row);
  assert.equal(seenGone(row, { asOf: "9" }), row);
  assert.equal(seenGone(row, { asOf: "11" }).stored, undefined);
});

test("a create that has arrived is over, also when its object has gone again, in a sight that would show it", () => {
  const row = reserved(reserved(empty, create("gone", 1)), create("coming", 2));
  const landed = (uid: string) => (uid === "gone" ? "9" : undefined);
  assert.deepEqual(bases(seenGone(row, { asOf: "8", landed })), ["gone", "coming"]);
  assert.deepEqual(bases(seenGone(row, { asOf: "9", landed })), ["coming"]);
  assert.deepEqual(bases(seenAs(row, seen("12", 3, "another"), { asOf: "12", landed })), ["coming"]);
});

test("age ends a reservation only in a sight that is newer than it", () => {
  const row = reserved(reserved({ ...empty, stored: seen("5", 4) }, update("5", 9, 100)), create("x", 1, 300));
  assert.deepEqual(bases(seenAs(row, seen("5", 4))), ["5", "x"]);
  assert.deepEqual(bases(seenAs(row, seen("5", 4), { expiredBefore: 200 })), ["x"]);
  assert.deepEqual(bases(seenGone(row, { asOf: "6", expiredBefore: 200 })), ["x"]);
});

test("a row holds nothing when its tenant is gone or has no budget, and no write is under way", () => {
  assert.ok(isEmpty(empty));
  assert.ok(isEmpty({ ...empty, stored: { uid: "u", version: "1", amounts: new Map() } }));
  assert.ok(!isEmpty(reserved(empty, create("u", 1))));
});

test("a ledger is the same after it was stored and read; empty rows are not stored", () => {
  const rows = new Map([
    ["tenant-a", reserved(reserved({ ...empty, stored: seen("5", 4) }, update("5", 9)), create("x", 1))],
    ["tenant-b", { ...empty, owns: "tenant-b", name: "b" }],
  ]);
  const ledger: Ledger = { tenant: "tenant-root", ancestors: [], complete: true, rows };
  const read = ledgerOf(objectOf(ledger));
  assert.deepEqual([...read.rows], [...rows].slice(0, 1));
  assert.deepEqual({ ...read, rows }, ledger);
});

test("a row that two ledgers have counts as both say", () => {
  const old = reserved({ ...empty, stored: seen("5", 4) }, update("5", 9));
  const recent = reserved({ ...empty, stored: seen("8", 2) }, update("8", 3));
  const row = merged([new Map([["tenant-a", old]]), new Map([["tenant-a", recent]])]).get("tenant-a");
  assert.equal(row?.stored?.version, "8");
  assert.deepEqual(row === undefined ? [] : bases(row).toSorted(), ["5", "8"]);
});

const unreadable = [
  { why: "below 0", value: "-1" },
  { why: "no number", value: "lots" },
  { why: "no scalar", value: {} },
];
for (const { why, value } of unreadable) {
  test(`an amount that is ${why} is refused with its field`, () => {
    assert.throws(
      () => parseAmounts({ cpu: value }),
      (error) => error instanceof BudgetInvalid && error.field === "spec.resourceQuotas[cpu]",
    );
  });
}

test("amounts are written as people write them, bytes in powers of 1024", () => {
  const amounts = parseAmounts({ memory: "1024Mi", storage: "5Ti", cpu: 1.5, "count/pods": "3", "nvidia.com/gpu": 2 });
  assert.deepEqual(formatAmounts(amounts), {
    "count/pods": "3",
    cpu: "1500m",
    memory: "1Gi",
    "nvidia.com/gpu": "2",
    storage: "5Ti",
  });
});
