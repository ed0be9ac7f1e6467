/**
 * The marks by which Helm leaves alone what would take everything else along: an update of upstream's installer that no longer has
 * an object would delete it.
 */
import { ConfigMap, Namespace } from "../../contracts/core.ts";
import type { CallOptions, Client } from "../../kube/client.ts";
import type { AnyKind } from "../../kube/object.ts";
import { stampObject } from "../versions.ts";

const KEEP = { "helm.sh/resource-policy": "keep" } as const;

const guarded: readonly { readonly kind: AnyKind; readonly name: string; readonly namespace?: string }[] = [
  { kind: Namespace, name: stampObject.namespace },
  { kind: ConfigMap, name: stampObject.name, namespace: stampObject.namespace },
];

/** Puts the marks on where they are missing; gives what it wrote. An object that does not exist needs none. */
export async function protect(client: Client, call: CallOptions = {}): Promise<readonly string[]> {
  const written: string[] = [];
  for (const { kind, name, namespace } of guarded) {
    const live = await client.getMetadata(kind, name, namespace, call);
    if (live === undefined || live.metadata.annotations?.["helm.sh/resource-policy"] === "keep") continue;
    await client.mergePatch(kind, name, namespace, { metadata: { annotations: KEEP } }, call);
    written.push(`${kind.kind} ${name}`);
  }
  return written;
}
