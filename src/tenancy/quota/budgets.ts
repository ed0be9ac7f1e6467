/**
 * The budgets that tenants declare, with their places in the tree: kept current from the watches of Tenants and Namespaces,
 * and handed on to the pools.
 */

import type { KubeObject } from "../../kube/object.ts";
import type { Store } from "../../kube/store.ts";
import type { ClusterValues, TenantPlace } from "../../sdk/context.ts";
import { tenantNamespace } from "../../sdk/names.ts";
import { type Amounts, noAmounts, sameAmounts } from "./amounts.ts";
import { enforcedAmounts } from "./keys.ts";
import type { Pools } from "./pools.ts";
import type { Place } from "./row.ts";
import { placeBelow, placeOfNamespace, seenOf, type TenantObject } from "./tenant-kind.ts";

export interface Declared {
  readonly place: Place;
  /** As declared, by resource. */
  readonly amounts: Amounts;
  /** By enforced key, the buffer counted in. */
  readonly enforced: Amounts;
}

export interface BudgetsOptions {
  readonly pools: Pools;
  readonly tenants: Store<TenantObject>;
  readonly namespaces: Store<KubeObject>;
  /** Platform values; the pools stay empty until they are known. */
  readonly cluster: () => ClusterValues | undefined;
  /** Told whose budget changed; `keys`: whether it bounds other keys than before. */
  readonly onChange: (place: Place, keys: boolean) => void;
  readonly onError: (tenant: string, error: unknown) => void;
}

export class Budgets {
  readonly #options: BudgetsOptions;
  /** By the namespace that the tenant owns. */
  readonly #declared = new Map<string, Declared>();
  readonly #owners = new Map<string, TenantObject>();

  constructor(options: BudgetsOptions) {
    this.#options = options;
  }

  /** What the tenant declares; undefined where it declares nothing. */
  of(namespace: string): Declared | undefined {
    return this.#declared.get(namespace);
  }

  /** The Tenant that owns the namespace, as stored. */
  ownerOf(namespace: string): TenantObject | undefined {
    return this.#owners.get(namespace);
  }

  placeOf(namespace: string): TenantPlace | undefined {
    return placeOfNamespace(this.#options.namespaces.get(namespace));
  }

  tenantChanged(tenant: TenantObject, gone: boolean): void {
    const { name, namespace = "" } = tenant.metadata;
    const owns = tenantNamespace(namespace, name);
    if (gone) this.#owners.delete(owns);
    else this.#owners.set(owns, tenant);
    const parent = this.placeOf(namespace);
    // Its namespace tells when it comes.
    const place = parent === undefined ? this.#declared.get(owns)?.place : placeBelow(name, parent);
    if (place !== undefined) this.#set(place, gone ? noAmounts : seenOf(tenant).amounts);
  }

  namespaceChanged(namespace: string): void {
    const place = this.placeOf(namespace);
    if (place === undefined) this.#options.pools.removeNamespace(namespace);
    else this.#options.pools.setNamespace(namespace, place.ancestors);
    for (const tenant of this.#options.tenants.list(namespace)) this.tenantChanged(tenant, false);
  }

  /** The platform's values have changed: what is enforced may be another part of what is declared. */
  recompute(): void {
    for (const { place, amounts } of [...this.#declared.values()]) this.#set(place, amounts, true);
    for (const tenant of this.#options.tenants.list()) this.tenantChanged(tenant, false);
  }

  #set(place: Place, amounts: Amounts, again = false): void {
    const before = this.#declared.get(place.owns);
    if (!again && sameAmounts(before?.amounts ?? noAmounts, amounts)) return;
    const cluster = this.#options.cluster();
    if (cluster === undefined) return;
    let enforced: Amounts;
    try {
      enforced = enforcedAmounts(amounts, cluster);
    } catch (error) {
      this.#options.onError(place.owns, error);
      return;
    }
    if (amounts.size === 0) this.#declared.delete(place.owns);
    else this.#declared.set(place.owns, { place, amounts, enforced });
    this.#options.pools.setBudget(place.owns, place.ancestors, enforced);
    const keys = [...(before?.enforced.keys() ?? [])].sort().join() !== [...enforced.keys()].sort().join();
    this.#options.onChange(place, keys);
  }
}
