import assert from "node:assert/strict";
import test from "node:test";
import { testEngine } from "../../test/support/engine.ts";
import * as coreKinds from "./core-kinds.ts";
import { isRecord } from "./json.ts";
import { apiVersionOf } from "./object.ts";

test("every core kind is served under the names we give it", async () => {
  const client = (await testEngine()).client();
  const kinds = Object.values(coreKinds);
  assert.ok(kinds.length >= 34);
  for (const kind of kinds) {
    const path = kind.group === "" ? `/api/${kind.version}` : `/apis/${apiVersionOf(kind)}`;
    const answer = await client.raw("GET", path);
    const resources: unknown = isRecord(answer) ? answer["resources"] : [];
    const found = Array.isArray(resources) ? resources.find((entry) => entry.name === kind.plural) : undefined;
    assert.deepEqual(
      { kind: found?.kind, namespaced: found?.namespaced },
      { kind: kind.kind, namespaced: kind.namespaced },
      kind.plural,
    );
  }
});
