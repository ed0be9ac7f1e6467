/**
 * Tenants as this room reads them.
 */
import { childPlace, placeOf } from "../../apps/tenant/place.ts";
import { defineKind } from "../../kube/define-kind.ts";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { TenantPlace } from "../../sdk/context.ts";
import { readAmounts } from "./amounts.ts";
import type { Place, Seen } from "./row.ts";

export interface TenantObject extends KubeObject {
  readonly spec?: { readonly resourceQuotas?: Readonly<Record<string, string | number>> };
  readonly status?: { readonly [field: string]: unknown };
}

export const Tenant = defineKind<TenantObject>({
  group: "apps.cozystack.io",
  version: "v1alpha1",
  kind: "Tenant",
  plural: "tenants",
  namespaced: true,
});

/** Where a Namespace is in the tree; undefined when it is no tenant's. */
export function placeOfNamespace(namespace: KubeObject | undefined): TenantPlace | undefined {
  return namespace === undefined ? undefined : placeOf(namespace.metadata.name, namespace.metadata.annotations);
}

/** Where the tenant `name`, ordered in `parent`, is in the tree. */
export function placeBelow(name: string, parent: TenantPlace): Place {
  const { namespace, ancestors } = childPlace(name, parent);
  return { owns: namespace, name, ancestors };
}

/** The budget of an object as it is stored. */
export function seenOf(object: KubeObject): Seen {
  const { uid = "", resourceVersion = "" } = object.metadata;
  return { uid, version: resourceVersion, amounts: readAmounts(valueAt(object, "spec", "resourceQuotas")) };
}

/** Key of a Tenant object in maps. */
export const tenantKey = (namespace: string | undefined, name: string): string => `${namespace ?? ""}/${name}`;
