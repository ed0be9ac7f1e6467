/**
 * What people have written for the applications being replaced passes the definitions in the real API server, rules included,
 * and comes back with the defaults that we compute.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import fc from "fast-check";
import { type ErrorCause, isApiError } from "../../src/kube/errors.ts";
import type { Kind } from "../../src/kube/object.ts";
import { readSpec } from "../../src/sdk/check.ts";
import { testEngine } from "../support/engine.ts";
import { allApps } from "./apps.ts";
import { type ApplicationObject, kindOf, serve } from "./install.ts";
import { overrides, rules } from "./narrower.ts";
import { haveUpstream, upstreamSchema, valuesOf } from "./upstream-schema.ts";
import { volumeOverrides } from "./volumes.ts";

const skip = haveUpstream ? false : "the former schemas are not at hand";
const engine = await testEngine();
const client = engine.client();
const namespace = await engine.namespace("schemas");
const apps = (await allApps()).filter(({ folder }) => upstreamSchema(folder) !== undefined);

before(() =>
  serve(
    client,
    apps.map(({ app }) => app),
  ),
);

/** The object as stored; undefined where only rules that are declared refuse it. */
async function create(
  object: ApplicationObject,
  kind: Kind<ApplicationObject>,
  declared: readonly { readonly message: string }[],
): Promise<ApplicationObject | undefined> {
  try {
    return await client.create(kind, object, { dryRun: true });
  } catch (error) {
    if (!isApiError(error, "Invalid")) throw error;
    const known = ({ message = "" }: ErrorCause) => declared.some((rule) => message.includes(`: ${rule.message}`));
    if (error.causes.length > 0 && error.causes.every(known)) return undefined;
    throw error;
  }
}

for (const { app, folder } of apps) {
  const schema = upstreamSchema(folder) ?? {};
  const kind = kindOf(app);
  const name = app.module ? app.kind.toLowerCase() : "x";

  test(`the API server accepts what ${app.kind} accepted, declared rules apart`, { skip }, async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(valuesOf(schema, "", { ...volumeOverrides(app.schema), ...overrides(folder) }), async (spec) => {
        const stored = await create(kind(name, { namespace, spec }), kind, rules[folder] ?? []);
        if (stored === undefined) return;
        accepted += 1;
        assert.deepEqual(readSpec(app.schema, stored.spec), readSpec(app.schema, spec));
      }),
      { numRuns: 60 },
    );
    assert.ok(accepted > 0, "not one document passed");
  });

  test(`the rules declared for ${app.kind} exist`, { skip }, () => {
    const definition = JSON.stringify(app.crd());
    for (const { message } of rules[folder] ?? []) assert.ok(definition.includes(`"message":"${message}`), message);
  });

  test(`${app.kind} without a spec is stored with its defaults`, { skip }, async () => {
    const stored = await client.create(kind, kind(name, { namespace }), { dryRun: true });
    assert.deepEqual(stored.spec, readSpec(app.schema, {}));
  });

  test(`${app.kind} keeps fields that it does not know, and appVersion`, { skip }, async () => {
    const stored = await client.create(
      kind,
      kind(name, { namespace, appVersion: "1.0", spec: { typo: { deep: 1 } } }),
      {
        dryRun: true,
      },
    );
    assert.deepEqual({ ...readSpec(app.schema, {}), typo: { deep: 1 } }, stored.spec);
  });
}
