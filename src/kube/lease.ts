/**
 * A fenced lease: whoever holds it may act, one at a time, and stops by its own clock before anyone else may begin.
 *
 * The holder acts only while more than a third of the lease is left, counted by its monotonic clock from the moment the
 * last successful renewal was *sent*. Others wait until the lease has not changed for its whole length by *their*
 * monotonic clock. No wall clock is compared with another.
 *
 * A lease carries the program's version. A candidate of a higher version announces itself; the holder then steps down,
 * and candidates of lower versions leave the lease to it.
 */
import type { Client } from "./client.ts";
import { Lease } from "./core-kinds.ts";
import { CozystackError, isApiError } from "./errors.ts";
import { compareVersions } from "./version-order.ts";
import type { World } from "./world.ts";

/** The version of the program that holds the lease. */
export const versionAnnotation = "internal.cozystack.io/version";
/** The highest version of a program that waits for the lease. */
export const successorAnnotation = "internal.cozystack.io/successor-version";

export interface LeaseOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly name: string;
  /** Who we are; must differ between processes, also between two lives of one pod. */
  readonly identity: string;
  /** Of this program. */
  readonly version: string;
  /** Default 15. */
  readonly durationSeconds?: number;
  /** Put on the lease when it is created. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly world: World;
  /** Told about attempts that failed. */
  readonly onError?: (error: unknown) => void;
}

export interface HeldLease {
  /** Whether we may act now. */
  held(): boolean;
  /** Milliseconds for which we may still act without another renewal; 0 when we may not. */
  remaining(): number;
  /** Tries to get the lease and to keep it until the signal is aborted; releases it then. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** Called after each attempt. Returns the function that ends it. */
  onAttempt(handler: () => void): () => void;
}

/** An action was about to be taken without the lease. */
export class LeaseLostError extends CozystackError {
  constructor(name: string) {
    super("LeaseLost", `the lease ${name} is not ours any more`, "Nothing to do: its new holder takes over.");
  }
}

const microTime = (milliseconds: number): string => new Date(milliseconds).toISOString().replace("Z", "000Z");

/** Tries per lease length. */
const rhythm = 5;

