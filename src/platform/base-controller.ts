/**
 * Keeps what follows from the platform's configuration: when the Package changes, or somebody touches the root namespace
 * or the values, they are applied again.
 */
import { ROOT } from "../apps/tenant/place.ts";
import { Namespace, Secret } from "../contracts/core.ts";
import { kindByGroupKind } from "../contracts/index.ts";
import type { Client } from "../kube/client.ts";
import { type Outcome, workQueue } from "../kube/queue.ts";
import type { Stores } from "../kube/stores.ts";
import type { World } from "../kube/world.ts";
import type { ContextSource } from "../reconcile/context.ts";
import { applyBase, baseObjects } from "./apply-base.ts";
import { configuredObjects, SYSTEM } from "./base-objects.ts";

export interface BaseControllerOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  /** Where the installation-wide values come from. */
  readonly contexts: ContextSource;
  readonly onError?: (error: unknown) => void;
}

/** Runs until the signal is aborted. */
export async function runBaseController(options: BaseControllerOptions, signal: AbortSignal): Promise<void> {
  const { client, stores, world, contexts, onError = () => undefined } = options;
  const values = { fieldSelector: "metadata.name=cozystack-values" };
  const watched = [
    stores.useMetadata(Namespace, { fieldSelector: `metadata.name=${ROOT}` }),
    stores.useMetadata(Secret, { namespace: ROOT, ...values }),
    stores.useMetadata(Secret, { namespace: SYSTEM, ...values }),
  ];

  async function work(): Promise<Outcome> {
    const answer = await contexts.contextOf(ROOT, signal);
    // Nothing to go by yet: whatever is waited for tells when it comes.
    if (answer.is !== "known") return { is: "done" };
    await applyBase(baseObjects(configuredObjects(answer.context.cluster), kindByGroupKind), { client, world, signal });
    return { is: "done" };
  }

  const queue = workQueue({ world, concurrency: 1, work, onError: (_, error) => onError(error) });
  const add = (): void => queue.add("platform");
  const leave = contexts.onChange((namespace) => {
    if (namespace === undefined || namespace === ROOT) add();
  });
  for (const { store } of watched) store.subscribe(add);
  try {
    await queue.run(signal);
  } finally {
    leave();
    for (const { release } of watched) release();
  }
}
