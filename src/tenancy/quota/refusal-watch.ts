/**
 * Listens to the Warning events of the cluster for what our quotas refused. Nothing of them is kept.
 */
import { Event } from "../../contracts/core.ts";
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import { valueAt } from "../../kube/json.ts";
import type { World } from "../../kube/world.ts";
import type { Amounts } from "./amounts.ts";
import { refusalIn } from "./demands.ts";

export interface RefusalWatchOptions {
  readonly client: Client;
  readonly world: World;
  readonly onRefusal: (namespace: string, amounts: Amounts) => void;
  readonly onError: (error: unknown) => void;
}

const PAUSE_MS = 1_000;

/** From when on: what was refused before is refused again if somebody still wants it. */
async function versionNow(client: Client, signal: AbortSignal): Promise<string> {
  return String(
    valueAt(await client.raw("GET", "/api/v1/events?limit=1", undefined, { signal }), "metadata", "resourceVersion"),
  );
}

/** Runs until the signal is aborted. */
export async function watchRefusals(options: RefusalWatchOptions, signal: AbortSignal): Promise<void> {
  const { client, world, onRefusal, onError } = options;
  let version: string | undefined;
  while (!signal.aborted) {
    try {
      version ??= await versionNow(client, signal);
      const watch = client.watch(Event, { fieldSelector: "type=Warning", resourceVersion: version, signal });
      for await (const event of watch) {
        if (event.type === "bookmark" || event.type === "synced") version = event.resourceVersion;
        else {
          version = event.object.metadata.resourceVersion ?? version;
          const amounts = event.type === "deleted" ? undefined : refusalIn(event.object);
          const namespace = event.object.involvedObject.namespace ?? event.object.metadata.namespace;
          if (amounts !== undefined && namespace !== undefined) onRefusal(namespace, amounts);
        }
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isApiError(error, "Expired")) version = undefined;
      else onError(error);
      await world.sleep(PAUSE_MS, signal).catch(() => undefined);
    }
  }
}