export function heldLease(options: LeaseOptions): HeldLease {
  const { client, namespace, name, identity, version, world } = options;
  const durationSeconds = options.durationSeconds ?? 15;
  const duration = durationSeconds * 1000;
  const handlers = new Set<() => void>();
  /** When the renewal that counts was sent. */
  let renewedAt: number | undefined;
  /** Our lease as last answered: renewed without reading it again. */
  let ours: Lease | undefined;
  /** Someone else's lease: how long it has been as it is. */
  let seen: { readonly resourceVersion: string | undefined; readonly at: number } | undefined;
  let steppingDown = false;

  const remaining = (): number =>
    renewedAt === undefined ? 0 : Math.max(0, renewedAt + (duration * 2) / 3 - world.monotonic());

  const unchangedFor = (lease: Lease): number => {
    const { resourceVersion } = lease.metadata;
    if (seen === undefined || seen.resourceVersion !== resourceVersion)
      seen = { resourceVersion, at: world.monotonic() };
    return world.monotonic() - seen.at;
  };

  const successorOf = (lease: Lease): string | undefined => lease.metadata.annotations?.[successorAnnotation];
  const outranked = (lease: Lease): boolean => {
    const successor = successorOf(lease);
    return successor !== undefined && compareVersions(successor, version) > 0;
  };

  const won = (lease: Lease, sentAt: number): void => {
    ours = lease;
    renewedAt = sentAt;
    seen = undefined;
  };
  const lost = (): void => {
    ours = undefined;
    renewedAt = undefined;
  };

  /** `lease` as held by us from now on. */
  const claimed = (lease: Lease): Lease => {
    const { [successorAnnotation]: successor, ...annotations } = lease.metadata.annotations ?? {};
    const renewal = lease.spec?.holderIdentity === identity;
    const keep = successor !== undefined && compareVersions(successor, version) > 0;
    const now = microTime(world.now());
    return {
      ...lease,
      metadata: {
        ...lease.metadata,
        annotations: {
          ...annotations,
          [versionAnnotation]: version,
          ...(keep ? { [successorAnnotation]: successor } : {}),
        },
      },
      spec: {
        ...lease.spec,
        holderIdentity: identity,
        leaseDurationSeconds: durationSeconds,
        acquireTime: renewal ? (lease.spec?.acquireTime ?? now) : now,
        renewTime: now,
        leaseTransitions: (lease.spec?.leaseTransitions ?? 0) + (renewal ? 0 : 1),
      },
    };
  };

  /** A request that takes longer than the lease lasts helps nobody. */
  const limited = (signal: AbortSignal) => ({ signal: AbortSignal.any([signal, AbortSignal.timeout(duration)]) });

  const announce = async (lease: Lease, signal: AbortSignal): Promise<void> => {
    const known = successorOf(lease) ?? lease.metadata.annotations?.[versionAnnotation] ?? "0";
    if (compareVersions(version, known) <= 0) return;
    const { resourceVersion } = lease.metadata;
    const patch = { metadata: { resourceVersion, annotations: { [successorAnnotation]: version } } };
    await client.mergePatch(Lease, name, namespace, patch, limited(signal));
  };

  const take = async (lease: Lease, signal: AbortSignal): Promise<void> => {
    const sentAt = world.monotonic();
    won(await client.replace(Lease, claimed(lease), limited(signal)), sentAt);
  };

  const seek = async (signal: AbortSignal): Promise<void> => {
    const lease = await client.get(Lease, name, namespace, limited(signal));
    if (lease === undefined) {
      const sentAt = world.monotonic();
      const fresh = claimed(
        Lease(name, { namespace, ...(options.labels === undefined ? {} : { labels: options.labels }) }),
      );
      won(await client.create(Lease, fresh, limited(signal)), sentAt);
      return;
    }
    const holder = lease.spec?.holderIdentity ?? "";
    if (holder === identity) return outranked(lease) ? stepDown(lease, signal) : take(lease, signal);
    const unchanged = unchangedFor(lease);
    const length = (lease.spec?.leaseDurationSeconds ?? durationSeconds) * 1000;
    // A successor that announced itself and does not come must not leave the lease without a holder.
    const patience = outranked(lease) ? 2 * length : holder === "" ? 0 : length;
    if (unchanged >= patience) return take(lease, signal);
    if (holder !== "") await announce(lease, signal);
  };

  /** Stops acting now, and frees the lease at the next attempt: what is under way gets the time between to end. */
  const stepDown = async (lease: Lease, signal: AbortSignal): Promise<void> => {
    lost();
    if (steppingDown) await release(lease, signal);
    steppingDown = !steppingDown;
  };

  const release = async (lease: Lease, signal: AbortSignal): Promise<void> => {
    lost();
    const freed: Lease = { ...lease, spec: { ...lease.spec, holderIdentity: "", renewTime: microTime(world.now()) } };
    await client.replace(Lease, freed, limited(signal));
  };

  const attempt = async (signal: AbortSignal): Promise<void> => {
    try {
      if (ours === undefined) await seek(signal);
      else await take(ours, signal);
    } catch (error) {
      // Someone else wrote the lease: read it, with a renewal still to be had before our time is over.
      if (!isApiError(error, "Conflict", "AlreadyExists", "NotFound")) throw error;
      ours = undefined;
      await seek(signal);
      if (ours === undefined) lost();
    }
  };

  return {
    held: () => remaining() > 0,
    remaining,
    onAttempt(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    async run(signal) {
      while (!signal.aborted) {
        await attempt(signal).catch((error: unknown) => {
          if (!signal.aborted) options.onError?.(error);
        });
        for (const handler of handlers) handler();
        const pause = (duration / rhythm) * (0.8 + 0.4 * world.random());
        await world.sleep(pause, signal).catch(() => {});
      }
      const last = ours;
      lost();
      if (last === undefined) return;
      // Who waits need not wait until it expires. If this fails, it does expire.
      await release(last, AbortSignal.timeout(duration)).catch((error: unknown) => options.onError?.(error));
    },
  };
}
