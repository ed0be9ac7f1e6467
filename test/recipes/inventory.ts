/** What an application owns, as its Inventory says. */
import { kindByGroupKind } from "../../src/contracts/index.ts";
import { Inventory } from "../../src/contracts/internal-cozystack-io.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { AnyKind, KubeObject } from "../../src/kube/object.ts";
import { kindOfApp } from "../../src/reconcile/instance.ts";
import { type InventoryEntry, type OwnedPolicy, parseEntry } from "../../src/reconcile/inventory-record.ts";
import type { App } from "../../src/sdk/app.ts";
import { appOf, type Cloud } from "../support/cloud.ts";

export interface Owned {
  readonly entry: InventoryEntry;
  readonly kind: AnyKind;
  readonly object: KubeObject;
}

/** The live objects that the application applies and keeps as they are, with all their fields and owners of fields. */
export function managedBy(cloud: Cloud, app: App, name: string, namespace: string): Promise<readonly Owned[]> {
  return ownedBy("managed", cloud, app, name, namespace);
}

/** The live objects that the application has by one policy, likewise. */
export async function ownedBy(
  policy: OwnedPolicy,
  cloud: Cloud,
  app: App,
  name: string,
  namespace: string,
): Promise<readonly Owned[]> {
  const { items } = await cloud.admin.list(Inventory, { namespace });
  const chunks = items.filter(
    (one) => valueAt(one, "spec", "instance", "kind") === app.kind && valueAt(one, "spec", "instance", "name") === name,
  );
  const lines = chunks.flatMap((chunk) => valueAt(chunk, "spec", "entries"));
  const entries = lines.flat().flatMap((line) => parseEntry(String(line)) ?? []);
  const owned: Owned[] = [];
  for (const entry of entries.filter((entry) => entry.policy === policy)) {
    const kind = kindByGroupKind(entry.ref.group, entry.ref.kind) ?? kindOfApp(appOf(entry.ref.kind));
    const { items: found } = await cloud.admin.list<KubeObject>(kind, {
      fieldSelector: `metadata.name=${entry.ref.name}`,
      managedFields: true,
      ...(entry.ref.namespace === undefined ? {} : { namespace: entry.ref.namespace }),
    });
    const [object] = found;
    if (object !== undefined) owned.push({ entry, kind, object });
  }
  return owned;
}
