/**
 * Where a tenant is in the tree. Ancestry is data: it comes with the context and is written to the tenant's Namespace;
 * nothing here, and nothing that uses it, reads it out of a name.
 */
import type { NamespaceValues, TenantPlace } from "../../sdk/context.ts";
import { tenantNamespace } from "../../sdk/names.ts";

/** Namespace of the tenant that all others descend from. */
export const ROOT = "tenant-root";

/** Annotation of a tenant's Namespace: the namespaces of its ancestors, `tenant-root` first, joined by commas; empty for tenant-root itself. */
export const ANCESTORS = "internal.cozystack.io/ancestors";

/** Whether the Tenant object stands for tenant-root itself. */
export function isRoot(place: TenantPlace): boolean {
  return place.namespace === ROOT;
}

/** The place of tenant `name` below `parent`; tenant `root` of tenant-root is tenant-root itself. */
export function childPlace(name: string, parent: TenantPlace): TenantPlace {
  const namespace = tenantNamespace(parent.namespace, name);
  if (namespace === ROOT) return { namespace, ancestors: [] };
  return { namespace, ancestors: lineage(parent) };
}

/** The tenant and its ancestors, `tenant-root` first, the tenant last. */
export function lineage(place: TenantPlace): readonly string[] {
  return [...place.ancestors, place.namespace];
}

export function formatAncestors(place: TenantPlace): string {
  return place.ancestors.join(",");
}

/** The place of a Namespace by its annotation; undefined when it is no tenant's. */
export function placeOf(
  namespace: string,
  annotations: Readonly<Record<string, string>> | undefined,
): TenantPlace | undefined {
  const value = annotations?.[ANCESTORS];
  if (value === undefined) return undefined;
  return { namespace, ancestors: value === "" ? [] : value.split(",") };
}

const LABEL = "namespace.cozystack.io/";
const SCHEDULING = "scheduler.cozystack.io/scheduling-class";
const SHARED = ["etcd", "ingress", "gateway", "monitoring", "seaweedfs", "host"] as const;

/** The labels that publish a tenant's values on its Namespace: the one place they are read from again. */
export function valueLabels(values: NamespaceValues): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  for (const key of SHARED) labels[`${LABEL}${key}`] = values[key];
  if (values.schedulingClass !== "") labels[SCHEDULING] = values.schedulingClass;
  return labels;
}

/** The inverse of {@link valueLabels}; a missing label reads as empty. */
export function valuesOfLabels(labels: Readonly<Record<string, string>> | undefined): NamespaceValues {
  const at = (key: string): string => labels?.[`${LABEL}${key}`] ?? "";
  return {
    host: at("host"),
    etcd: at("etcd"),
    ingress: at("ingress"),
    gateway: at("gateway"),
    monitoring: at("monitoring"),
    seaweedfs: at("seaweedfs"),
    schedulingClass: labels?.[SCHEDULING] ?? "",
  };
}
