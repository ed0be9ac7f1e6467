import assert from "node:assert/strict";
import { test } from "node:test";
import { impactRulesOf } from "../contracts/index.ts";
import { MASKED } from "./change.ts";
import type { PathSegment } from "./diff.ts";
import { fieldChanges } from "./impact.ts";

const group = "bootstrap.cluster.x-k8s.io";
const kind = "TalosConfigTemplate";

const rows: readonly { readonly why: string; readonly path: readonly PathSegment[]; readonly hidden: boolean }[] = [
  { why: "the field", path: ["spec", "template", "spec", "data"], hidden: true },
  { why: "all around it", path: ["spec", "template"], hidden: true },
  { why: "what is in it", path: ["spec", "template", "spec", "data", 0], hidden: true },
  { why: "another field beside it", path: ["spec", "template", "spec", "talosVersion"], hidden: false },
];

for (const { why, path, hidden } of rows) {
  test(`what a contract hides is not shown: ${why}`, () => {
    const [change] = fieldChanges(
      { group, kind, name: "x" },
      [{ path, before: "token: a", after: "token: b" }],
      impactRulesOf(group, kind),
    );
    assert.equal(change?.from, hidden ? MASKED : "token: a");
    assert.equal(change?.to, hidden ? MASKED : "token: b");
  });
}
