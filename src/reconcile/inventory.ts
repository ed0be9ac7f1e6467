/**
 * Inventory objects: read into a record, written back. A record too large for one object spreads over several;
 * an entry stays in its chunk, so that no chunk's write can lose what another holds.
 */
import { Inventory, type InventorySpec } from "../contracts/internal-cozystack-io.ts";
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { isRecord } from "../kube/json.ts";
import { formatRef, type KubeObject, keyOf, parseRef } from "../kube/object.ts";
import type { Leftover, StorageClaim } from "../sdk/app.ts";
import { canonical } from "./digest.ts";
import {
  emptyRecord,
  formatEntry,
  type InventoryEntry,
  type InventoryOwner,
  type InventoryRecord,
  inherit,
  parseEntry,
} from "./inventory-record.ts";
import type { View } from "./view.ts";

/** Keeps an inventory in a terminating namespace until the deletion that needs it is done. */
export const INVENTORY_FINALIZER = "internal.cozystack.io/inventory";

/** Bytes of entries in one object: far below what etcd takes, so that the rest always fits. */
const CHUNK_BYTES = 256 * 1024;

interface InventoryObject extends KubeObject {
  readonly spec: InventorySpec;
}

/** An inventory as read: the record, and the objects it came from. */
export interface LoadedInventory {
  readonly record: InventoryRecord;
  readonly chunks: readonly InventoryObject[];
}

/** Name of an application's first Inventory. Kinds have no dots, so that no two applications share one. */
export function inventoryName(owner: Pick<InventoryOwner, "kind" | "name">): string {
  return `${owner.kind.toLowerCase()}.${owner.name}`;
}

function chunkName(owner: InventoryOwner, at: number): string {
  return at === 0 ? inventoryName(owner) : `${inventoryName(owner)}.${at}`;
}

/**
 * Reads the inventory of an application; an empty one where there is none. One of another uid is inherited, not trusted.
 * `expected`: there should be one, so that its absence is believed to the API server alone.
 */
export async function loadInventory(view: View, owner: InventoryOwner, expected = false): Promise<LoadedInventory> {
  const chunks: InventoryObject[] = [];
  for (let at = 0; ; at += 1) {
    const read = () => view.read(Inventory, chunkName(owner, at), owner.namespace);
    const ask = () => view.fresh(Inventory, chunkName(owner, at), owner.namespace);
    const object = (await read()) ?? (expected && at === 0 ? await ask() : undefined);
    if (object === undefined) break;
    chunks.push(asInventory(object));
  }
  const [first] = chunks;
  if (first === undefined) return { record: emptyRecord(owner), chunks };
  const record = recordOf(first, chunks, owner);
  return { record: record.owner.uid === owner.uid ? record : inherit(record, owner), chunks };
}

function asInventory(object: KubeObject & { readonly spec?: unknown }): InventoryObject {
  const { spec } = object;
  if (isRecord(spec) && isInstance(spec["instance"]))
    return { ...object, spec: { ...spec, instance: spec["instance"] } };
  throw new Error(`Inventory ${object.metadata.namespace}/${object.metadata.name} has no instance: it is not ours`);
}

function isInstance(value: unknown): value is InventorySpec["instance"] {
  return isRecord(value) && typeof value["uid"] === "string" && typeof value["generation"] === "number";
}

function recordOf(first: InventoryObject, chunks: readonly InventoryObject[], owner: InventoryOwner): InventoryRecord {
  const { spec } = first;
  const lines = chunks.flatMap((chunk) => chunk.spec.entries ?? []);
  const entries = lines.flatMap((line): readonly (readonly [string, InventoryEntry])[] => {
    const entry = parseEntry(line);
    return entry === undefined ? [] : [[keyOf(entry.ref), entry]];
  });
  const rotated = spec["rotated"];
  return {
    owner: { ...owner, uid: spec.instance.uid },
    formerUids: listOf(spec["formerUids"], (value) => (typeof value === "string" ? value : undefined)),
    generation: spec.instance.generation,
    entries: new Map(entries),
    storage: listOf(spec["storage"], (value) => (isStorageClaim(value) ? value : undefined)),
    leftovers: listOf(spec["leftovers"], (value) => (isLeftover(value) ? value : undefined)),
    references: listOf(spec["references"], (value) => (typeof value === "string" ? parseRef(value) : undefined)),
    ...(typeof rotated === "string" ? { rotated } : {}),
  };
}

function listOf<T>(value: unknown, read: (item: unknown) => T | undefined): readonly T[] {
  return Array.isArray(value) ? value.flatMap((item) => read(item) ?? []) : [];
}

function isStorageClaim(value: unknown): value is StorageClaim {
  return isRecord(value) && typeof value["group"] === "string" && typeof value["kind"] === "string";
}

function isLeftover(value: unknown): value is Leftover {
  return isRecord(value) && isRecord(value["kind"]) && typeof value["kind"]["plural"] === "string";
}

/**
 * Writes a record where it differs from what is stored, by more than uids that are only now known (learned-uids.ts);
 * resolves with what is stored then.
 * @throws ApiError `AlreadyExists` when there is one that the view did not show; now it does
 */
export async function saveInventory(
  client: Client,
  view: View,
  loaded: LoadedInventory,
  record: InventoryRecord,
): Promise<LoadedInventory> {
  const bodies = bodiesOf(loaded, record);
  const chunks: InventoryObject[] = [];
  // Last to first: what a reader finds in the first chunk is then never more than the others hold.
  for (const at of bodies.map((_, index) => bodies.length - 1 - index)) {
    const body = bodies[at];
    if (body === undefined) continue;
    chunks.unshift(await saveChunk(client, view, loaded.chunks[at], body));
  }
  return { record, chunks };
}

