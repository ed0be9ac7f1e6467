import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment } from "../contracts/apps.ts";
import { keptChecksum } from "./kept-checksum.ts";

const owner = { "internal.cozystack.io/owner": "x" };
const standsFor = (sum: string) => ({ "internal.cozystack.io/checksum-stands-for": sum });

function live(sum: string | undefined, annotations: Readonly<Record<string, string>> = {}) {
  const metadata = sum === undefined ? {} : { annotations: { "checksum/config": sum } };
  return Deployment("x", { annotations, spec: { selector: {}, template: { metadata, spec: { containers: [] } } } });
}

const fresh = { pods: { "checksum/config": "new" } };
const kept = { pods: { "checksum/config": "old" }, annotations: standsFor("new") };
const rows = [
  { why: "a new Deployment", live: undefined, is: fresh },
  { why: "one that somebody else made is taken over as it runs", live: live("old"), is: kept },
  { why: "one without a checksum gets one", live: live(undefined), is: fresh },
  { why: "one that was taken over stays", live: live("old", { ...owner, ...standsFor("new") }), is: kept },
  {
    why: "one that was taken over, with another configuration",
    live: live("old", { ...owner, ...standsFor("x") }),
    is: fresh,
  },
  { why: "one of ours with another configuration", live: live("old", owner), is: fresh },
  { why: "one of ours", live: live("new", owner), is: fresh },
] as const;

for (const { why, live: running, is } of rows) {
  test(`checksum: ${why}`, () => assert.deepEqual(keptChecksum("new", running), is));
}
