/**
 * Every name the program derives, and every limit on it, in one place.
 */
import { refuse } from "./errors.ts";

/** Forms of names, and their limits in characters. */
export const nameForms = {
  /** Applications, Services, most labels of DNS names: begins with a letter. */
  "DNS-1035 label": {
    pattern: /^[a-z]([-a-z0-9]*[a-z0-9])?$/,
    limit: 63,
    form: "lower case letters, digits and dashes, beginning with a letter and not ending with a dash",
  },
  /** Namespaces and parts of host names. */
  "DNS-1123 label": {
    pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/,
    limit: 63,
    form: "lower case letters, digits and dashes, not beginning or ending with a dash",
  },
  /** Most Kubernetes objects. */
  "DNS-1123 subdomain": {
    pattern: /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/,
    limit: 253,
    form: "lower case letters, digits, dashes and dots, each part not beginning or ending with a dash",
  },
  /** Tenants: a dash would make the namespaces of two tenants the same. */
  "tenant name": {
    pattern: /^[a-z][a-z0-9]*$/,
    limit: 63,
    form: "lower case letters and digits, beginning with a letter, without dashes",
  },
} as const satisfies Record<string, { readonly pattern: RegExp; readonly limit: number; readonly form: string }>;

/**
 * Names that no tenant below the first level may have, and what of its parent's would then be called as its own. Judged when
 * a tenant is created; upstream takes them.
 */
export const reservedTenantNames: Readonly<Record<string, string>> = {
  super: "the group of its admins would be that of its parent's super-admins",
  ingress: "its network policy would be that of its parent's ingress controller",
  lock: "its bucket class would be that of its parent's locked buckets",
  readonly: "its bucket access class would be that of its parent's readers",
};

export type NameForm = keyof typeof nameForms;

/** Longest release name (prefix and application name). */
export const releaseLimit = 53;
/** Longest namespace. */
export const namespaceLimit = 63;

export interface NameProblem {
  readonly code: "InvalidName" | "NameTooLong";
  readonly message: string;
  readonly remedy: string;
}

/** What is wrong with `name` as a name of `form`; undefined when nothing is. `what` says whose name it is. */
export function nameProblem(
  name: string,
  form: NameForm,
  what: string,
  limit: number = nameForms[form].limit,
): NameProblem | undefined {
  if (name.length > limit) {
    return {
      code: "NameTooLong",
      message: `${what} ${JSON.stringify(name)} has ${name.length} characters, at most ${limit} are possible`,
      remedy: `Choose a name that is ${name.length - limit} characters shorter.`,
    };
  }
  const { pattern, form: words } = nameForms[form];
  if (pattern.test(name)) return undefined;
  return {
    code: "InvalidName",
    message: `${what} ${JSON.stringify(name)} is no ${form}`,
    remedy: `Use ${words}.`,
  };
}

/** Refuses a name that {@link nameProblem} finds fault with. `field` is where its user wrote it. */
export function checkName(name: string, form: NameForm, what: string, field = "metadata.name", limit?: number): void {
  const problem = nameProblem(name, form, what, limit);
  if (problem !== undefined) refuse({ field, ...problem });
}

/** Longest application name under a release prefix. */
export function longestName(prefix: string, longestRelease: number = releaseLimit): number {
  return longestRelease - prefix.length;
}

/** What follows from the name of an application. */
export interface DerivedNames {
  readonly release: string;
  /** Role and RoleBinding of the dashboard. */
  readonly dashboard: string;
  /** Secret with the CA certificate that the tenant is to trust; the dot keeps it apart from every application's objects. */
  readonly tenantCa: string;
}

export function derivedNames(prefix: string, name: string): DerivedNames {
  const release = `${prefix}${name}`;
  return { release, dashboard: `${release}-dashboard-resources`, tenantCa: `${release}.tenant-ca` };
}

/** The namespace of the tenant `name` whose object lives in `parent`. */
export function tenantNamespace(parent: string, name: string): string {
  if (parent !== "tenant-root") return `${parent}-${name}`;
  return name === "root" ? "tenant-root" : `tenant-${name}`;
}

/** Names of a map, sorted: maps have no order, objects of a render do. */
export const sortedNames = (map: Readonly<Record<string, unknown>>): readonly string[] => Object.keys(map).sort();
