/**
 * Keeps our failure ours. While an APIService cannot be reached, the API server cannot say what it serves, and Kubernetes
 * then finishes the deletion of no namespace at all, whosever it is. So whoever leads the controllers watches over the
 * registration: one that stays out of reach is taken away, and the server registers itself again when it is back.
 */
import type { Client } from "../kube/client.ts";
import { APIService } from "../kube/core-kinds.ts";
import { isApiError } from "../kube/errors.ts";
import type { World } from "../kube/world.ts";
import { coreApi } from "./group.ts";
import { apiServiceName } from "./registration.ts";

export interface GuardOptions {
  readonly client: Client;
  readonly world: World;
  /** Milliseconds between two looks; default 5,000. There is no watch that tells whether a server answers. */
  readonly every?: number;
  /** Milliseconds out of reach after which the registration goes; default 10,000. */
  readonly patience?: number;
  /** Told when the registration was taken away. */
  readonly onRemoved?: () => void;
  readonly onError?: (error: unknown) => void;
}

/** Longest wait for one answer. Milliseconds. */
const answerWithin = 5000;

/** Runs until the signal is aborted. */
export async function runRegistrationGuard(options: GuardOptions, signal: AbortSignal): Promise<void> {
  const { client, world, every = 5000, patience = 10_000, onRemoved, onError = () => undefined } = options;
  let failingSince: number | undefined;
  while (!signal.aborted) {
    try {
      await world.sleep(every * (0.75 + world.random() / 2), signal);
      const removed = await look();
      if (removed) onRemoved?.();
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
  }

  async function look(): Promise<boolean> {
    const registered = await client.get(APIService, apiServiceName, undefined, { signal });
    if (registered?.spec.service === undefined || (await answers())) {
      failingSince = undefined;
      return false;
    }
    failingSince ??= world.monotonic();
    if (world.monotonic() - failingSince < patience) return false;
    const { uid, resourceVersion } = registered.metadata;
    failingSince = undefined;
    return client.delete(APIService, apiServiceName, undefined, {
      signal,
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    });
  }

  /** Whether the API server gets an answer from our server. Failures of the API server itself say nothing about ours. */
  async function answers(): Promise<boolean> {
    const limit = AbortSignal.timeout(answerWithin);
    try {
      await client.raw("GET", `/apis/${coreApi.group}/${coreApi.version}`, undefined, {
        signal: AbortSignal.any([signal, limit]),
      });
      return true;
    } catch (error) {
      if (signal.aborted) throw error;
      if (limit.aborted || isApiError(error, "ServiceUnavailable", "Timeout", "Unserved", "NotFound")) return false;
      throw error;
    }
  }
}
