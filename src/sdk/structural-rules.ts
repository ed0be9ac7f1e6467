/**
 * Completes a structural schema with what needs the whole tree: rules at their fields, immutability, materialised defaults.
 */
import { isRecord } from "../kube/json.ts";
import { type StructuralSchema, StructuralSchemaError, type ValidationRule } from "../kube/structural-schema.ts";
import { defaultOf, valueSchemaOf } from "./defaults.ts";
import { hintsOf, type VolumeHint } from "./hints.ts";
import type { PlacedRule } from "./rules.ts";
import { volumeMessage, volumePattern, zero } from "./volume-size.ts";

interface Place {
  /** The TypeBox schema, which has the hints. */
  readonly source: unknown;
  readonly schema: StructuralSchema;
  readonly path: readonly string[];
  /** Rules below this node, their paths relative to it. */
  readonly rules: readonly PlacedRule[];
  /** An instance may lack an object on the way here, so that removing and setting it anew bypasses a transition rule. */
  readonly optional: boolean;
  readonly atomic: boolean;
}

const say = (path: readonly string[]) => `spec${path.map((part) => `.${part}`).join("")}`;

function celName(name: string): string {
  if (/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name)) return name;
  return name
    .replaceAll("__", "__underscores__")
    .replaceAll(".", "__dot__")
    .replaceAll("-", "__dash__")
    .replaceAll("/", "__slash__");
}

function immutableRule({ path, optional, atomic }: Place): ValidationRule {
  if (optional)
    throw new StructuralSchemaError(say(path), "immutable below an optional object", "Make that object immutable.");
  if (atomic)
    throw new StructuralSchemaError(
      say(path),
      "immutable in a list without keys",
      "Make the list immutable, or keyed.",
    );
  return { rule: "self == oldSelf", message: fixed(path.at(-1) ?? "spec") };
}

const fixed = (name: string) => `${name} is immutable; to change it, move to a new application`;

function keyRule(pattern: string, path: readonly string[]): ValidationRule {
  if (pattern.includes("'"))
    throw new StructuralSchemaError(say(path), "a key pattern with a quote", "Leave quotes out.");
  return { rule: `self.all(k, k.matches(r'${pattern}'))`, message: `every name must match ${pattern}` };
}

/** Only the digits are looked at: the API server may read a quantity for long. */
function volumeRule(volume: VolumeHint): ValidationRule {
  const positive = `!string(self).matches('${zero}')`;
  return { rule: volume === "orNone" ? `self == 0 || ${positive}` : positive, message: volumeMessage(volume) };
}

/** In lists and maps a rule costs as often as there may be items, and a pattern nothing. */
function sizesInItems({ schema, path }: Place, volume: VolumeHint | undefined): Partial<StructuralSchema> {
  if (volume === undefined || !path.includes("*")) return {};
  return { ...schema, pattern: volumePattern, minimum: volume === "orNone" ? 0 : 1 };
}

/** As the API server reads the path of a field. */
function fieldPath(names: readonly string[]): string {
  return names.map((name) => (/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name) ? `.${name}` : `['${name}']`)).join("");
}

function placed({ rule, message, field }: PlacedRule): ValidationRule {
  return { rule, message, ...(field === undefined ? {} : { fieldPath: fieldPath(field) }) };
}

/** An immutable field without a default can be removed and set anew: its parent compares presence. */
function presenceRules(source: Readonly<Record<string, unknown>>): readonly ValidationRule[] {
  const properties = isRecord(source["properties"]) ? source["properties"] : {};
  return Object.entries(properties)
    .filter(([, child]) => hintsOf(child).immutable && isRecord(child) && child["default"] === undefined)
    .map(([name]) => ({
      rule: `has(self.${celName(name)}) == has(oldSelf.${celName(name)})`,
      message: fixed(name),
      fieldPath: fieldPath([name]),
    }));
}

function below(place: Place, name: string, source: unknown, schema: StructuralSchema): StructuralSchema {
  const rules = place.rules
    .filter(({ path }) => path[0] === name)
    .map((rule) => ({ ...rule, path: rule.path.slice(1) }));
  const optional =
    place.optional ||
    (name !== "*" &&
      place.path.length > 0 &&
      isRecord(place.source) &&
      place.source["default"] === undefined &&
      place.path.at(-1) !== "*");
  const atomic =
    place.atomic ||
    (schema !== undefined && place.schema.items !== undefined && place.schema["x-kubernetes-list-type"] !== "map");
  return complete({ source, schema, path: [...place.path, name], rules, optional, atomic });
}

function complete(place: Place): StructuralSchema {
  const { source, schema, path } = place;
  const node = isRecord(source) ? source : {};
  const hints = hintsOf(node);
  const validations: readonly ValidationRule[] = [
    ...(schema["x-kubernetes-validations"] ?? []),
    ...(hints.immutable ? [immutableRule(place)] : []),
    ...(hints.keyPattern === undefined ? [] : [keyRule(hints.keyPattern, path)]),
    ...(hints.volume === undefined || path.includes("*") ? [] : [volumeRule(hints.volume)]),
    ...presenceRules(node),
    ...place.rules.filter((rule) => rule.path.length === 0).map(placed),
  ];
  const properties = isRecord(node["properties"]) ? node["properties"] : {};
  const known = new Set([
    ...Object.keys(schema.properties ?? {}),
    ...((schema.items ?? schema.additionalProperties) ? ["*"] : []),
  ]);
  const lost = place.rules.find((rule) => rule.path[0] !== undefined && !known.has(rule.path[0]));
  if (lost !== undefined)
    throw new StructuralSchemaError(say(path), `a rule for ${lost.path.join(".")}`, "Name a field of the schema.");
  return {
    ...schema,
    ...sizesInItems(place, hints.volume),
    ...(schema.default === undefined ? {} : { default: defaultOf(node) }),
    ...(schema.properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(schema.properties).map(([name, child]) => [
              name,
              below(place, name, properties[name], child),
            ]),
          ),
        }),
    ...(schema.additionalProperties === undefined
      ? {}
      : { additionalProperties: below(place, "*", valueSchemaOf(node), schema.additionalProperties) }),
    ...(schema.items === undefined ? {} : { items: below(place, "*", node["items"], schema.items) }),
    ...(validations.length === 0 ? {} : { "x-kubernetes-validations": validations }),
  };
}

/**
 * The structural schema of a spec with its rules in place, immutability enforced against removal as well, and every default
 * complete: a rule is evaluated on a default before the API server fills in what it contains.
 * @throws StructuralSchemaError for a rule on a field that does not exist, or an immutable field that can be replaced.
 */
export function withRules(source: unknown, schema: StructuralSchema, rules: readonly PlacedRule[]): StructuralSchema {
  return complete({ source, schema, path: [], rules, optional: false, atomic: false });
}
