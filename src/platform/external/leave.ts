/**
 * The end of a definition: its kind goes when nothing of it is left, never before. With a CustomResourceDefinition go all
 * objects of its kind, so that this is where applications could be lost.
 */
import type { Definition } from "../../contracts/application-definition.ts";
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import { CustomResourceDefinition } from "../../kube/kinds/extension.ts";
import { type AnyKind, apiVersionOf, type Kind, type KubeObject } from "../../kube/object.ts";
import { appsGroup } from "../../sdk/define-app.ts";
import { DEFINITION_LABEL } from "../../sdk/external/external-app.ts";
import { noDeleteLabel } from "../../sdk/policies/index.ts";
import { SYSTEM } from "../base-objects.ts";
import { LEAVING } from "./access.ts";

export type Leaving =
  | { readonly is: "used"; readonly count: number; readonly names: string }
  | { readonly is: "notYet" }
  | { readonly is: "gone" };

/** The kind that a definition brings; its names cannot change. */
export function servedKind({ spec: { application } }: Definition): AnyKind {
  const { kind, plural } = application;
  return { group: appsGroup, version: "v1alpha1", kind, plural, namespaced: true };
}

/** One step; to be taken again until the kind is gone. */
export async function leave(
  definition: Definition,
  kind: Kind<KubeObject>,
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
): Promise<Leaving> {
  const name = `${kind.plural}.${kind.group}`;
  const live = await client.get(CustomResourceDefinition, name, undefined, { signal });
  const isOurs = live?.metadata.labels?.[DEFINITION_LABEL] === definition.metadata.name;
  if (live === undefined || !isOurs) return { is: "gone" };
  if (live.metadata.deletionTimestamp !== undefined) return { is: "notYet" };
  if (!(await isClosed(client, kind, signal))) return { is: "notYet" };
  const { items } = await client.listMetadata(kind, { signal });
  if (items.length > 0) {
    const named = items.slice(0, 5).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    return { is: "used", count: items.length, names: named.join(", ") + (items.length > 5 ? ", ..." : "") };
  }
  const { uid, resourceVersion } = live.metadata;
  try {
    const labels = { [noDeleteLabel]: null };
    const freed = await client.mergePatch(CustomResourceDefinition, name, undefined, {
      metadata: { uid, resourceVersion, labels },
    });
    const version = freed.metadata.resourceVersion;
    await client.delete(CustomResourceDefinition, name, undefined, {
      ...(uid === undefined ? {} : { uid }),
      ...(version === undefined ? {} : { resourceVersion: version }),
    });
  } catch (error) {
    if (!isApiError(error, "Conflict", "NotFound")) throw error;
  }
  return { is: "notYet" };
}

/** Whether the API server refuses new objects of the kind already: policies take effect a moment after they are written. */
async function isClosed(client: Client, kind: Kind<KubeObject>, signal: AbortSignal): Promise<boolean> {
  const metadata = { name: "probe", namespace: SYSTEM };
  const probe: KubeObject = { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata };
  try {
    await client.create(kind, probe, { dryRun: true, fieldValidation: "Ignore", signal });
    return false;
  } catch (error) {
    if (isApiError(error, "Unserved", "NotFound")) return true;
    return isApiError(error) && error.message.includes(LEAVING);
  }
}
