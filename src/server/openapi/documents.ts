/**
 * The OpenAPI documents, version 2 and 3: the same operations and definitions in the words of each.
 */
import { createHash } from "node:crypto";
import type { Answer } from "../answer.ts";
import type { ApiGroup } from "../discovery.ts";
import type { Incoming } from "../incoming.ts";
import { apiVersion } from "../resource.ts";
import { type Definitions, definitions, type Operation, type Parameter, pathsOf } from "./operations.ts";
import type { Schema } from "./schema.ts";

type Fields = Readonly<Record<string, unknown>>;

const info = { title: "Cozystack", version: "v1alpha1" } as const;
const produces = ["application/json", "application/yaml"] as const;

/** A schema as JSON; `at` is where definitions are. */
function schemaOf(schema: Schema & { readonly kinds?: readonly Operation["kind"][] }, at: string): Fields {
  if (schema.ref !== undefined) return { $ref: `${at}${schema.ref}` };
  const { properties, items, additionalProperties, open, kinds, ref: _, ...plain } = schema;
  return {
    ...plain,
    ...(properties === undefined ? {} : { properties: mapped(properties, (one) => schemaOf(one, at)) }),
    ...(items === undefined ? {} : { items: schemaOf(items, at) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: schemaOf(additionalProperties, at) }),
    ...(open === true ? { "x-kubernetes-preserve-unknown-fields": true } : {}),
    ...(kinds === undefined ? {} : { "x-kubernetes-group-version-kind": kinds }),
  };
}

function mapped<T, R>(map: Readonly<Record<string, T>>, change: (value: T) => R): Readonly<Record<string, R>> {
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
}

const allDefinitions = (all: Definitions, at: string): Fields => mapped(all, (schema) => schemaOf(schema, at));

const extensions = ({ action, kind }: Operation): Fields => ({
  "x-kubernetes-action": action,
  "x-kubernetes-group-version-kind": kind,
});

const v2Reference = "#/definitions/";

const v2Parameter = ({ name, in: place, type, description }: Parameter): Fields => ({
  name,
  in: place,
  type,
  description,
  ...(place === "path" ? { required: true } : {}),
  uniqueItems: true,
});

function v2Operation(operation: Operation, tag: string): Fields {
  const { id, description, parameters, body, answers } = operation;
  const bodyParameter = body && {
    name: "body",
    in: "body",
    ...(body.required ? { required: true } : {}),
    schema: { $ref: `${v2Reference}${body.definition}` },
  };
  return {
    operationId: id,
    description,
    tags: [tag],
    consumes: body?.types ?? ["*/*"],
    produces: [...produces, ...(operation.action === "list" ? ["application/json;stream=watch"] : [])],
    schemes: ["https"],
    parameters: [...(bodyParameter === undefined ? [] : [bodyParameter]), ...parameters.map(v2Parameter)],
    responses: Object.fromEntries(
      answers.map(([status, definition, told]) => [
        status,
        { description: told, schema: { $ref: `${v2Reference}${definition}` } },
      ]),
    ),
    ...extensions(operation),
  };
}

/** The whole of OpenAPI 2. */
export function openApiV2(api: ApiGroup): Fields {
  const tag = api.group;
  return {
    swagger: "2.0",
    info,
    paths: Object.fromEntries(
      pathsOf(api).map(({ path, parameters, operations }) => [
        path,
        {
          ...Object.fromEntries(operations.map((operation) => [operation.method, v2Operation(operation, tag)])),
          parameters: parameters.map(v2Parameter),
        },
      ]),
    ),
    definitions: allDefinitions(definitions(api), v2Reference),
  };
}

const v3Reference = "#/components/schemas/";

const v3Parameter = ({ name, in: place, type, description }: Parameter): Fields => ({
  name,
  in: place,
  description,
  ...(place === "path" ? { required: true } : {}),
  schema: { type },
});

const content = (definition: string, types: readonly string[]): Fields =>
  Object.fromEntries(types.map((type) => [type, { schema: { $ref: `${v3Reference}${definition}` } }]));

function v3Operation(operation: Operation, tag: string): Fields {
  const { id, description, parameters, body, answers } = operation;
  return {
    operationId: id,
    description,
    tags: [tag],
    parameters: parameters.map(v3Parameter),
    ...(body === undefined
      ? {}
      : {
          requestBody: {
            content: content(body.definition, body.types),
            ...(body.required ? { required: true } : {}),
          },
        }),
    responses: Object.fromEntries(
      answers.map(([status, definition, told]) => [
        status,
        { description: told, content: content(definition, produces) },
      ]),
    ),
    ...extensions(operation),
  };
}

/** OpenAPI 3 of the group and version. */
export function openApiV3(api: ApiGroup): Fields {
  const tag = api.group;
  return {
    openapi: "3.0.0",
    info,
    paths: Object.fromEntries(
      pathsOf(api).map(({ path, parameters, operations }) => [
        path,
        {
          ...Object.fromEntries(operations.map((operation) => [operation.method, v3Operation(operation, tag)])),
          parameters: parameters.map(v3Parameter),
        },
      ]),
    ),
    components: { schemas: allDefinitions(definitions(api), v3Reference) },
  };
}

const hashOf = (text: string): string => createHash("sha512").update(text).digest("hex").toUpperCase();

/** What is served below `/openapi/`; undefined for other paths. Made once, since it never changes. */
export function openApiAnswers(api: ApiGroup): (incoming: Incoming) => Answer | undefined {
  const v2 = JSON.stringify(openApiV2(api));
  const v3 = JSON.stringify(openApiV3(api));
  const name = `apis/${apiVersion(api)}`;
  const index = { paths: { [name]: { serverRelativeURL: `/openapi/v3/${name}?hash=${hashOf(v3)}` } } };
  const documents = new Map([
    ["/openapi/v2", v2],
    ["/openapi/v3", JSON.stringify(index)],
    [`/openapi/v3/${name}`, v3],
  ]);
  return (incoming) => {
    const body = documents.get(incoming.path);
    if (body === undefined) return undefined;
    const etag = `"${hashOf(body)}"`;
    const same = incoming.header("if-none-match") === etag;
    const contentType = "application/json";
    return { is: "document", status: same ? 304 : 200, contentType, body: same ? "" : body, headers: { etag } };
  };
}
