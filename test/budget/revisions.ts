/**
 * Judges every revision of the tenants of a subtree: the watch brings them one by one, in the order in which they were stored.
 */
import type { Client } from "../../src/kube/client.ts";
import { formatAmount } from "../../src/tenancy/quota/amounts.ts";
import { overcommitted } from "../../src/tenancy/quota/charges.ts";
import type { Row } from "../../src/tenancy/quota/row.ts";
import { placeBelow, seenOf, Tenant, type TenantObject } from "../../src/tenancy/quota/tenant-kind.ts";

export interface Revisions {
  /** Revisions seen so far. */
  readonly count: number;
  /** Budgets that were exceeded at some revision. */
  readonly exceeded: readonly string[];
  /** What the tenants have now, by the namespace they own. */
  readonly rows: ReadonlyMap<string, Row>;
  /** Resolves when everything stored before this call has been judged. */
  caughtUp(): Promise<void>;
}

/** Watches until the signal is aborted. `ancestorsOf`: of a namespace of the subtree; undefined for others. */
export async function judgeRevisions(
  client: Client,
  ancestorsOf: (namespace: string) => readonly string[] | undefined,
  signal: AbortSignal,
): Promise<Revisions> {
  const rows = new Map<string, Row>();
  const exceeded: string[] = [];
  let [count, version] = [0, 0n];
  const judge = (tenant: TenantObject, gone: boolean): void => {
    const { name, namespace = "", resourceVersion = "0" } = tenant.metadata;
    version = BigInt(resourceVersion);
    const ancestors = ancestorsOf(namespace);
    if (ancestors === undefined) return;
    count += 1;
    const place = placeBelow(name, { namespace, ancestors });
    if (gone) rows.delete(place.owns);
    else rows.set(place.owns, { ...place, stored: seenOf(tenant), pending: [] });
    for (const tenantNamespace of [place.owns, ...place.ancestors]) {
      for (const [resource, { total, allocated }] of overcommitted(rows, tenantNamespace)) {
        const figures = `${formatAmount(resource, allocated)} of ${formatAmount(resource, total)} ${resource}`;
        exceeded.push(`revision ${resourceVersion}: ${tenantNamespace} has given away ${figures}`);
      }
    }
  };
  const follow = async (): Promise<void> => {
    for await (const event of client.watch(Tenant, { signal })) {
      if (event.type === "bookmark" || event.type === "synced") version = BigInt(event.resourceVersion);
      else judge(event.object, event.type === "deleted");
    }
  };
  follow().catch((error: unknown) => {
    if (!signal.aborted) exceeded.push(`the watch ended: ${String(error)}`);
  });
  return {
    get count() {
      return count;
    },
    exceeded,
    rows,
    async caughtUp() {
      // A write of our own that the watch must bring after everything before it.
      const namespace = "tenant-root";
      const marker = await client.mergePatch(Tenant, "root", namespace, {
        metadata: { annotations: { "budgets.test/marker": `${Date.now()}-${Math.random()}` } },
      });
      const target = BigInt(marker.metadata.resourceVersion ?? "0");
      while (version < target && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
    },
  };
}
