/**
 * P13: tenants that have given away more than they have. The sums are those of the controller that enforces them.
 */
import { tenantNamespace } from "../../sdk/names.ts";
import { formatAmount, parseAmounts, readAmounts } from "../../tenancy/quota/amounts.ts";
import { overcommitted, type Rows } from "../../tenancy/quota/charges.ts";
import type { Row } from "../../tenancy/quota/row.ts";
import { applicationRef, applicationsOf, type Ordered } from "./applications.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { valueIn } from "./source.ts";

const kind = "Tenant";

interface Budget {
  readonly quotas: unknown;
}

type Tenant = Ordered<Budget>;

const tenantsSource = applicationsOf(
  { kind, plural: "tenants" },
  (spec): Budget => ({
    quotas: spec["resourceQuotas"],
  }),
);

/** Tenants as the arithmetic wants them, by the namespace that each owns. */
function rowsOf(tenants: readonly Tenant[]): Rows {
  const parents = new Map(tenants.map((one) => [tenantNamespace(one.namespace, one.name), one]));
  const ancestorsOf = ({ namespace }: Tenant, owns: string): readonly string[] => {
    const found: string[] = [];
    let at: string | undefined = namespace;
    // tenant-root is ordered in itself.
    while (at !== undefined && at !== owns && !found.includes(at)) {
      found.unshift(at);
      at = parents.get(at)?.namespace;
    }
    return found;
  };
  return new Map(
    tenants.map((tenant): readonly [string, Row] => {
      const owns = tenantNamespace(tenant.namespace, tenant.name);
      const stored = { uid: "", version: "", amounts: readAmounts(tenant.quotas) };
      return [owns, { owns, name: tenant.name, ancestors: ancestorsOf(tenant, owns), stored, pending: [] }];
    }),
  );
}

function unreadBudget(tenant: Tenant): readonly Finding[] {
  try {
    parseAmounts(tenant.quotas);
    return [];
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [finding(tenant, `${why}, so that it bounds nothing`)];
  }
}

const finding = (tenant: Tenant, what: string): Finding => ({
  object: applicationRef(kind, tenant),
  severity: "warning",
  what,
  remedy: [`kubectl edit tenants.apps.cozystack.io ${tenant.name} -n ${tenant.namespace}   # spec.resourceQuotas`],
});

export const quotaCheck = defineCheck({
  id: "P13",
  title: "Budgets of tenants",
  severity: "warning",
  why: "1.6 takes a tenant's budget for that of its whole subtree. One that is smaller than what it has given away leaves nothing for its own applications, and nothing can be ordered below it.",
  remedy: ["Raise spec.resourceQuotas of the tenant, or lower those of the tenants below it."],
  sources: { tenants: tenantsSource },
  classify({ tenants }): Classified {
    const all = valueIn(tenants, []);
    const rows = rowsOf(all);
    const bounding = all.filter(({ quotas }) => readAmounts(quotas).size > 0);
    return {
      applies: bounding.length > 0,
      findings: all.flatMap((tenant) => [
        ...unreadBudget(tenant),
        ...[...overcommitted(rows, tenantNamespace(tenant.namespace, tenant.name))].map(
          ([resource, { total, allocated }]) =>
            finding(
              tenant,
              `has ${formatAmount(resource, total)} of ${resource} and has given away ${formatAmount(resource, allocated)}`,
            ),
        ),
      ]),
    };
  },
});
