/**
 * The stamp of an installation that is made anew: nothing is left to migrate. It is written before anything else by which a
 * cluster counts as installed, so that an installation without one is always an older one.
 */
import { ROOT } from "../apps/tenant/place.ts";
import { ConfigMap, Namespace } from "../contracts/core.ts";
import type { CallOptions, Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { systemObjects } from "../platform/base-objects.ts";
import { noDeleteLabel } from "../sdk/policies/index.ts";
import { ownStamp, stampObject } from "./versions.ts";

/** Stamps a cluster that has no installation yet; writes nothing to any other. */
export async function stampWhereNew(client: Client, call: CallOptions = {}): Promise<void> {
  const { name, namespace, key } = stampObject;
  if ((await client.getMetadata(Namespace, ROOT, undefined, call)) !== undefined) return;
  if ((await client.getMetadata(ConfigMap, name, namespace, call)) !== undefined) return;
  const place = systemObjects().find(({ kind, metadata }) => kind === Namespace.kind && metadata.name === namespace);
  if (place !== undefined) await client.apply(Namespace, place, call);
  const stamp = ConfigMap(name, {
    namespace,
    labels: { [noDeleteLabel]: "true" },
    annotations: { "helm.sh/resource-policy": "keep" },
    data: { [key]: String(ownStamp) },
  });
  try {
    await client.create(ConfigMap, stamp, call);
  } catch (error) {
    // Another process installs as well.
    if (!isApiError(error, "AlreadyExists")) throw error;
  }
}
