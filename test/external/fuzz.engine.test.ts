/** Whatever a definition's schema says, what is made of it is served by a real API server. */
import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { isApiError } from "../../src/kube/errors.ts";
import { isRecord } from "../../src/kube/json.ts";
import { CustomResourceDefinition } from "../../src/kube/kinds/extension.ts";
import { SchemaProblem } from "../../src/sdk/external/schema.ts";
import { testEngine } from "../support/engine.ts";
import { appOfDefinition, definition } from "./definition.ts";
import { anySchema } from "./schemas.ts";

const engine = await testEngine();
const client = engine.client();

test("the API server accepts what is made of any schema", {
  timeout: 240_000,
}, async () => {
  let served = 0;
  await fc.assert(
    fc.asyncProperty(anySchema, async (schema) => {
      let crd: ReturnType<ReturnType<typeof appOfDefinition>["crd"]>;
      try {
        crd = appOfDefinition(definition({ kind: "Fuzzed", schema })).crd();
      } catch (error) {
        assert.ok(error instanceof SchemaProblem, String(error));
        return;
      }
      try {
        await client.apply(CustomResourceDefinition, crd, { dryRun: true });
        served += 1;
      } catch (error) {
        assert.ok(isApiError(error), String(error));
        assert.fail(`${error.message}\n${JSON.stringify(crd.spec.versions[0]?.schema)}`);
      }
    }),
    { numRuns: 400 },
  );
  // About half of them can be; far fewer would mean that the generator tries nothing any more.
  assert.ok(served > 100, `only ${served} were served`);
});

test("what is served keeps values that the schema does not name", async () => {
  const crd = appOfDefinition(definition({ kind: "Kept" })).crd();
  const [version] = crd.spec.versions;
  const spec = version?.schema?.openAPIV3Schema?.properties?.["spec"];
  const openIn = (schema: unknown): void => {
    if (!isRecord(schema)) return;
    if (schema["type"] === "object" && schema["additionalProperties"] === undefined) {
      assert.equal(schema["x-kubernetes-preserve-unknown-fields"], true);
    }
    for (const child of Object.values(isRecord(schema["properties"]) ? schema["properties"] : {})) openIn(child);
  };
  openIn(spec);
  await client.apply(CustomResourceDefinition, crd, { dryRun: true });
});
