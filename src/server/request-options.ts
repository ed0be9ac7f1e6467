/**
 * The query of a request, checked: what Kubernetes calls GetOptions, ListOptions and so on.
 */
import type { Incoming } from "./incoming.ts";
import { badRequest, StatusError } from "./status.ts";

export interface ReadOptions {
  readonly watch: boolean;
  readonly labelSelector: string;
  readonly fieldSelector: string;
  /** Empty: not given. */
  readonly resourceVersion: string;
  readonly resourceVersionMatch: "" | "Exact" | "NotOlderThan";
  readonly sendInitialEvents: boolean | undefined;
  readonly allowWatchBookmarks: boolean;
  readonly timeoutSeconds: number | undefined;
  /** 0: no limit. */
  readonly limit: number;
  readonly continue: string;
}

export interface WriteRequestOptions {
  readonly dryRun: boolean;
  /** Empty: not given. */
  readonly fieldManager: string;
  /** Who owns the fields of a write that names no manager: the program that the user agent names. */
  readonly defaultManager: string;
  readonly fieldValidation: "Strict" | "Warn" | "Ignore";
  readonly force: boolean;
}

function flag(query: URLSearchParams, name: string): boolean | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  return !["0", "f", "false"].includes(value.toLowerCase());
}

function count(query: URLSearchParams, name: string): number | undefined {
  const value = query.get(name);
  if (value === null || value === "") return undefined;
  if (!/^\d{1,15}$/.test(value))
    throw badRequest(`${name}: ${JSON.stringify(value)} is not a whole number of at least 0`);
  return Number(value);
}

function version(query: URLSearchParams): string {
  const value = query.get("resourceVersion") ?? "";
  if (/^\d*$/.test(value)) return value;
  throw badRequest(`resourceVersion: ${JSON.stringify(value)} is not a resource version`);
}

function oneOf<T extends string>(query: URLSearchParams, name: string, allowed: readonly T[], otherwise: T): T {
  const value = query.get(name) ?? "";
  if (value === "") return otherwise;
  const found = allowed.find((one) => one === value);
  if (found !== undefined) return found;
  throw badRequest(`${name}: ${JSON.stringify(value)} is none of ${allowed.join(", ")}`);
}

/** @throws StatusError `BadRequest` or `Invalid`, as the API server does for the same query. */
export function readOptions(query: URLSearchParams): ReadOptions {
  const options: ReadOptions = {
    watch: flag(query, "watch") ?? false,
    labelSelector: query.get("labelSelector") ?? "",
    fieldSelector: query.get("fieldSelector") ?? "",
    resourceVersion: version(query),
    resourceVersionMatch: oneOf(query, "resourceVersionMatch", ["Exact", "NotOlderThan"], ""),
    sendInitialEvents: flag(query, "sendInitialEvents"),
    allowWatchBookmarks: flag(query, "allowWatchBookmarks") ?? false,
    timeoutSeconds: count(query, "timeoutSeconds"),
    limit: count(query, "limit") ?? 0,
    continue: query.get("continue") ?? "",
  };
  const problem = contradiction(options);
  if (problem !== undefined) throw new StatusError("Invalid", `ListOptions.meta.k8s.io "" is invalid: ${problem}`);
  return options;
}

function contradiction(options: ReadOptions): string | undefined {
  const { watch, sendInitialEvents, resourceVersionMatch, resourceVersion } = options;
  if (sendInitialEvents !== undefined && !watch) return "sendInitialEvents: is forbidden for list";
  if (sendInitialEvents !== undefined && resourceVersionMatch !== "NotOlderThan") {
    return "resourceVersionMatch: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
  }
  if (watch && resourceVersionMatch !== "" && sendInitialEvents === undefined) {
    return "resourceVersionMatch: is forbidden for watch unless sendInitialEvents is provided";
  }
  if (watch) return undefined;
  if (resourceVersionMatch !== "" && resourceVersion === "") {
    return "resourceVersionMatch: is forbidden unless resourceVersion is provided";
  }
  if (resourceVersionMatch === "Exact" && resourceVersion === "0") {
    return 'resourceVersionMatch: "Exact" is forbidden for resourceVersion "0"';
  }
  if (options.continue !== "" && resourceVersionMatch !== "") {
    return "resourceVersionMatch: is forbidden with continue";
  }
  return undefined;
}

/** Whether a delete or write is only to be tried. */
export function dryRunOf(values: readonly string[]): boolean {
  if (values.some((value) => value !== "All" && value !== "")) {
    throw badRequest(`dryRun: only "All" is supported`);
  }
  return values.includes("All");
}

/** @throws StatusError `BadRequest` */
export function writeOptions({ query, header }: Pick<Incoming, "query" | "header">): WriteRequestOptions {
  return {
    dryRun: dryRunOf(query.getAll("dryRun")),
    fieldManager: query.get("fieldManager") ?? "",
    defaultManager: (header("user-agent") ?? "").split("/")[0]?.slice(0, 128) ?? "",
    fieldValidation: oneOf(query, "fieldValidation", ["Strict", "Warn", "Ignore"], "Warn"),
    force: flag(query, "force") ?? false,
  };
}
