/**
 * Ends namespaces that tests made. What a test leaves in one may have finalizers whose controllers are gone with the test:
 * such a namespace is tried again and again by the controller manager, a request for every kind each time, and the many
 * that a day of testing leaves keep a shared engine so busy that others' deletions stand still.
 */
import type { Client } from "../../src/kube/client.ts";
import { Namespace } from "../../src/kube/core-kinds.ts";
import { isApiError } from "../../src/kube/errors.ts";
import type { AnyKind } from "../../src/kube/object.ts";
import { listableKinds } from "./everything.ts";

/** Takes all finalizers off whatever is in the namespaces and deletes them. */
export async function freeNamespaces(admin: Client, namespaces: readonly string[]): Promise<void> {
  if (namespaces.length === 0) return;
  const kinds = (await listableKinds(admin)).filter(({ namespaced }) => namespaced);
  const queue = kinds.flatMap((kind) => namespaces.map((namespace) => ({ kind, namespace })));
  const worker = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      await free(admin, next.kind, next.namespace).catch(ifGone);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  await Promise.all(namespaces.map((name) => admin.delete(Namespace, name)));
}

async function free(admin: Client, kind: AnyKind, namespace: string): Promise<void> {
  const { items } = await admin.listMetadata(kind, { namespace });
  for (const { metadata } of items) {
    if ((metadata.finalizers ?? []).length === 0) continue;
    await admin.mergePatch(kind, metadata.name, namespace, { metadata: { finalizers: null } }).catch(ifGone);
  }
}

function ifGone(error: unknown): void {
  if (!isApiError(error, "NotFound", "Unserved", "MethodNotAllowed")) throw error;
}
