import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { Resource } from "../resource.ts";
import { nameColumn } from "../table.ts";
import { openApiAnswers, openApiV2, openApiV3 } from "./documents.ts";

const resource = (operations: Resource["operations"]): Resource => ({
  names: {
    group: "things.example.com",
    version: "v1",
    kind: "Thing",
    plural: "things",
    singular: "thing",
    namespaced: true,
  },
  verbs: [],
  columns: [nameColumn],
  schema: {
    type: "object",
    description: "A thing.",
    properties: { size: { type: "integer", description: "Its size." } },
  },
  operations,
});

const nothing = () => Promise.reject(new Error("not called"));

const cases: readonly { readonly why: string; readonly operations: Resource["operations"] }[] = [
  { why: "read only", operations: { get: nothing, list: nothing, watch: nothing } },
  { why: "create only", operations: { create: nothing } },
  {
    why: "everything",
    operations: {
      get: nothing,
      list: nothing,
      watch: nothing,
      create: nothing,
      update: nothing,
      patch: nothing,
      delete: nothing,
    },
  },
];

for (const { why, operations } of cases) {
  test(`both documents are valid: ${why}`, async () => {
    const api = { group: "things.example.com", version: "v1", resources: [resource(operations)] };
    for (const document of [openApiV2(api), openApiV3(api)]) {
      const result = await new Validator().validate({ ...document });
      assert.ok(result.valid, JSON.stringify(result.errors));
    }
  });
}

test("documents are told apart by tags, and not sent twice", () => {
  const answers = openApiAnswers({
    group: "things.example.com",
    version: "v1",
    resources: [resource({ get: nothing })],
  });
  const ask = (path: string, tag?: string) =>
    answers({
      method: "GET",
      path,
      query: new URLSearchParams(),
      header: (name) => (name === "if-none-match" ? tag : undefined),
      signal: new AbortController().signal,
      body: async () => "",
    });
  const first = ask("/openapi/v2");
  assert.ok(first?.is === "document" && first.status === 200);
  const again = ask("/openapi/v2", first.headers?.["etag"]);
  assert.ok(again?.is === "document" && again.status === 304 && again.body === "");
  assert.equal(ask("/openapi/v3/apis/other/v1"), undefined);
});
