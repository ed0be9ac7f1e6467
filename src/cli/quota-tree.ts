/**
 * Budgets as a tree of tenants, from what the quota controller writes into their status.
 */
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import { tenantNamespace } from "../sdk/names.ts";
import { Tenant, type TenantObject } from "../tenancy/quota/tenant-kind.ts";
import { table } from "./table.ts";
import type { Paint } from "./terminal.ts";

/** A tenant's budget of one resource; fields are absent where nothing is known or declared. */
export interface QuotaLine {
  readonly resource: string;
  readonly budget?: string;
  readonly allocated?: string;
  readonly used?: string;
  readonly left?: string;
  /** Namespace of the tenant above whose budget it draws from. */
  readonly from?: string;
}

export interface QuotaNode {
  readonly name: string;
  /** That the tenant owns. */
  readonly namespace: string;
  readonly resources: readonly QuotaLine[];
  /** Set while it has given away, or uses, more than it has. */
  readonly overcommitted?: string;
  readonly children: readonly QuotaNode[];
}

/** The Tenants at and below a namespace, as far as the caller may read them. */
export async function tenantsBelow(client: Client, namespace: string): Promise<readonly TenantObject[]> {
  try {
    return (await client.list(Tenant)).items;
  } catch (error) {
    if (!isApiError(error, "Forbidden")) throw error;
  }
  // Somebody of one tenant: what is in its namespace, and so on down.
  const found: TenantObject[] = [];
  const namespaces = [namespace];
  for (const each of namespaces) {
    for (const tenant of (await client.list(Tenant, { namespace: each })).items) {
      found.push(tenant);
      const own = ownedBy(tenant);
      if (!namespaces.includes(own)) namespaces.push(own);
    }
  }
  return found;
}

const ownedBy = ({ metadata }: TenantObject): string => tenantNamespace(metadata.namespace ?? "", metadata.name);

function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : undefined;
}

function linesOf(quota: unknown): readonly QuotaLine[] {
  const columns = ["budget", "allocated", "used", "left", "from"] as const;
  const resources = new Set(columns.flatMap((column) => Object.keys(recordAt(quota, column))));
  return [...resources].sort().map((resource) => ({
    resource,
    ...Object.fromEntries(
      columns.flatMap((column) => {
        const text = textAt(quota, column, resource);
        return text === undefined ? [] : [[column, text]];
      }),
    ),
  }));
}

function recordAt(value: unknown, key: string): Readonly<Record<string, unknown>> {
  const found = valueAt(value, key);
  return isRecord(found) ? found : {};
}

function overcommitmentOf(tenant: TenantObject | undefined): string | undefined {
  const conditions = tenant?.status?.["conditions"];
  const found: unknown = (Array.isArray(conditions) ? conditions : []).find(
    (condition) => valueAt(condition, "type") === "QuotaOvercommitted" && valueAt(condition, "status") === "True",
  );
  return textAt(found, "message");
}

/** The tree below the tenant that owns `namespace`, itself at the top. */
export function quotaTree(tenants: readonly TenantObject[], namespace: string): QuotaNode {
  const owner = tenants.find((tenant) => ownedBy(tenant) === namespace);
  const quota = owner?.status?.["quota"];
  const children = tenants
    .filter((tenant) => tenant.metadata.namespace === namespace && ownedBy(tenant) !== namespace)
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
  const overcommitted = overcommitmentOf(owner);
  return {
    name: owner?.metadata.name ?? namespace,
    namespace,
    resources: linesOf(quota),
    ...(overcommitted === undefined ? {} : { overcommitted }),
    children: children.map((child) => quotaTree(tenants, ownedBy(child))),
  };
}

/** Names of all nodes, the top first. */
export function namesOf({ namespace, children }: QuotaNode): readonly string[] {
  return [namespace, ...children.flatMap(namesOf)];
}

/** The tree as text: a line for each tenant and resource. */
export function quotaText(root: QuotaNode, paint: Paint): string {
  const rows: string[][] = [];
  const visit = (node: QuotaNode, first: string, others: string): void => {
    const name = `${first}${node.overcommitted === undefined ? node.name : paint.bad(node.name)}`;
    const lines: readonly QuotaLine[] = node.resources.length > 0 ? node.resources : [{ resource: "-" }];
    const below = node.children.length > 0 ? "│  " : "   ";
    lines.forEach((line, at) => {
      const cells = [line.resource, line.budget, line.allocated, line.used, line.left].map((cell) => cell ?? "");
      const note = line.budget === undefined && line.from !== undefined ? `from ${line.from}` : "";
      rows.push([at === 0 ? name : `${others}${below}`.trimEnd(), ...cells, note]);
    });
    if (node.overcommitted !== undefined) {
      rows.push([`${others}${below}`.trimEnd(), "", "", "", "", "", paint.bad(node.overcommitted)]);
    }
    node.children.forEach((child, at) => {
      const isLast = at === node.children.length - 1;
      visit(child, `${others}${isLast ? "└─ " : "├─ "}`, `${others}${isLast ? "   " : "│  "}`);
    });
  };
  visit(root, "", "");
  return table(["TENANT", "RESOURCE", "BUDGET", "ALLOCATED", "USED", "LEFT", ""], rows);
}
