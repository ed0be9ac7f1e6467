/**
 * What changes mean: the impact of each differing field by the kind's contract, masked and readable.
 */

import { type Impact, type ImpactRules, impactOf, volumesOfFewer, worse } from "../contracts/impact.ts";
import { impactRulesOf } from "../contracts/index.ts";
import type { ObjectRef } from "../kube/object.ts";
import type { Json } from "../sdk/context.ts";
import { compareQuantities, parseQuantity } from "../sdk/quantity.ts";
import { type FieldChange, MASKED } from "./change.ts";
import { type Difference, formatPath, type PathSegment } from "./diff.ts";

/** Kinds whose deletion destroys what users stored. Claims and operators' objects take their volumes along. */
const HOLDS_DATA: ReadonlySet<string> = new Set([
  "/PersistentVolumeClaim",
  "cdi.kubevirt.io/DataVolume",
  "postgresql.cnpg.io/Cluster",
  "databases.spotahome.com/RedisFailover",
  "clickhouse.altinity.com/ClickHouseInstallation",
  "clickhouse-keeper.altinity.com/ClickHouseKeeperInstallation",
  "objectstorage.k8s.io/BucketClaim",
  "apps.cozystack.io/Etcd",
  "apps.cozystack.io/Monitoring",
  "apps.cozystack.io/SeaweedFS",
]);

/** Impact of deleting an object: `losesData` for kinds that stand for stored data, else `deletes`. */
export function deletionImpact(object: ObjectRef): Impact {
  if (HOLDS_DATA.has(`${object.group}/${object.kind}`)) return "losesData";
  return impactRulesOf(object.group, object.kind).deletion ?? "deletes";
}

function isSecretValue(object: ObjectRef, path: readonly PathSegment[]): boolean {
  return object.group === "" && object.kind === "Secret" && (path[0] === "data" || path[0] === "stringData");
}

/** Whether a difference is of a field that a contract hides: of the field, of something in it, or of all around it. */
function isHidden({ hidden = [] }: ImpactRules, path: readonly PathSegment[]): boolean {
  return hidden.some((field) => field.split(".").every((name, at) => at >= path.length || name === String(path[at])));
}

function isUnder(pointer: string, path: readonly PathSegment[]): boolean {
  const segments = pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
  return segments.every((segment, at) => at < path.length && segment === String(path[at]));
}

/**
 * Differences as field changes. `replaceOn` are a manifest's JSON pointers of fields that cannot change in place; a
 * difference above one of them (the whole of what contains it) counts as well.
 */
export function fieldChanges(
  object: ObjectRef,
  found: readonly Difference[],
  rules: ImpactRules,
  replaceOn: readonly string[] = [],
): readonly FieldChange[] {
  return found.map(({ path, before, after }) => {
    const secret = isSecretValue(object, path) || isHidden(rules, path);
    const byRule = impactOf(rules, path, before, after);
    const volumes = volumesOfFewer(rules, path, before, after);
    const replaces = replaceOn.some((pointer) => isUnder(pointer, path));
    return {
      path: formatPath(path),
      ...(before === undefined ? {} : { from: secret ? MASKED : json(before) }),
      ...(after === undefined ? {} : { to: secret ? MASKED : json(after) }),
      impact: replaces ? worse(byRule, "replaces") : byRule,
      ...(volumes === undefined ? {} : { volumes }),
    };
  });
}

/** The gravest impact of some fields. */
export function worstOf(fields: readonly FieldChange[]): Impact {
  return fields.reduce<Impact>((worst, field) => worse(worst, field.impact), "none");
}

/** The first differences as one line: `spec.imageName postgresql:17.6 -> postgresql:17.7, and 2 more`. */
export function summary(fields: readonly FieldChange[]): string {
  const [first, ...others] = [...fields].sort((a, b) => (worse(a.impact, b.impact) === a.impact ? -1 : 1));
  if (first === undefined) return "differs from what was accepted";
  const more = others.length === 0 ? "" : `, and ${others.length} more`;
  return `${first.path} ${short(first.from)} -> ${short(first.to)}${more}`;
}

function short(value: Json | undefined): string {
  if (value === undefined) return "(unset)";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}...`;
}

/** Parsed JSON is JSON: rebuilt so that the compiler knows it too. */
function json(value: unknown): Json {
  if (value === null || typeof value === "boolean" || typeof value === "number" || typeof value === "string") {
    return value;
  }
  if (Array.isArray(value)) return value.map(json);
  if (typeof value !== "object") return null;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => (item === undefined ? [] : [[key, json(item)]])),
  );
}

/** Whether two values are one quantity in two notations, as the API server may rewrite them. */
export function sameQuantity(a: unknown, b: unknown): boolean {
  if (!isNotation(a) || !isNotation(b)) return false;
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  return left !== undefined && right !== undefined && compareQuantities(left, right) === 0;
}

function isNotation(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
