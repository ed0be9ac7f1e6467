/** The published OpenAPI documents. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Validator } from "@seriousme/openapi-schema-validator";
import { isRecord, valueAt } from "../../src/kube/json.ts";
import { eventually } from "../support/eventually.ts";
import type { ServerEngine } from "../support/server-engine.ts";

const api = "apis/core.cozystack.io/v1alpha1";

function references(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(references);
  if (!isRecord(value)) return [];
  const { $ref } = value;
  return [...(typeof $ref === "string" ? [$ref] : []), ...Object.values(value).flatMap(references)];
}

function dangling(document: unknown): readonly string[] {
  return [...new Set(references(document))].filter((reference) => {
    const path = reference.slice(2).split("/");
    return !reference.startsWith("#/") || valueAt(document, ...path) === undefined;
  });
}

export function openApiSuite(engine: () => ServerEngine): void {
  test("OpenAPI 3 is valid, its names hold no slash and every reference resolves (feature 165)", async () => {
    const client = engine().client();
    const url = await eventually("the API server has taken it in", async () => {
      // It calls its index plain text.
      const index = await client.raw("GET", "/openapi/v3");
      return valueAt(typeof index === "string" ? JSON.parse(index) : index, "paths", api, "serverRelativeURL");
    });
    assert.match(String(url), /hash=[0-9A-F]+/);
    const document = await client.raw("GET", String(url));
    assert.ok(isRecord(document));
    const result = await new Validator().validate({ ...document });
    assert.ok(result.valid, JSON.stringify(result.errors));
    assert.deepEqual(dangling(document), []);
    const schemas = Object.keys(valueAt(document, "components", "schemas") ?? {});
    assert.ok(schemas.includes("io.cozystack.core.v1alpha1.TenantSecret"));
    assert.deepEqual(
      schemas.filter((name) => !/^[A-Za-z0-9.]+$/.test(name)),
      [],
    );
  });

  test("OpenAPI 2 is part of the cluster's document, in which every reference of ours resolves (feature 165)", async () => {
    const client = engine().client();
    const merged = await eventually("the API server has taken it in", async () => {
      const document = await client.raw("GET", "/openapi/v2");
      return valueAt(document, "definitions", "io.cozystack.core.v1alpha1.TenantSecret") === undefined
        ? undefined
        : document;
    });
    assert.deepEqual(dangling(merged), []);
    const paths = Object.keys(valueAt(merged, "paths") ?? {}).filter((path) => path.startsWith(`/${api}/`));
    assert.ok(paths.includes(`/${api}/namespaces/{namespace}/tenantsecrets/{name}`));
    const patch = valueAt(
      merged,
      "paths",
      `/${api}/namespaces/{namespace}/tenantsecrets/{name}`,
      "patch",
      "parameters",
    );
    assert.ok(Array.isArray(patch) && patch.some((parameter) => valueAt(parameter, "name") === "fieldValidation"));
  });
}
