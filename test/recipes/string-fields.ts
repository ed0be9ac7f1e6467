/** Every place in a spec that takes text, found in the schema, with a way to write a text there. */
import { isRecord } from "../../src/kube/json.ts";
import type { App } from "../../src/sdk/app.ts";

export type Json = Readonly<Record<string, unknown>>;

export interface StringField {
  /** `users.*.password`; `*` is a key of a map or a place in a list, a last `*key` the key itself. */
  readonly path: string;
  /** The spec `base` with the text there, and what else it takes for the place to exist. */
  put(base: Json, text: string): Json;
}

/** Texts that some field takes; of those that a required field must have, the first that fits its pattern. */
export const plainTexts = [
  "plain",
  "https://plain.example.org/plain",
  "plain@example.org",
  "15s",
  "3d",
  "10.11.12.0/24",
  "10.11.12.13",
  "1Gi",
  "3",
  "1.2.3",
  "30d",
  "0 3 * * *",
  "0 0 3 * * *",
  "2025-05-01 10:00:00",
  "plain: yes",
  "plain: plain",
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPlain plain",
  "00:25:90:aa:bb:01",
] as const;

function sample(schema: Json): unknown {
  if ("default" in schema) return schema["default"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  if (schema["type"] === "object") return withRequired(schema, {});
  if (schema["type"] === "array") return [];
  if (schema["type"] === "boolean") return false;
  if (schema["type"] === "integer" || schema["type"] === "number") return schema["minimum"] ?? 1;
  const pattern = typeof schema["pattern"] === "string" ? new RegExp(schema["pattern"]) : /^/;
  // Not the text that is tried: where both are in one object they would be taken for each other.
  return ["other", ...plainTexts].find((text) => pattern.test(text)) ?? "other";
}

function withRequired(schema: Json, value: Json): Json {
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"].map(String) : [];
  const missing = required.flatMap((name) => {
    const field = properties[name];
    return name in value || !isRecord(field) ? [] : [[name, sample(field)] as const];
  });
  return { ...Object.fromEntries(missing), ...value };
}

/** What a group does only when it is switched on is switched on. */
function switchedOn(properties: Json, value: Json): Json {
  return "enabled" in properties ? { ...value, enabled: true } : value;
}

const objectOf = (value: unknown): Json => (isRecord(value) ? value : {});

/** All of an application. */
export function stringFields(app: App): readonly StringField[] {
  return fieldsOf(app.schema, "", (base, change) => objectOf(change(base)));
}

type Change = (value: unknown) => unknown;
/** Applies a change to the value at a place within the base. */
type At = (base: Json, change: Change) => Json;

function fieldsOf(schema: unknown, path: string, at: At): readonly StringField[] {
  if (!isRecord(schema)) return [];
  const { type, properties, patternProperties, items, anyOf } = schema;
  const options = Array.isArray(anyOf) ? anyOf : [];
  const isText = type === "string" || options.some((each) => isRecord(each) && each["type"] === "string");
  if (isText) return schema["enum"] === undefined ? [{ path, put: (base, text) => at(base, () => text) }] : [];
  const found: StringField[] = [];
  if (isRecord(properties)) {
    for (const [name, field] of Object.entries(properties)) {
      const below: At = (base, change) =>
        at(base, (value) => {
          const object = switchedOn(properties, withRequired(schema, objectOf(value)));
          return { ...object, [name]: change(object[name]) };
        });
      found.push(...fieldsOf(field, path === "" ? name : `${path}.${name}`, below));
    }
  }
  if (isRecord(patternProperties)) {
    const [value] = Object.values(patternProperties);
    if (isRecord(value)) {
      found.push({
        path: `${path}.*key`,
        put: (base, text) => at(base, (map) => ({ ...objectOf(map), [text]: sample(value) })),
      });
      const below: At = (base, change) =>
        at(base, (map) => ({ ...objectOf(map), other: change(objectOf(map)["other"] ?? sample(value)) }));
      found.push(...fieldsOf(value, `${path}.*`, below));
    }
  }
  if (isRecord(items)) {
    const below: At = (base, change) => at(base, () => [change(sample(items))]);
    found.push(...fieldsOf(items, `${path}.*`, below));
  }
  return found;
}
