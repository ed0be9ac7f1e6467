/**
 * The applications of a cluster with what they own, read at once.
 */
import { Inventory } from "../../contracts/internal-cozystack-io.ts";
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import { valueAt } from "../../kube/json.ts";
import { type KubeObject, keyOf } from "../../kube/object.ts";
import { kindOfApp, refOfApp } from "../../reconcile/instance.ts";
import { loadInventory } from "../../reconcile/inventory.ts";
import { ownerOf } from "../../reconcile/prepare.ts";
import { conditionsOf } from "../../reconcile/status.ts";
import { clientView, type View } from "../../reconcile/view.ts";
import type { App } from "../../sdk/app.ts";
import type { RecordedApp } from "./recorder.ts";

/** Whether an application says of itself, as it is now, that it is ready. */
export function isReady(object: KubeObject): boolean {
  const ready = conditionsOf(valueAt(object, "status")).find(({ type }) => type === "Ready");
  return ready?.status === "True" && ready.observedGeneration === object.metadata.generation;
}

/** Every application with its object. Rejects with the first read that fails; a kind that is not served has none. */
export async function applicationsOf(client: Client, apps: readonly App[]): Promise<readonly RecordedApp[]> {
  const view = await inventoryView(client);
  const found: RecordedApp[] = [];
  for (const app of apps) {
    for (const object of await objectsOf(client, app)) {
      const { record } = await loadInventory(view, ownerOf(app, object));
      const owned = [...record.entries.values()].map(({ ref }) => keyOf(ref));
      found.push({ ref: refOfApp(app, object), ready: isReady(object), owned });
    }
  }
  return found;
}

async function objectsOf(client: Client, app: App): Promise<readonly KubeObject[]> {
  try {
    return (await client.list(kindOfApp(app))).items;
  } catch (error) {
    if (isApiError(error, "Unserved")) return [];
    throw error;
  }
}

/** A view that has read all inventories already. */
async function inventoryView(client: Client): Promise<View> {
  const view = clientView(client);
  const all = await view.list(Inventory, {});
  const place = (name: string, namespace = "") => `${namespace}/${name}`;
  const known = new Map(all.map((object) => [place(object.metadata.name, object.metadata.namespace), object]));
  return { ...view, read: async (_, name, namespace) => known.get(place(name, namespace)) };
}
