/**
 * Data that outlives its controller: freed with the application, or kept for the next one of its name; and what others
 * left behind.
 */
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import type { AnyKind, KubeObject } from "../kube/object.ts";
import { groupOf } from "../kube/object.ts";
import type { Leftover, StorageClaim } from "../sdk/app.ts";
import type { KindLookup, View } from "./view.ts";

export interface ClaimOptions {
  readonly client: Client;
  readonly view: View;
  readonly kindOf: KindLookup;
}

/** The objects that storage claims speak of, those that exist. */
export async function claimsOf(
  storage: readonly StorageClaim[],
  namespace: string,
  options: ClaimOptions,
): Promise<readonly KubeObject[]> {
  const found = new Map<string, KubeObject>();
  for (const claim of storage) {
    const kind = options.kindOf(claim.group, claim.kind);
    if (kind === undefined) continue;
    for (const object of await selected(kind, claim, namespace, options.view))
      found.set(object.metadata.uid ?? "", object);
  }
  return [...found.values()];
}

async function selected(
  kind: AnyKind,
  { names = [], labels }: Pick<StorageClaim, "names" | "labels">,
  namespace: string,
  view: View,
): Promise<readonly KubeObject[]> {
  const named = await Promise.all(names.map((name) => view.read(kind, name, namespace)));
  const labelled =
    labels === undefined || Object.keys(labels).length === 0 ? [] : await view.list(kind, labels, namespace);
  return [...named.flatMap((object) => object ?? []), ...labelled];
}

/** Left-behind objects of others, as an application names them. */
export async function leftoversOf(
  leftovers: readonly Leftover[],
  namespace: string,
  { view }: ClaimOptions,
): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  for (const { kind, where, ...which } of leftovers) {
    if (!(await view.serves(kind))) continue;
    const objects = await selected(kind, which, namespace, view);
    found.push(...objects.filter((object) => where === undefined || textAt(object, where.path) === where.equals));
  }
  return found;
}

function textAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((at, segment) => {
    if (Array.isArray(at)) return typeof segment === "number" ? at[segment] : undefined;
    return typeof at === "object" && at !== null
      ? new Map<string, unknown>(Object.entries(at)).get(String(segment))
      : undefined;
  }, value);
}

/** Deletes a claim; gives it back while it may still be there. */
export async function freeClaim(object: KubeObject, { client, kindOf }: ClaimOptions): Promise<KubeObject | undefined> {
  const { name, namespace, uid, deletionTimestamp } = object.metadata;
  const kind = kindOf(groupOf(object.apiVersion), object.kind);
  if (kind === undefined || deletionTimestamp !== undefined) return object;
  try {
    const existed = await client.delete(kind, name, namespace, uid === undefined ? {} : { uid });
    return existed ? object : undefined;
  } catch (error) {
    // Another of that name, made since: not the one that was meant.
    if (isApiError(error, "Conflict")) return undefined;
    throw error;
  }
}

/** Unties a claim from its owners, so that it does not go with them. */
export async function keepClaim(object: KubeObject, { client, view, kindOf }: ClaimOptions): Promise<void> {
  const { name, namespace, resourceVersion, ownerReferences = [] } = object.metadata;
  const kind = kindOf(groupOf(object.apiVersion), object.kind);
  if (kind === undefined || ownerReferences.length === 0) return;
  const answer = await client.jsonPatch(kind, name, namespace, [
    { op: "test", path: "/metadata/resourceVersion", value: resourceVersion },
    { op: "remove", path: "/metadata/ownerReferences" },
  ]);
  view.wrote(kind, answer);
}
