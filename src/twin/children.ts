/**
 * Keeps an object's children as its player wants them. A child is written only when what the player wants of it changed;
 * pods, which cannot be changed, are replaced one at a time.
 */
import { createHash } from "node:crypto";
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { type AnyKind, groupOf, type KubeObject } from "../kube/object.ts";
import type { Store } from "../kube/store.ts";
import { isReadyPod } from "./readiness.ts";

/** Digest of what the player wanted when the child was last written. */
export const digestKey = "twin.cozystack.io/digest";
/** The object for whose sake an unowned child exists: `<kind>/<namespace>/<name>`. */
export const makerKey = "twin.cozystack.io/maker";
export const fieldManager = "twin";

export function digestOf(object: KubeObject): string {
  return createHash("sha256").update(JSON.stringify(object)).digest("hex").slice(0, 16);
}

export function makerOf(parent: KubeObject): string {
  return `${parent.kind}/${parent.metadata.namespace ?? ""}/${parent.metadata.name}`;
}

export interface ChildrenOptions {
  /**
   * What exists and carries no digest was made by a real operator, as it wants it: it is left as it is until the player wants
   * something else than it did when it met it. Default false: it is written anew.
   */
  readonly takesOver?: boolean;
  readonly client: Client;
  readonly parent: KubeObject;
  readonly kinds: readonly AnyKind[];
  storeOf(kind: AnyKind): Store<KubeObject>;
}

export function kindOf(object: KubeObject, kinds: readonly AnyKind[]): AnyKind {
  const found = kinds.find((kind) => kind.kind === object.kind && kind.group === groupOf(object.apiVersion));
  if (found === undefined) throw new TypeError(`a player makes a ${object.kind} without declaring it in makes`);
  return found;
}

/** The child as it is written: placed, owned or marked, and with its digest. */
function dressed(child: KubeObject, kind: AnyKind, parent: KubeObject, isOwned: boolean): KubeObject {
  const { metadata } = child;
  const namespace = metadata.namespace ?? parent.metadata.namespace;
  const owner = {
    apiVersion: parent.apiVersion,
    kind: parent.kind,
    name: parent.metadata.name,
    uid: parent.metadata.uid ?? "",
    controller: true,
    blockOwnerDeletion: true,
  };
  const annotations = {
    ...metadata.annotations,
    [digestKey]: digestOf(child),
    ...(isOwned ? {} : { [makerKey]: makerOf(parent) }),
  };
  return {
    ...child,
    metadata: {
      ...metadata,
      annotations,
      ...(kind.namespaced && namespace !== undefined ? { namespace } : {}),
      ...(isOwned ? { ownerReferences: [owner] } : {}),
    },
  };
}

/** Writes what differs, deletes what is no longer wanted. */
export async function keepChildren(
  options: ChildrenOptions,
  owned: readonly KubeObject[],
  unowned: readonly KubeObject[],
): Promise<void> {
  const { client, parent, kinds } = options;
  const wanted = new Set<string>();
  for (const [child, isOwned] of [
    ...owned.map((one) => [one, true] as const),
    ...unowned.map((one) => [one, false] as const),
  ]) {
    const kind = kindOf(child, kinds);
    const object = dressed(child, kind, parent, isOwned);
    wanted.add(`${kind.kind}/${object.metadata.name}`);
    await keepChild(options, kind, object);
  }
  for (const kind of kinds) {
    for (const live of options.storeOf(kind).ownedBy(parent.metadata.uid ?? "")) {
      const isOurs = live.metadata.annotations?.[digestKey] !== undefined;
      if (!isOurs || live.metadata.deletionTimestamp !== undefined || wanted.has(`${kind.kind}/${live.metadata.name}`))
        continue;
      await remove(client, kind, live);
    }
  }
}

async function remove(
  client: Client,
  kind: AnyKind,
  live: KubeObject,
  propagation: "Background" | "Orphan" = "Background",
): Promise<void> {
  const { name, namespace, uid } = live.metadata;
  await client.delete(kind, name, namespace, { propagation, ...(uid === undefined ? {} : { uid }) });
}

async function keepChild(options: ChildrenOptions, kind: AnyKind, object: KubeObject): Promise<void> {
  const { client, storeOf, takesOver = false } = options;
  const store = storeOf(kind);
  const { name, namespace, annotations, ownerReferences } = object.metadata;
  const live = store.get(name, namespace);
  if (live !== undefined) {
    // Being deleted, or somebody else's: its event plays the parent again.
    if (live.metadata.deletionTimestamp !== undefined) return;
    const uid = ownerReferences?.[0]?.uid;
    if (uid !== undefined && live.metadata.ownerReferences?.every((owner) => owner.uid !== uid) === true) return;
    const known = live.metadata.annotations?.[digestKey];
    if (known === annotations?.[digestKey]) return;
    if (known === undefined && takesOver) {
      const patch = { metadata: { annotations: { [digestKey]: annotations?.[digestKey] } } };
      store.assume(await client.mergePatch(kind, name, namespace, patch, { fieldManager }));
      return;
    }
    if (kind.kind === "Pod") {
      const others = store.ownedBy(uid ?? "").filter((pod) => pod.metadata.name !== name);
      if (others.every(isReadyPod)) await remove(client, kind, live);
      return;
    }
  }
  try {
    store.assume(await client.apply(kind, object, { fieldManager }));
  } catch (error) {
    // A StatefulSet's claim templates cannot change; operators make the set anew over the same pods.
    if (!isApiError(error, "Invalid") || kind.kind !== "StatefulSet" || live === undefined) throw error;
    await remove(client, kind, live, "Orphan");
  }
}
