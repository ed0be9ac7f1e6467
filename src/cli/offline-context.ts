/**
 * The surroundings of an application without a cluster: from a file, or those of a fresh installation.
 */
import { parse } from "yaml";
import { ROOT } from "../apps/tenant/place.ts";
import { CozystackError } from "../kube/errors.ts";
import { isRecord } from "../kube/json.ts";
import { clusterValues } from "../platform/cluster-values.ts";
import type { AppContext, ClusterValues, Json } from "../sdk/context.ts";
import { rootValues } from "../tenancy/context-table.ts";
import { version } from "./version.ts";

/** A context file that cannot be used. */
export class ContextFileError extends CozystackError {
  constructor(file: string, problem: string) {
    super(
      "ContextInvalid",
      `${file}: ${problem}`,
      "Write a map with any of: cluster, namespace, tenant (namespace, ancestors), chartVersion, apis.",
    );
  }
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * The context of an application in `namespace`: what the file says, the rest as in a fresh installation, where every
 * tenant stands right below the root.
 */
export function offlineContext(
  namespace: string,
  source: { readonly name: string; readonly text: string } | undefined,
): AppContext {
  const given = source === undefined ? {} : fieldsOf(source.name, source.text);
  const file = source?.name ?? "";
  const cluster: ClusterValues = { ...clusterValues(undefined), ...json(mapAt(given, "cluster", file)) };
  const tenant = mapAt(given, "tenant", file);
  const own = typeof tenant["namespace"] === "string" ? tenant["namespace"] : namespace;
  return {
    cluster,
    namespace: { ...rootValues(cluster), ...texts(mapAt(given, "namespace", file)) },
    tenant: { namespace: own, ancestors: textList(tenant["ancestors"]) ?? (own === ROOT ? [] : [ROOT]) },
    chartVersion: typeof given["chartVersion"] === "string" ? given["chartVersion"] : version,
    apis: new Set(textList(given["apis"]) ?? ["cozystack.io/v1alpha1"]),
  };
}

function fieldsOf(file: string, text: string): Fields {
  let value: unknown;
  try {
    value = parse(text);
  } catch (error) {
    throw new ContextFileError(file, error instanceof Error ? (error.message.split("\n")[0] ?? "") : "no YAML");
  }
  if (!isRecord(value)) throw new ContextFileError(file, "is no map");
  return value;
}

function mapAt(given: Fields, key: string, file: string): Fields {
  const value = given[key] ?? {};
  if (!isRecord(value)) throw new ContextFileError(file, `${key} is no map`);
  return value;
}

function texts(fields: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, value === null ? "" : String(value)]));
}

function textList(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}

/** What was parsed is JSON: rebuilt so that the compiler knows it too. */
function json(fields: Fields): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, jsonValue(value)]));
}

function jsonValue(value: unknown): Json {
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "string") return value;
  if (Array.isArray(value)) return value.map(jsonValue);
  return isRecord(value) ? json(value) : null;
}
