import assert from "node:assert/strict";
import test from "node:test";
import { formatRecordEntry, isFinal, parseRecordEntry, type RecordEntry } from "./record.ts";

const object = { group: "apps.cozystack.io", kind: "Kubernetes", namespace: "tenant-a", name: "dev" };

test("an entry is read as it was written", () => {
  const entry: RecordEntry = {
    result: "incomplete",
    at: "2026-01-01T00:00:00Z",
    by: "1.0.0",
    writes: 3,
    message: "denied",
    failed: [object],
  };
  assert.deepEqual(parseRecordEntry(formatRecordEntry(entry)), entry);
});

test("a record has a size, however much failed", () => {
  const failed = Array.from({ length: 5000 }, (_, index) => ({ ...object, name: `cluster-${index}` }));
  const text = formatRecordEntry({ result: "incomplete", at: "", by: "", writes: 0, failed });
  assert.ok(text.length < 5000, `${text.length}`);
});

for (const text of ["", "{", "[]", '"done"', "{}", '{"result":"perfect","at":"x"}', '{"result":"done"}'])
  test(`what this program did not write counts as not done: ${text}`, () =>
    assert.equal(isFinal(parseRecordEntry(text)), false));
