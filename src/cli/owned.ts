/**
 * What an application owns as a tree: the objects of its inventory, below them what others made of these, each with its
 * health. For a tenant also what is ordered in it.
 */

import { kindByGroupKind } from "../contracts/index.ts";
import type { Client } from "../kube/client.ts";
import { isRecord, valueAt } from "../kube/json.ts";
import { type KubeObject, keyOf, type ObjectRef, refOf } from "../kube/object.ts";
import { concurrently } from "../reconcile/concurrently.ts";
import { kindLookup } from "../reconcile/controller.ts";
import { type Health, healthOf } from "../reconcile/health.ts";
import { kindOfApp } from "../reconcile/instance.ts";
import { loadInventory } from "../reconcile/inventory.ts";
import { ownerOf } from "../reconcile/prepare.ts";
import { clientView } from "../reconcile/view.ts";
import type { App } from "../sdk/app.ts";
import { listOf, standingOf } from "./applications.ts";

/** How an object is, for people. */
export interface NodeHealth {
  readonly is: Health["is"] | "absent" | "unknown";
  readonly why?: string;
}

export interface OwnedNode {
  readonly object: ObjectRef;
  readonly health: NodeHealth;
  readonly children: readonly OwnedNode[];
}

/** Kinds that operators and controllers make for what an application owns. */
const made = [
  ["apps", "StatefulSet"],
  ["apps", "Deployment"],
  ["apps", "ReplicaSet"],
  ["batch", "Job"],
  ["", "Pod"],
  ["", "PersistentVolumeClaim"],
  ["", "Service"],
  ["kubevirt.io", "VirtualMachineInstance"],
] as const;

/** The tree of a live application. */
export async function ownedTree(
  client: Client,
  app: App,
  object: KubeObject,
  apps: readonly App[],
): Promise<OwnedNode> {
  const view = clientView(client);
  const kindOf = kindLookup(apps);
  const { record } = await loadInventory(view, ownerOf(app, object));
  const refs = [...record.entries.values()].map(({ ref }) => ref);
  const live = await concurrently(refs, 8, async (ref) => {
    const kind = kindOf(ref.group, ref.kind);
    return kind === undefined ? undefined : view.read(kind, ref.name, ref.namespace);
  });
  const namespaces = new Set(refs.flatMap(({ namespace }) => namespace ?? []));
  const below = await descendants(client, [...namespaces]);
  const listed = new Set(refs.map(keyOf));
  const taken = new Set<string>();
  const childrenOf = async (parent: KubeObject): Promise<readonly OwnedNode[]> => {
    const children = below.filter(
      (one) => !listed.has(keyOf(refOf(one))) && !taken.has(uidOf(one)) && isChild(one, parent),
    );
    for (const child of children) taken.add(uidOf(child));
    const nodes = await Promise.all(children.map((child) => nodeOf(refOf(child), child)));
    const ordered =
      parent.kind === "Namespace" && parent.apiVersion === "v1" ? await orderedIn(parent.metadata.name) : [];
    return [...nodes, ...ordered];
  };
  const nodeOf = async (ref: ObjectRef, found: KubeObject | undefined): Promise<OwnedNode> => ({
    object: withoutUid(ref),
    health: found === undefined ? { is: "absent" } : healthText(found),
    children: found === undefined ? [] : await childrenOf(found),
  });
  const orderedIn = async (namespace: string): Promise<readonly OwnedNode[]> => {
    const lists = await Promise.all(
      apps.map(async (one) => (await listOf(client, kindOfApp(one), namespace)).map((item) => ({ one, item }))),
    );
    return lists.flat().flatMap(({ one, item }) => {
      const ref: ObjectRef = { group: one.group, kind: one.kind, namespace, name: item.metadata.name };
      return listed.has(keyOf(ref)) ? [] : [{ object: ref, health: applicationHealth(item), children: [] }];
    });
  };
  const children: OwnedNode[] = [];
  // Those that made others first, so that a monitor only shows what nobody else did.
  const order = refs.map((ref, at) => ({ ref, found: live[at] })).sort((a, b) => rank(a.ref) - rank(b.ref));
  for (const { ref, found } of order) children.push(await nodeOf(ref, found));
  return {
    object: withoutUid({ ...refOf(object), group: app.group, kind: app.kind }),
    health: applicationHealth(object),
    children,
  };
}

const rank = ({ kind }: ObjectRef): number => (kind === "WorkloadMonitor" ? 1 : 0);

const uidOf = ({ metadata }: KubeObject): string => metadata.uid ?? "";

function withoutUid({ uid: _, ...ref }: ObjectRef): ObjectRef {
  return ref;
}

/** By ownerReference, or for a monitor by its selector. */
function isChild(object: KubeObject, parent: KubeObject): boolean {
  if ((object.metadata.ownerReferences ?? []).some(({ uid }) => uid === parent.metadata.uid)) return true;
  if (parent.kind !== "WorkloadMonitor" || object.kind !== "Pod") return false;
  const selector = valueAt(parent, "spec", "selector");
  if (!isRecord(selector) || object.metadata.namespace !== parent.metadata.namespace) return false;
  return Object.entries(selector).every(([key, value]) => object.metadata.labels?.[key] === value);
}

async function descendants(client: Client, namespaces: readonly string[]): Promise<readonly KubeObject[]> {
  const kinds = made.flatMap(([group, kind]) => kindByGroupKind(group, kind) ?? []);
  const lists = await concurrently(
    namespaces.flatMap((namespace) => kinds.map((kind) => ({ kind, namespace }))),
    8,
    ({ kind, namespace }) => listOf(client, kind, namespace),
  );
  return lists.flat();
}

function healthText(object: KubeObject): NodeHealth {
  const health = healthOf(object);
  return health.is === "current" ? { is: "current" } : { is: health.is, why: health.why };
}

function applicationHealth(object: KubeObject): NodeHealth {
  if (object.metadata.deletionTimestamp !== undefined) return { is: "terminating", why: standingOf(object).message };
  const { ready, message, stalled } = standingOf(object);
  if (ready === "True") return { is: "current" };
  return { is: stalled ? "failed" : "inProgress", why: message };
}
