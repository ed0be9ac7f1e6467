/**
 * Copies the objects of a cluster into the etcd of another engine, page by page. They are written as the API server stores
 * them, past admission: uids, generations, owners, conditions and what is being deleted stay as they are, and what the cluster
 * accepted once is not judged anew. Read only where the cluster is concerned.
 */
import { type Etcd, type EtcdPair, MAX_PAIRS } from "../../../embedded/etcd.ts";
import type { Client } from "../../kube/client.ts";
import { CustomResourceDefinition, Secret } from "../../kube/core-kinds.ts";
import { CozystackError, isApiError } from "../../kube/errors.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import type { AnyKind, KubeObject } from "../../kube/object.ts";
import { storageKey } from "./kinds.ts";
import type { StandIns } from "./stand-ins.ts";

/** The most that is copied. */
export interface CopyLimits {
  readonly objects: number;
  readonly bytes: number;
}

/** Enough for several thousand applications; with more, memory is what ends. */
export const defaultLimits: CopyLimits = { objects: 500_000, bytes: 2 * 2 ** 30 };

export interface CopyOptions {
  readonly source: Client;
  readonly etcd: Etcd;
  /** In the order of {@link copiedKinds}. */
  readonly kinds: readonly AnyKind[];
  readonly standIns: StandIns;
  readonly limits?: CopyLimits;
  readonly signal?: AbortSignal;
  /** Told after each kind that has objects. */
  readonly onKind?: (kind: AnyKind, objects: number) => void;
}

export interface Copied {
  readonly objects: number;
  readonly bytes: number;
  /** Objects by kind, `group/Kind`, of the kinds that the cluster serves. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Objects whose owner was not copied; the copies have no such owner. */
  readonly withoutOwner: number;
}

/** The cluster is larger than a rehearsal takes. */
class CopyTooLarge extends CozystackError {
  constructor({ objects, bytes }: CopyLimits, kinds: Readonly<Record<string, number>>) {
    const largest = Object.entries(kinds).sort(([, a], [, b]) => b - a);
    const most = largest.slice(0, 3).map(([kind, count]) => `${count} of ${kind}`);
    super(
      "CopyTooLarge",
      `the cluster has more than ${objects} objects or ${bytes} bytes; most are ${most.join(", ")}`,
      "Raise --max-objects or --max-size where there is memory for it.",
    );
  }
}

const PAGE = 250;
const BATCH_BYTES = 900_000;
/** How often a list that expired half way is begun anew. */
const ATTEMPTS = 3;

/** Copies; rejects with the first read or write that fails: half a copy would rehearse something else. */
export async function copyCluster(options: CopyOptions): Promise<Copied> {
  const { kinds, limits = defaultLimits, onKind = () => undefined } = options;
  const copied = new Copying(options, limits);
  for (const kind of kinds) {
    const objects = await copied.kind(kind);
    if (objects !== undefined && objects > 0) onKind(kind, objects);
  }
  const withoutOwner = await copied.freeOrphans();
  return { ...copied.sizes(), withoutOwner };
}

/** An object with owners, as much of it as is needed to find it again. */
interface Dependent {
  readonly kind: AnyKind;
  readonly name: string;
  readonly namespace: string | undefined;
  readonly uid: string;
  readonly owners: readonly string[];
}

class Copying {
  readonly #options: CopyOptions;
  readonly #limits: CopyLimits;
  readonly #counts: Record<string, number> = {};
  readonly #uids = new Set<string>();
  /** Objects whose owners had not been seen when they were copied. */
  readonly #dependents: Dependent[] = [];
  #objects = 0;
  #bytes = 0;

  constructor(options: CopyOptions, limits: CopyLimits) {
    this.#options = options;
    this.#limits = limits;
  }

