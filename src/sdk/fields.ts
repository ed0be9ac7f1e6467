/**
 * The building blocks of a spec's schema. Each gives a TypeBox schema with the bounds and hints that the API server, the form
 * and the documentation read. A field is:
 *
 * - always there, with `default`: the API server fills it in;
 * - asked for, with `required: true`;
 * - else optional: absent unless its user sets it.
 */
import Type, {
  type TArray,
  type TBoolean,
  type TEnum,
  type TInteger,
  type TObject,
  type TOptional,
  type TProperties,
  type TRecord,
  type TSchema,
  type TString,
  type TUnsafe,
} from "typebox";
import type { OptionSource } from "./hints.ts";
import { quantityPattern } from "./quantity.ts";

export interface Described {
  readonly title?: string;
  /** Shown by `kubectl explain`, the form and the reference. */
  readonly description?: string;
  /** Where the form finds the values to offer. */
  readonly options?: OptionSource;
}

export type WithDefault<D> = { readonly default: D; readonly required?: never };
type Required = { readonly required: true; readonly default?: never };
type Presence<D> = { readonly default?: D; readonly required?: true };

/** The keywords that a builder's options become; `undefined` ones are left out. */
function keywords(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { required: _, options: source, keyPattern, key, ...rest } = options;
  const all = {
    ...rest,
    ...(source === undefined ? {} : { "x-cozystack-options": { source } }),
    ...(keyPattern === undefined ? {} : { "x-cozystack-key-pattern": keyPattern }),
    ...(key === undefined ? {} : { "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": [key] }),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function present(schema: TSchema, options: Presence<unknown>): TSchema {
  return options.required === true || options.default !== undefined ? schema : Type.Optional(schema);
}

interface TextOptions extends Described {
  /** RE2, anchored by yourself. */
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** A string. */
export function text(options: TextOptions & (WithDefault<string> | Required)): TString;
export function text(options?: TextOptions): TOptional<TString>;
export function text(options: TextOptions & Presence<string> = {}): TSchema {
  return present(Type.String(keywords({ ...options })), options);
}

/** A boolean. */
export function flag(options: Described & (WithDefault<boolean> | Required)): TBoolean;
export function flag(options?: Described): TOptional<TBoolean>;
export function flag(options: Described & Presence<boolean> = {}): TSchema {
  return present(Type.Boolean(keywords({ ...options })), options);
}

interface IntegerOptions extends Described {
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A whole number. */
export function integer(options: IntegerOptions & (WithDefault<number> | Required)): TInteger;
export function integer(options?: IntegerOptions): TOptional<TInteger>;
export function integer(options: IntegerOptions & Presence<number> = {}): TSchema {
  return present(Type.Integer(keywords({ ...options })), options);
}

/** How many copies run; at least 0 unless `minimum` says otherwise. */
export function replicas(options: IntegerOptions & WithDefault<number>): TInteger {
  return integer({ minimum: 0, ...options });
}

/** One of a list of values, or of the keys of a table such as version to image. */
export function oneOf<const V extends string>(
  values: readonly V[] | Readonly<Record<V, unknown>>,
  options: Described & (WithDefault<NoInfer<V>> | Required),
): TEnum<V[]>;
export function oneOf<const V extends string>(
  values: readonly V[] | Readonly<Record<V, unknown>>,
  options?: Described,
): TOptional<TEnum<V[]>>;
export function oneOf(
  values: readonly string[] | Readonly<Record<string, unknown>>,
  options: Described & Presence<string> = {},
): TSchema {
  const list: readonly string[] = Array.isArray(values) ? values : Object.keys(values);
  return present(Type.Enum([...list], keywords({ type: "string", ...options })), options);
}

/**
 * A quantity such as `10Gi` or `500m`: a string, or a whole number, never less than nothing. With `nullable` null takes the
 * default away, as in upstream's releases, and render sees the field absent.
 */
export function quantity(
  options: Described & { readonly default: string | number; readonly nullable: true },
): TOptional<TUnsafe<string | number>>;
export function quantity(options: Described & (WithDefault<string | number> | Required)): TUnsafe<string | number>;
export function quantity(options?: Described): TOptional<TUnsafe<string | number>>;
export function quantity(options: Described & Presence<string | number> & { readonly nullable?: true } = {}): TSchema {
  const schema = intOrString({ pattern: quantityPattern, minimum: 0, ...options });
  return options.nullable === true ? Type.Optional(schema) : present(schema, options);
}

/**
 * The size of a volume: a quantity above 0, which the API server refuses on writing and render refuses again. With `none` the
 * number 0 and null stand for no volume, and render sees null as absent.
 */
export function volumeSize(
  options: Described & { readonly default: string | number; readonly none: true },
): TOptional<TUnsafe<string | number>>;
export function volumeSize(
  options: Described & (WithDefault<string | number> | Required) & { readonly none?: never },
): TUnsafe<string | number>;
export function volumeSize(options?: Described): TOptional<TUnsafe<string | number>>;
export function volumeSize(options: Described & Presence<string | number> & { readonly none?: true } = {}): TSchema {
  const { none, ...rest } = options;
  const hint = none === true ? { "x-cozystack-volume": "orNone", nullable: true } : { "x-cozystack-volume": "always" };
  const schema = intOrString({ pattern: quantityPattern, minimum: 0, ...rest, ...hint });
  return none === true ? Type.Optional(schema) : present(schema, rest);
}

/** A whole number or a string, such as a database parameter or a port by number or name. */
export function intOrStringField(
  options: TextOptions & (WithDefault<string | number> | Required),
): TUnsafe<string | number>;
export function intOrStringField(options?: TextOptions): TOptional<TUnsafe<string | number>>;
export function intOrStringField(options: TextOptions & Presence<string | number> = {}): TSchema {
  return present(intOrString({ ...options }), options);
}

function intOrString(options: Readonly<Record<string, unknown>>): TSchema {
  return Type.Unsafe<string | number>(
    Type.Union([Type.Integer(), Type.String()], { ...keywords(options), "x-kubernetes-int-or-string": true }),
  );
}

/** The StorageClass of volumes; empty for the cluster's default. Offered from the cluster's classes. */
export function storageClassName(
  options: Described & { readonly default?: string; readonly pattern?: string } = {},
): TString {
  return text({
    default: "",
    maxLength: 253,
    description: "StorageClass of the volumes. Empty: the cluster's default.",
    options: "storageclass",
    ...options,
  });
}

interface MapOptions extends Described {
  readonly maxProperties?: number;
  /** RE2 that every key must match. */
  readonly keyPattern?: string;
}

/** Values by name. Without `default` or `optional` it is `{}`. */
export function mapOf<V extends TSchema>(
  value: V,
  options: MapOptions & { readonly optional: true },
): TOptional<TRecord<string, V>>;
export function mapOf<V extends TSchema>(
  value: V,
  options?: MapOptions & { readonly default?: object },
): TRecord<string, V>;
export function mapOf(
  value: TSchema,
  options: MapOptions & { readonly default?: object; readonly optional?: true } = {},
): TSchema {
  const { optional, ...rest } = options;
  if (optional === true) return Type.Optional(Type.Record(Type.String(), value, keywords({ ...rest })));
  return Type.Record(Type.String(), value, keywords({ default: {}, ...rest }));
}

interface ListOptions extends Described {
  /** Field by which items are told apart: no two have the same, and rules on an item compare it with its former self. */
  readonly key?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** A list, replaced as a whole. Without `default` or `optional` it is empty. */
export function listOf<I extends TSchema>(
  item: I,
  options: ListOptions & { readonly optional: true },
): TOptional<TArray<I>>;
export function listOf<I extends TSchema>(
  item: I,
  options?: ListOptions & { readonly default?: readonly unknown[] },
): TArray<I>;
export function listOf(
  item: TSchema,
  options: ListOptions & { readonly default?: readonly unknown[]; readonly optional?: true } = {},
): TSchema {
  const { optional, ...rest } = options;
  if (optional === true) return Type.Optional(Type.Array(item, keywords({ ...rest })));
  return Type.Array(item, keywords({ default: [], ...rest }));
}

/** Fields under one name, there even when its user leaves it out. Unknown fields in it are kept but never rendered. */
export function group<F extends TProperties>(fields: F, options: Described = {}): TObject<F> {
  return open(fields, { ...options, default: {} });
}

/** An object without a default: for items of lists, values of maps and, within `Type.Optional`, choices. */
export function open<F extends TProperties>(
  fields: F,
  options: Described & { readonly default?: object } = {},
): TObject<F> {
  return Type.Object(fields, { ...keywords({ ...options }), "x-kubernetes-preserve-unknown-fields": true });
}

/** The field, unchangeable once its object exists. In lists only where they are keyed. */
export function immutable<S extends TSchema>(schema: S): S {
  return marked(schema, { "x-cozystack-immutable": true });
}

/** An object whose unknown fields go on as they are, to somebody who may know them: nobody is told that they have no effect. */
export function passedOn<S extends TSchema>(schema: S): S {
  return marked(schema, { "x-cozystack-unknown": "passed" });
}

/** A copy with TypeBox's hidden properties, which spreading leaves out. */
function marked<S extends TSchema>(schema: S, hints: Readonly<Record<string, unknown>>): S {
  const copy = Object.defineProperties({ ...schema }, Object.getOwnPropertyDescriptors(schema));
  return Object.assign(copy, hints);
}
