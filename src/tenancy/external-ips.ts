/**
 * Counts what a tenant has of public addresses: `status.externalIPsCount` of its Tenant. Only Services of type LoadBalancer
 * are watched, so that the many others cost nothing.
 */
import { placeOf, ROOT } from "../apps/tenant/place.ts";
import { Namespace, Service, type ServiceObject } from "../contracts/core.ts";
import type { Client } from "../kube/client.ts";
import { defineKind } from "../kube/define-kind.ts";
import { isApiError } from "../kube/errors.ts";
import type { KubeObject } from "../kube/object.ts";
import { type Outcome, workQueue } from "../kube/queue.ts";
import type { Stores } from "../kube/stores.ts";
import type { World } from "../kube/world.ts";

interface TenantObject extends KubeObject {
  readonly status?: { readonly externalIPsCount?: number };
}
const Tenant = defineKind<TenantObject>({
  group: "apps.cozystack.io",
  version: "v1alpha1",
  kind: "Tenant",
  plural: "tenants",
  namespaced: true,
});

export interface ExternalIpsOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  /** Which namespaces are looked after. Default: all. */
  readonly scope?: (namespace: string) => boolean;
  readonly onError?: (namespace: string, error: unknown) => void;
}

/** A Service counts with one address at least; a host name alone is no address. */
export function countExternalIps(services: readonly ServiceObject[]): number {
  return services.filter(({ status }) => (status?.loadBalancer?.ingress ?? []).some(({ ip = "" }) => ip !== "")).length;
}

/** Which Tenant made a namespace: its labels say so; undefined for a namespace of no tenant. */
export function tenantOf({ metadata }: KubeObject): { readonly name: string; readonly namespace: string } | undefined {
  const place = placeOf(metadata.name, metadata.annotations);
  if (place === undefined) return undefined;
  if (place.namespace === ROOT) return { name: "root", namespace: ROOT };
  const name = metadata.labels?.["apps.cozystack.io/application.name"];
  const parent = place.ancestors.at(-1);
  return name === undefined || parent === undefined ? undefined : { name, namespace: parent };
}

/** Runs until the signal is aborted. Writes a count only where it differs. */
export async function runExternalIps(options: ExternalIpsOptions, signal: AbortSignal): Promise<void> {
  const { client, stores, world, scope = () => true, onError } = options;
  const services = stores.use(Service, { fieldSelector: "spec.type=LoadBalancer" });
  const namespaces = stores.useMetadata(Namespace);
  const tenants = stores.use(Tenant);

  async function work(name: string): Promise<Outcome> {
    if (!scope(name)) return { is: "done" };
    const namespace = namespaces.store.get(name);
    const tenant = namespace === undefined ? undefined : tenantOf(namespace);
    if (tenant === undefined) return { is: "done" };
    const live = tenants.store.get(tenant.name, tenant.namespace);
    const count = countExternalIps(services.store.list(name));
    if (live === undefined || (live.status?.externalIPsCount ?? 0) === count) return { is: "done" };
    try {
      const status = { externalIPsCount: count === 0 ? null : count };
      await client.mergePatch(Tenant, tenant.name, tenant.namespace, { status }, { subresource: "status" });
    } catch (error) {
      if (!isApiError(error, "NotFound")) throw error;
    }
    return { is: "done" };
  }

  const queue = workQueue({ world, concurrency: 2, work, ...(onError === undefined ? {} : { onError }) });
  services.store.subscribe(({ object }) => queue.add(object.metadata.namespace ?? ""));
  namespaces.store.subscribe(({ object }) => queue.add(object.metadata.name));
  try {
    await Promise.all([services.store, namespaces.store, tenants.store].map((store) => store.ready(signal)));
    await queue.run(signal);
  } finally {
    for (const { release } of [services, namespaces, tenants]) release();
  }
}
