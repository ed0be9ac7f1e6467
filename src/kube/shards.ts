/**
 * Shards: processes that share work by key. Each holds a Lease of its own; a key belongs to one of those alive and of
 * the highest version.
 *
 * Two never act for one key. A member acts only while its own lease is held and its list of members is fresh (both by
 * its monotonic clock, for two thirds of a lease); whoever gains a key waits a whole lease, within which its former
 * owner has seen the change or stopped. Whose lease has not changed for its length is gone.
 */
import { Lease } from "./core-kinds.ts";
import { type HeldLease, heldLease, type LeaseOptions, versionAnnotation } from "./lease.ts";
import { ownerAmong } from "./rendezvous.ts";
import { compareVersions } from "./version-order.ts";

/** The label that Leases of one group of shards carry. */
export const shardGroupLabel = "internal.cozystack.io/shard-group";

export interface ShardOptions extends Omit<LeaseOptions, "name" | "labels"> {
  /** Shards of one group share the keys. A DNS label. */
  readonly group: string;
}

export interface Shard {
  readonly lease: HeldLease;
  /** Whether we may act for the key now. */
  owns(key: string): boolean;
  /** Who shares the work, as last seen: alive and of the highest version. */
  members(): readonly string[];
  /** Called when members come or go, and when keys gained with them may be worked on. Returns the function that ends it. */
  onChange(handler: () => void): () => void;
  /** Takes part until the signal is aborted. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

interface Sighting {
  readonly resourceVersion: string | undefined;
  /** Since when it has not changed, by our clock. */
  readonly since: number;
}

/** Who shared the work from a time on. */
interface Epoch {
  readonly since: number;
  readonly members: readonly string[];
}

export function shard(options: ShardOptions): Shard {
  const { client, namespace, group, identity, version, world } = options;
  const duration = (options.durationSeconds ?? 15) * 1000;
  /** For how long a list of members counts. */
  const fresh = (duration * 2) / 3;
  const lease = heldLease({ ...options, name: `${group}-${identity}`, labels: { [shardGroupLabel]: group } });
  const sightings = new Map<string, Sighting>();
  const handlers = new Set<() => void>();
  let epochs: readonly Epoch[] = [];
  let listedAt: number | undefined;
  let settling = false;

  const tell = () => {
    for (const handler of handlers) handler();
  };

  const alive = (one: Lease, now: number): boolean => {
    const { name, resourceVersion } = one.metadata;
    const known = sightings.get(name);
    const since = known !== undefined && known.resourceVersion === resourceVersion ? known.since : now;
    sightings.set(name, { resourceVersion, since });
    const length = (one.spec?.leaseDurationSeconds ?? 0) * 1000;
    return (one.spec?.holderIdentity ?? "") !== "" && now - since < length;
  };

  /** The members of the highest version among those alive. */
  const leading = (leases: readonly Lease[]): readonly string[] => {
    const versionOf = (one: Lease) => one.metadata.annotations?.[versionAnnotation] ?? "0";
    const highest = leases.reduce(
      (best, one) => (compareVersions(versionOf(one), best) > 0 ? versionOf(one) : best),
      version,
    );
    return leases
      .filter((one) => compareVersions(versionOf(one), highest) === 0)
      .map((one) => one.spec?.holderIdentity ?? "")
      .sort();
  };

  const look = async (signal: AbortSignal): Promise<void> => {
    const sentAt = world.monotonic();
    const { items } = await client.list(Lease, { namespace, labelSelector: `${shardGroupLabel}=${group}`, signal });
    const now = world.monotonic();
    const living = items.filter((one) => alive(one, now));
    const members = leading(living);
    // What happened while we could not see is as unknown as what was before us.
    if (listedAt !== undefined && (sentAt - listedAt >= fresh || !lease.held())) epochs = [];
    listedAt = sentAt;
    const last = epochs.at(-1);
    if (last === undefined || last.members.join() !== members.join()) {
      // Before our first look only others can have worked, those of lower versions among them.
      const others = living.map((one) => one.spec?.holderIdentity ?? "").filter((member) => member !== identity);
      const past: Epoch = { since: Number.NEGATIVE_INFINITY, members: others };
      epochs = [...(last === undefined ? [past] : epochs), { since: now, members }];
      settling = true;
      tell();
    } else if (settling && now - last.since >= duration) {
      settling = false;
      tell();
    }
    epochs = epochs.filter(
      (_, index) => (epochs[index + 1]?.since ?? now) > now - duration || index === epochs.length - 1,
    );
  };

  return {
    lease,
    members: () => epochs.at(-1)?.members ?? [],
    owns(key) {
      const now = world.monotonic();
      if (!lease.held() || listedAt === undefined || now - listedAt >= fresh) return false;
      const recent = epochs.filter((_, index) => (epochs[index + 1]?.since ?? now + 1) > now - duration);
      const ours = (epoch: Epoch) => {
        const owner = ownerAmong(epoch.members, key);
        return owner === identity || owner === undefined;
      };
      return recent.length > 0 && recent.every(ours) && ownerAmong(epochs.at(-1)?.members ?? [], key) === identity;
    },
    onChange(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    async run(signal) {
      const looks = new Set<Promise<void>>();
      const stop = lease.onAttempt(() => {
        const looking = look(signal).catch((error: unknown) => {
          if (!signal.aborted) options.onError?.(error);
        });
        looks.add(looking);
        void looking.then(() => looks.delete(looking));
      });
      await lease.run(signal);
      stop();
      await Promise.all(looks);
      await removeOwn();
    },
  };

  /** A released Lease of a process that will not come back under this name is litter. */
  async function removeOwn(): Promise<void> {
    const given = { signal: AbortSignal.timeout(duration) };
    await client
      .delete(Lease, `${group}-${identity}`, namespace, given)
      .catch((error: unknown) => options.onError?.(error));
  }
}
