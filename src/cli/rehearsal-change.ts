/**
 * Documents whose application is rehearsed: put onto the copy as people would put them onto the cluster, but without anybody's
 * consent to a loss, so that the rehearsal says what would be held.
 */
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { systemWorld } from "../kube/world.ts";
import { placed } from "../reconcile/body.ts";
import type { App } from "../sdk/app.ts";
import { peopleManager } from "./cluster.ts";
import type { Document } from "./documents.ts";
import { kindFinder } from "./kinds.ts";
import { refusedObject } from "./refused.ts";

/** How often a namespace on its way is tried again, and for how long. */
const RETRY_MS = 250;
const PATIENCE_MS = 60_000;

export interface ChangeOptions {
  readonly documents: readonly Document[];
  readonly apps: readonly App[];
  /** Of documents that name none. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** Applies the documents in order; rejects with the first that is refused. */
export async function applyOnCopy(copy: Client, { documents, apps, namespace, signal }: ChangeOptions): Promise<void> {
  const finder = kindFinder(copy, apps);
  for (const document of documents) {
    const kind = await finder.kindOf(document.object, document.where);
    const object = placed(document.object, kind, namespace);
    const deadline = systemWorld.monotonic() + PATIENCE_MS;
    for (let stored = false; !stored; ) {
      try {
        await copy.apply(kind, object, { fieldManager: peopleManager, signal });
        stored = true;
      } catch (error) {
        const isComing = isApiError(error, "NotFound") && kind.namespaced && systemWorld.monotonic() < deadline;
        if (!isComing) throw refusedObject(object, error, document);
        await systemWorld.sleep(RETRY_MS, signal);
      }
    }
  }
}
