/**
 * What people have written for the applications being replaced is accepted, and means the same: for every application whose
 * former schema is known.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { App } from "../../src/sdk/app.ts";
import { readSpec } from "../../src/sdk/check.ts";
import { Refusal } from "../../src/sdk/errors.ts";
import { allApps } from "./apps.ts";
import { added, narrower, overrides } from "./narrower.ts";
import { chartDefaults, haveUpstream, merged, upstreamSchema, valuesOf } from "./upstream-schema.ts";
import { asksForNothing, volumeOverrides, volumesOf } from "./volumes.ts";

const skip = haveUpstream ? false : "the former schemas are not at hand";

const common = (spec: object) => Object.fromEntries(Object.entries(spec).filter(([field]) => !added.has(field)));

function accepts(app: App, spec: unknown): boolean {
  try {
    readSpec(app.schema, spec);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

for (const { app, folder } of await allApps()) {
  const schema = upstreamSchema(folder);
  if (schema === undefined) continue;
  const defaults = chartDefaults({ ...schema, default: {} });

  test(`${app.kind} has the same defaults`, { skip }, () => {
    assert.deepEqual(common(readSpec(app.schema, {})), defaults);
  });

  test(`${app.kind} accepts what was accepted, and reads it the same`, { skip }, () => {
    fc.assert(
      fc.property(valuesOf(schema, "", { ...volumeOverrides(app.schema), ...overrides(folder) }), (values) => {
        const read = readSpec(app.schema, values);
        assert.deepEqual(common(read), merged(defaults, values));
        assert.deepEqual(readSpec(app.schema, read), read, "what was read reads the same again");
      }),
    );
  });

  for (const [path, { reason }] of Object.entries(narrower[folder] ?? {})) {
    test(`${app.kind} accepts less at ${path}: ${reason}`, { skip }, () => {
      const others = { ...volumeOverrides(app.schema), ...overrides(folder, path) };
      const wide = fc.sample(valuesOf(schema, "", others), { numRuns: 2000, seed: 1 });
      assert.ok(!wide.every((values) => accepts(app, values)), "it accepts all: the declaration is out of date");
    });
  }
}

test("a volume of nothing is refused, and of sizes nothing else", { skip }, async () => {
  for (const { app, folder } of await allApps()) {
    const schema = upstreamSchema(folder);
    if (schema === undefined || volumesOf(app.schema).length === 0) continue;
    const wide = fc.sample(valuesOf(schema, "", overrides(folder)), { numRuns: 1000, seed: 1 });
    assert.ok(
      wide.some((values) => asksForNothing(app.schema, values)),
      `${app.kind}: no sample asks for one`,
    );
    for (const values of wide) {
      assert.equal(accepts(app, values), !asksForNothing(app.schema, values), `${app.kind} ${JSON.stringify(values)}`);
    }
  }
});
