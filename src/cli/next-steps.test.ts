/** What `up` proposes works where it is proposed. */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { demoFolder } from "./demo.ts";
import { parseDocuments, readSources } from "./documents.ts";
import { proposals } from "./next-steps.ts";

const root = resolve(import.meta.dirname, "../..");
const orders = (path: string) =>
  parseDocuments(readSources([resolve(root, path)])).map(({ object: { kind, metadata } }) => ({
    name: `${kind} ${metadata.namespace}/${metadata.name}`,
    namespace: metadata.namespace,
    brings: kind === "Tenant" ? `tenant-${metadata.name}` : undefined,
  }));

test("what is proposed after the demonstration is not in it, and goes into its tenant", () => {
  const demo = orders(demoFolder);
  for (const { name, namespace } of orders(proposals.afterDemo[0])) {
    assert.ok(!demo.some((one) => one.name === name), `${name} would not change`);
    assert.ok(
      demo.some(({ brings }) => brings === namespace),
      `${namespace} is not there`,
    );
  }
});

test("what is proposed on an empty platform brings its own tenant", () => {
  const first = orders(proposals.first[0]);
  const there = new Set(["tenant-root", ...first.flatMap(({ brings }) => brings ?? [])]);
  for (const { name, namespace } of first) assert.ok(there.has(namespace ?? ""), name);
});
