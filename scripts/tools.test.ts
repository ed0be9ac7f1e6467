import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";
import { tools } from "./tools.ts";

test("kubectl and helm run, and are unpacked once", () => {
  const { kubectl, helm } = tools();
  assert.match(execFileSync(kubectl, ["version", "--client"], { encoding: "utf8" }), /Client Version: v1\.35\./);
  assert.match(execFileSync(helm, ["version", "--short"], { encoding: "utf8" }), /^v4\./);
  assert.deepEqual(tools(), { kubectl, helm });
});
