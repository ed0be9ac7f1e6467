/** What the suites of the aggregated API share. */
import { randomBytes } from "node:crypto";
import type { Client } from "../../src/kube/client.ts";
import { Namespace, RoleBinding, Secret } from "../../src/kube/core-kinds.ts";
import { isApiError } from "../../src/kube/errors.ts";
import type { AnyKind, Kind, UnknownObject } from "../../src/kube/object.ts";

const group = "core.cozystack.io";
const version = "v1alpha1";

export const TenantNamespace: Kind<UnknownObject> = {
  group,
  version,
  kind: "TenantNamespace",
  plural: "tenantnamespaces",
  namespaced: false,
};
export const TenantModule: Kind<UnknownObject> = {
  group,
  version,
  kind: "TenantModule",
  plural: "tenantmodules",
  namespaced: true,
};
export interface TenantSecretObject extends UnknownObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
}
export const TenantSecret: Kind<TenantSecretObject> = {
  group,
  version,
  kind: "TenantSecret",
  plural: "tenantsecrets",
  namespaced: true,
};
export const Option: Kind<UnknownObject> = { group, version, kind: "Option", plural: "options", namespaced: true };

export const marker = "internal.cozystack.io/tenantresource";

export const unique = (prefix: string): string => `${prefix}${randomBytes(4).toString("hex")}`;

/** A tenant's namespace in which the users are named by a RoleBinding. */
export async function tenant(client: Client, ...users: readonly string[]): Promise<string> {
  const name = unique("tenant-t");
  await client.create(Namespace, Namespace(name, { labels: { team: "blue" }, annotations: { note: "kept" } }));
  if (users.length > 0) await grant(client, name, "people", users);
  return name;
}

const apiGroup = "rbac.authorization.k8s.io";

export async function grant(
  client: Client,
  namespace: string,
  name: string,
  users: readonly string[],
  role = "cozy:tenant:super-admin",
): Promise<void> {
  await client.apply(
    RoleBinding,
    RoleBinding(name, {
      namespace,
      roleRef: { apiGroup, kind: "ClusterRole", name: role },
      subjects: users.map((user) => ({ apiGroup, kind: "User", name: user })),
    }),
  );
}

/** A Secret that tenants see. */
export const shownSecret = (
  name: string,
  namespace: string,
  stringData: Readonly<Record<string, string>> = { a: "1" },
) => Secret(name, { namespace, labels: { [marker]: "true", color: "red" }, annotations: { note: "n" }, stringData });

export const tenantSecret = (
  name: string,
  namespace: string,
  body: Partial<Omit<TenantSecretObject, "apiVersion" | "kind" | "metadata">> & {
    readonly labels?: Readonly<Record<string, string>>;
    readonly resourceVersion?: string;
  } = {},
): TenantSecretObject => {
  const { labels, resourceVersion, ...fields } = body;
  return {
    apiVersion: `${group}/${version}`,
    kind: "TenantSecret",
    metadata: {
      name,
      namespace,
      ...(labels === undefined ? {} : { labels }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    ...fields,
  };
};

export const decoded = (secret: TenantSecretObject | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(secret?.data ?? {}).map(([key, value]) => [key, Buffer.from(value, "base64").toString("utf8")]),
  );

/** The code of the error that the call fails with; undefined when it succeeds. */
export async function refusal(call: Promise<unknown>): Promise<string | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    if (isApiError(error)) return error.code;
    throw error;
  }
}

export const pathOf = (kind: AnyKind, namespace?: string): string =>
  `/apis/${group}/${version}${namespace === undefined ? "" : `/namespaces/${namespace}`}/${kind.plural}`;
