/** Events as people read them: what was said once is read once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventObject } from "../contracts/core.ts";
import { eventTexts } from "./warning-events.ts";

const event = (at: number, reason: string, message: string, count?: number): EventObject => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: `e${at}`, namespace: "ns" },
  involvedObject: { kind: "Job", namespace: "ns", name: "j" },
  type: "Warning",
  reason,
  message,
  lastTimestamp: new Date(at * 1000).toISOString().replace(".000Z", "Z"),
  ...(count === undefined ? {} : { count }),
});
const refused = (pod: string) => `Error creating: pods "${pod}" is forbidden: exceeded quota: q, requested: cpu=1`;

const rows: { readonly why: string; readonly events: readonly EventObject[]; readonly texts: readonly string[] }[] = [
  { why: "none", events: [], texts: [] },
  {
    why: "the same of one pod after another is one text, with the newest name",
    events: [
      event(1, "Failed", refused("j-aaaaa")),
      event(3, "Failed", refused("j-ccccc")),
      event(2, "Failed", refused("j-bbbbb")),
    ],
    texts: [`Failed: ${refused("j-ccccc")} (3 times)`],
  },
  { why: "counts are added", events: [event(1, "A", "x", 4), event(2, "A", "x")], texts: ["A: x (5 times)"] },
  {
    why: "the newest three of different ones",
    events: [event(1, "A", "x"), event(4, "D", "x"), event(2, "B", "x"), event(3, "C", "x")],
    texts: ["D: x", "C: x", "B: x"],
  },
];

for (const { why, events, texts } of rows) {
  test(`warnings of an object: ${why}`, () => assert.deepEqual(eventTexts(events), texts));
}