async function saveChunk(
  client: Client,
  view: View,
  before: InventoryObject | undefined,
  body: InventoryObject,
): Promise<InventoryObject> {
  if (before !== undefined && saysAll(before.spec, body.spec)) return before;
  const answer =
    before === undefined
      ? await createChunk(client, view, body)
      : await client.replace(Inventory, withPlainSpec({ ...body, metadata: before.metadata }));
  view.wrote(Inventory, answer);
  return asInventory(answer);
}

/** Whether what is stored tells all that there is to say, but for uids it could not know. */
function saysAll(stored: InventorySpec, spec: InventorySpec): boolean {
  const lines = new Set(stored.entries ?? []);
  const entries = (spec.entries ?? []).map((line) => {
    const entry = lines.has(line) ? undefined : parseEntry(line);
    if (entry === undefined) return line;
    const { uid: _, ...ref } = entry.ref;
    const withoutUid = formatEntry({ ...entry, ref });
    return lines.has(withoutUid) ? withoutUid : line;
  });
  return canonical(stored) === canonical({ ...spec, entries });
}

async function createChunk(client: Client, view: View, body: InventoryObject) {
  try {
    return await client.create(Inventory, withPlainSpec(body));
  } catch (error) {
    const { name, namespace } = body.metadata;
    const live = isApiError(error, "AlreadyExists") ? await view.fresh(Inventory, name, namespace) : undefined;
    if (live !== undefined) view.wrote(Inventory, live);
    throw error;
  }
}

// The contract's type knows `instance` and `entries` only.
function withPlainSpec(object: InventoryObject): ReturnType<typeof Inventory> {
  return Inventory(object.metadata.name, { metadata: object.metadata, spec: object.spec });
}

function bodiesOf(loaded: LoadedInventory, record: InventoryRecord): readonly InventoryObject[] {
  const { owner } = record;
  const instance = {
    group: owner.group,
    kind: owner.kind,
    name: owner.name,
    uid: owner.uid,
    generation: record.generation,
  };
  const about = {
    ...(record.formerUids.length === 0 ? {} : { formerUids: record.formerUids }),
    ...(record.storage.length === 0 ? {} : { storage: record.storage }),
    ...(record.leftovers.length === 0 ? {} : { leftovers: record.leftovers.map(plainLeftover) }),
    ...(record.references.length === 0 ? {} : { references: record.references.map(formatRef) }),
    ...(record.rotated === undefined ? {} : { rotated: record.rotated }),
  };
  return linesByChunk(loaded, record).map((entries, at) => ({
    apiVersion: "internal.cozystack.io/v1alpha1",
    kind: "Inventory",
    metadata: { name: chunkName(owner, at), namespace: owner.namespace, finalizers: [INVENTORY_FINALIZER] },
    spec: { instance, entries, ...(at === 0 ? about : {}) },
  }));
}

function plainLeftover({ kind, ...rest }: Leftover): object {
  const { group, version, plural, namespaced } = kind;
  return { kind: { group, version, kind: kind.kind, plural, namespaced }, ...rest };
}

function linesByChunk(loaded: LoadedInventory, record: InventoryRecord): readonly (readonly string[])[] {
  const chunks: string[][] = loaded.chunks.map(() => []);
  const homes = new Map<string, number>();
  loaded.chunks.forEach((chunk, at) => {
    for (const line of chunk.spec.entries ?? []) {
      const entry = parseEntry(line);
      if (entry !== undefined) homes.set(keyOf(entry.ref), at);
    }
  });
  const sizes = chunks.map(() => 0);
  const put = (at: number, line: string) => {
    const chunk = chunks[at] ?? [];
    chunks[at] = chunk;
    chunk.push(line);
    sizes[at] = (sizes[at] ?? 0) + line.length;
  };
  const newcomers: string[] = [];
  for (const [key, entry] of record.entries) {
    const home = homes.get(key);
    if (home === undefined) newcomers.push(formatEntry(entry));
    else put(home, formatEntry(entry));
  }
  for (const line of newcomers) {
    const room = sizes.findIndex((size) => size + line.length <= CHUNK_BYTES);
    put(room < 0 ? sizes.length : room, line);
  }
  return chunks.length === 0 ? [[]] : chunks;
}

/** Removes an inventory, when nothing it lists is left. */
export async function deleteInventory(client: Client, chunks: readonly KubeObject[]): Promise<void> {
  // The first goes last: it alone tells that there are others.
  for (const { metadata } of [...chunks].reverse()) {
    const { name, namespace, uid, deletionTimestamp, finalizers = [] } = metadata;
    if (uid === undefined) continue;
    if (deletionTimestamp === undefined && !(await client.delete(Inventory, name, namespace, { uid }))) continue;
    const rest = finalizers.filter((finalizer) => finalizer !== INVENTORY_FINALIZER);
    if (rest.length === finalizers.length) continue;
    try {
      await client.jsonPatch(Inventory, name, namespace, [
        { op: "test", path: "/metadata/uid", value: uid },
        { op: "replace", path: "/metadata/finalizers", value: rest },
      ]);
    } catch (error) {
      if (!isApiError(error, "NotFound")) throw error;
    }
  }
}
