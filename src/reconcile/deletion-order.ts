/**
 * What must be gone before an application may go: those that use it, and for a tenant all that is ordered in it.
 */
import { Inventory } from "../contracts/internal-cozystack-io.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import { type KubeObject, keyOf, type ObjectRef, parseRef, refOf } from "../kube/object.ts";
import type { App, DeletionStage } from "../sdk/app.ts";
import type { Watched } from "./interests.ts";
import type { InventoryRecord } from "./inventory-record.ts";
import type { KindLookup, View } from "./view.ts";

export interface OrderOptions {
  readonly view: View;
  readonly kindOf: KindLookup;
  readonly apps: readonly App[];
}

/** Live applications whose inventory says that they use this one. */
export async function holdersOf(
  ref: ObjectRef,
  namespace: string,
  options: OrderOptions,
): Promise<readonly KubeObject[]> {
  const { view, kindOf } = options;
  const wanted = keyOf(ref);
  const holders: KubeObject[] = [];
  for (const inventory of await view.list(Inventory, {}, namespace)) {
    const spec = valueAt(inventory, "spec");
    const references = isRecord(spec) ? spec["references"] : undefined;
    if (!Array.isArray(references) || !references.some((text) => isSame(text, wanted, namespace))) continue;
    const [group, kind, name] = ["group", "kind", "name"].map((field) => valueAt(spec, "instance", field));
    const found = typeof group === "string" && typeof kind === "string" ? kindOf(group, kind) : undefined;
    if (found === undefined || typeof name !== "string") continue;
    const object = await view.read(found, name, namespace);
    if (object !== undefined && object.metadata.uid === valueAt(spec, "instance", "uid")) holders.push(object);
  }
  return holders;
}

function isSame(text: unknown, wanted: string, namespace: string): boolean {
  const ref = typeof text === "string" ? parseRef(text) : undefined;
  return ref !== undefined && keyOf({ namespace, ...ref }) === wanted;
}

/** The application objects of a stage of deletion. */
export async function stageObjects(stage: DeletionStage, { view, apps }: OrderOptions): Promise<readonly KubeObject[]> {
  const found: KubeObject[] = [];
  for (const app of apps) {
    if (app.module !== (stage.of === "modules")) continue;
    const kind = { group: app.group, version: "v1alpha1", kind: app.kind, plural: app.plural, namespaced: true };
    if (await view.serves(kind)) found.push(...(await view.list(kind, {}, stage.namespace)));
  }
  return found;
}

/** What a deletion is woken by: everything it may still wait for. */
export function deletionInterest(
  app: App,
  record: InventoryRecord,
  holders: readonly KubeObject[],
  apps: readonly App[],
): Watched {
  const { namespace, name } = record.owner;
  const claims = [
    ...record.storage,
    ...record.leftovers.map(({ kind, ...rest }) => ({ ...rest, group: kind.group, kind: kind.kind })),
  ];
  const named = claims.flatMap(({ group, kind, names = [] }) =>
    names.map((one) => ({ group, kind, namespace, name: one })),
  );
  const labelled = claims.flatMap(({ group, kind, labels }) =>
    labels === undefined ? [] : [{ group, kind, namespace, labels }],
  );
  const staged = app
    .deletion({ name, namespace })
    .flatMap((stage) => apps.map(({ group, kind }) => ({ group, kind, namespace: stage.namespace, labels: {} })));
  return {
    refs: [...[...record.entries.values()].map(({ ref }) => ref), ...named, ...holders.map((holder) => refOf(holder))],
    lists: [...labelled, ...staged],
    kinds: [],
  };
}
