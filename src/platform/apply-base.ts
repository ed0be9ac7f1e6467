/**
 * Applies objects that belong to no application: compared first, so that an installation that is up to date costs reads
 * and not one write.
 */
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { isRecord } from "../kube/json.ts";
import { type AnyKind, apiVersionOf, type KubeObject } from "../kube/object.ts";
import type { World } from "../kube/world.ts";
import { digestOf } from "../reconcile/digest.ts";

/** Digest of what was last applied: tells a field that we no longer want from one that somebody else added. */
const APPLIED = "internal.cozystack.io/applied";

export interface BaseObject {
  readonly kind: AnyKind;
  readonly object: KubeObject;
}

export interface ApplyBaseOptions {
  readonly client: Client;
  readonly world: World;
  readonly signal?: AbortSignal;
}

const PARALLEL = 8;
/** A kind is served shortly after its definition is established. */
const SERVED_WITHIN_MS = 15_000;
const RETRY_MS = 100;

/** Applies all, several at a time and in no order; the names of those that were written. Rejects with the first failure. */
export async function applyBase(objects: readonly BaseObject[], options: ApplyBaseOptions): Promise<readonly string[]> {
  const queue = [...objects];
  const written: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (await applyOne(next, options)) written.push(`${next.object.kind} ${next.object.metadata.name}`);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return written.sort();
}

async function applyOne({ kind, object }: BaseObject, options: ApplyBaseOptions): Promise<boolean> {
  const { client, world, signal } = options;
  const desired = withDigest(object);
  const call = signal === undefined ? {} : { signal };
  const until = world.monotonic() + SERVED_WITHIN_MS;
  for (;;) {
    try {
      const { name, namespace } = object.metadata;
      const live = await client.get(kind, name, namespace, call);
      if (live !== undefined && isPart(desired, live)) return false;
      await client.apply(kind, desired, call);
      return true;
    } catch (error) {
      if (!isApiError(error, "Unserved") || world.monotonic() > until) throw error;
      await world.sleep(RETRY_MS, signal);
    }
  }
}

function withDigest(object: KubeObject): KubeObject {
  const annotations = { ...object.metadata.annotations, [APPLIED]: digestOf(object) };
  return { ...object, metadata: { ...object.metadata, annotations } };
}

/**
 * Whether everything in `desired` is in `live`. Lists must be as long, since we apply them as a whole; an empty map or list
 * is there as well when the API server leaves it out.
 */
export function isPart(desired: unknown, live: unknown): boolean {
  if (Array.isArray(desired)) {
    const list: readonly unknown[] = Array.isArray(live) ? live : [];
    return list.length === desired.length && desired.every((item, index) => isPart(item, list[index]));
  }
  if (!isRecord(desired)) return desired === live;
  const map = isRecord(live) ? live : {};
  return Object.entries(desired).every(([key, value]) => value === undefined || isPart(value, map[key]));
}

/** Pairs objects with their kind, looked up by group and name. Throws for a kind that nobody declared. */
export function baseObjects(
  objects: readonly KubeObject[],
  kindOf: (group: string, kind: string) => AnyKind | undefined,
): readonly BaseObject[] {
  return objects.map((object) => {
    const slash = object.apiVersion.indexOf("/");
    const kind = kindOf(slash < 0 ? "" : object.apiVersion.slice(0, slash), object.kind);
    if (kind === undefined || apiVersionOf(kind) !== object.apiVersion) {
      throw new Error(`no kind ${object.apiVersion} ${object.kind} is declared`);
    }
    return { kind, object };
  });
}
