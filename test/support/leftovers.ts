/**
 * Lets namespaces go in which a test has left applications behind: nobody is there any more to take their finalizers off.
 */
import { Inventory } from "../../src/contracts/internal-cozystack-io.ts";
import type { Client } from "../../src/kube/client.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { Pod } from "../../src/kube/kinds/workloads.ts";
import type { AnyKind } from "../../src/kube/object.ts";
import { kindOfApp } from "../../src/reconcile/instance.ts";
import type { App } from "../../src/sdk/app.ts";

/**
 * Takes every finalizer off the applications and inventories of a namespace, and lets pods go that no machine runs. Their
 * controllers must have stopped.
 */
export async function letGo(client: Client, namespace: string, apps: readonly App[]): Promise<void> {
  for (const { metadata } of (await client.listMetadata(Pod, { namespace })).items) {
    await client.delete(Pod, metadata.name, namespace, { gracePeriodSeconds: 0 });
  }
  const kinds: readonly AnyKind[] = [...apps.map(kindOfApp), Inventory];
  for (const kind of kinds) {
    const { items } = await client.listMetadata(kind, { namespace });
    for (const { metadata } of items) {
      if ((metadata.finalizers ?? []).length === 0) continue;
      try {
        await client.mergePatch(kind, metadata.name, namespace, { metadata: { finalizers: null } });
      } catch (error) {
        if (!isApiError(error, "NotFound")) throw error;
      }
    }
  }
}
