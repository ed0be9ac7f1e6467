/**
 * What an application's render may know about its surroundings: one immutable value, made by the controller from
 * platform configuration and the chain of tenants, or read from a file by `cozystack render --context`.
 */

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** The installation-wide values, published as `_cluster`. Keys are upstream's; most values are strings, flags as `"true"` and `"false"`. */
export type ClusterValues = { readonly [key: string]: Json };

/** The values that a tenant hands to what runs in its namespace, published as `_namespace`. Empty string: there is none. */
export interface NamespaceValues {
  /** DNS domain of the tenant. */
  readonly host: string;
  /** Namespace of the tenant whose module serves this one. */
  readonly etcd: string;
  readonly ingress: string;
  readonly gateway: string;
  readonly monitoring: string;
  readonly seaweedfs: string;
  readonly schedulingClass: string;
}

/** The tenant in whose namespace an application lives. */
export interface TenantPlace {
  /** The tenant's own namespace, where the application object is. */
  readonly namespace: string;
  /** Namespaces of its ancestors, `tenant-root` first, without itself. Data from the namespace's annotation, never parsed out of a name. */
  readonly ancestors: readonly string[];
}

export interface AppContext {
  readonly cluster: ClusterValues;
  readonly namespace: NamespaceValues;
  readonly tenant: TenantPlace;
  /** Version stamped on new objects (WorkloadMonitor `spec.version`, `helm.sh/chart`). */
  readonly chartVersion: string;
  /** API groups with version that the cluster serves and that renders probe for, such as `v1.edp.epam.com/v1`. */
  readonly apis: ReadonlySet<string>;
}

/** A `_cluster` value as text; `fallback` when the key is absent, null or not a scalar. */
export function clusterText(cluster: ClusterValues, key: string, fallback = ""): string {
  const value = cluster[key];
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : fallback;
}

/** A `_cluster` flag: true for the boolean true and for the text `"true"`. */
export function clusterFlag(cluster: ClusterValues, key: string): boolean {
  return clusterText(cluster, key) === "true";
}