  sizes(): Pick<Copied, "objects" | "bytes" | "kinds"> {
    return { objects: this.#objects, bytes: this.#bytes, kinds: this.#counts };
  }

  /** The number of objects; undefined where the cluster does not serve the kind. */
  async kind(kind: AnyKind): Promise<number | undefined> {
    for (let attempt = 1; ; attempt += 1) {
      const keys = new Set<string>();
      try {
        await this.#pages(kind, keys);
        this.#counts[`${kind.group}/${kind.kind}`] = keys.size;
        this.#objects += keys.size;
        return keys.size;
      } catch (error) {
        if (isApiError(error, "Unserved")) return undefined;
        if (!isApiError(error, "Expired") || attempt === ATTEMPTS) throw error;
        // What is gone by the next attempt must not stay.
        await inBatches([...keys], MAX_PAIRS, (some) => this.#options.etcd.remove(some));
      }
    }
  }

  async #pages(kind: AnyKind, keys: Set<string>): Promise<void> {
    const { source, signal } = this.#options;
    const list = { pageSize: PAGE, managedFields: true, ...(signal === undefined ? {} : { signal }) };
    for await (const { items } of source.pages(kind, list)) {
      const pairs = items.map((object) => this.#pair(kind, object));
      for (const { key } of pairs) keys.add(key);
      await this.#put(pairs);
      if (this.#objects + keys.size > this.#limits.objects || this.#bytes > this.#limits.bytes) {
        throw new CopyTooLarge(this.#limits, { ...this.#counts, [`${kind.group}/${kind.kind}`]: keys.size });
      }
    }
  }

  #pair(kind: AnyKind, object: KubeObject): EtcdPair {
    const { uid = "", name, namespace, ownerReferences = [] } = object.metadata;
    this.#uids.add(uid);
    const owners = ownerReferences.map((owner) => owner.uid).filter((owner) => !this.#uids.has(owner));
    if (owners.length > 0) this.#dependents.push({ kind, name, namespace, uid, owners });
    return { key: storageKey(kind, object), value: Buffer.from(JSON.stringify(this.#stored(kind, object))) };
  }

  #stored(kind: AnyKind, object: KubeObject): object {
    const { resourceVersion: _, ...metadata } = object.metadata;
    const stored = { ...object, metadata };
    if (kind.group === CustomResourceDefinition.group && kind.kind === CustomResourceDefinition.kind) {
      return withoutConversion(stored);
    }
    if (kind.group !== Secret.group || kind.kind !== Secret.kind) return stored;
    return this.#options.standIns.hide(stored, metadata.name, metadata.namespace);
  }

  async #put(pairs: readonly EtcdPair[]): Promise<void> {
    let batch: EtcdPair[] = [];
    let size = 0;
    const send = async (): Promise<void> => {
      await this.#options.etcd.put(batch);
      this.#bytes += size;
      batch = [];
      size = 0;
    };
    for (const pair of pairs) {
      if (batch.length === MAX_PAIRS || size + pair.value.length > BATCH_BYTES) await send();
      batch.push(pair);
      size += pair.value.length;
    }
    await send();
  }

  /**
   * Takes owners off that were not copied: the garbage collector would see that they do not exist, and delete what they own.
   */
  async freeOrphans(): Promise<number> {
    const orphans = this.#dependents.filter(({ owners }) => owners.some((owner) => !this.#uids.has(owner)));
    const { source, signal } = this.#options;
    for (const { kind, name, namespace, uid } of orphans) {
      const live = await source.get(kind, name, namespace, signal === undefined ? {} : { signal });
      if (live === undefined || live.metadata.uid !== uid) continue;
      const ownerReferences = (live.metadata.ownerReferences ?? []).filter((owner) => this.#uids.has(owner.uid));
      await this.#put([this.#pair(kind, { ...live, metadata: { ...live.metadata, ownerReferences } })]);
    }
    return orphans.length;
  }
}

/** Its conversion webhook is not there: all versions have the same schema, but for the name. */
function withoutConversion(definition: KubeObject): object {
  const spec = valueAt(definition, "spec");
  return { ...definition, spec: { ...(isRecord(spec) ? spec : {}), conversion: { strategy: "None" } } };
}

async function inBatches<T>(
  items: readonly T[],
  size: number,
  work: (some: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < items.length; at += size) await work(items.slice(at, at + size));
}
