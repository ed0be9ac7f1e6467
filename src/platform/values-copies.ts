/**
 * Copies the platform's values to every namespace of the platform's own (label `cozystack.io/system`), where the releases of
 * its packages read them. Tenants' namespaces have values of their own, rendered with the tenant.
 */
import { Namespace, Secret, type SecretObject } from "../contracts/core.ts";
import type { Client } from "../kube/client.ts";
import { isApiError } from "../kube/errors.ts";
import { type KubeObject, refOf } from "../kube/object.ts";
import { type Outcome, workQueue } from "../kube/queue.ts";
import type { Stores } from "../kube/stores.ts";
import type { World } from "../kube/world.ts";
import { canonical } from "../reconcile/digest.ts";
import { writtenBy } from "../reconcile/owned-fields.ts";
import { ownerToken } from "../reconcile/owner.ts";
import { SYSTEM } from "./base-objects.ts";

export interface ValuesCopiesOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  readonly scope?: (namespace: string) => boolean;
  readonly mayAct?: () => boolean;
  readonly onError?: (namespace: string, error: unknown) => void;
}

const NAME = "cozystack-values";
const PROOF = "internal.cozystack.io/values-copy";
/** Says what the base objects are at; of the source alone. */
const APPLIED = "internal.cozystack.io/applied";

const isSystem = ({ metadata: { name, labels = {}, deletionTimestamp } }: KubeObject): boolean =>
  labels["cozystack.io/system"] === "true" &&
  name !== SYSTEM &&
  !name.startsWith("tenant-") &&
  deletionTimestamp === undefined;

const proofIn = (namespace: string): string =>
  ownerToken("values-copy", { group: "", kind: "Secret", namespace, name: NAME });

function copyOf(source: SecretObject, namespace: string, live?: SecretObject): SecretObject {
  const { uid, resourceVersion } = live?.metadata ?? {};
  const { [APPLIED]: _, ...annotations } = source.metadata.annotations ?? {};
  return Secret(NAME, {
    metadata: {
      namespace,
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      labels: source.metadata.labels ?? {},
      annotations: { ...annotations, [PROOF]: proofIn(namespace) },
    },
    ...(source.type === undefined ? {} : { type: source.type }),
    ...(source.data === undefined ? {} : { data: source.data }),
  });
}

const said = ({ type, data, metadata: { labels, annotations } }: SecretObject): string =>
  canonical({ type, data, labels: labels ?? {}, annotations });

/** Runs until the signal is aborted. */
export async function runValuesCopies(options: ValuesCopiesOptions, signal: AbortSignal): Promise<void> {
  const { client, stores, world, scope = () => true, mayAct = () => true, onError = () => undefined } = options;
  const uses = [
    stores.useMetadata(Namespace),
    stores.useMetadata(Secret, { fieldSelector: `metadata.name=${NAME}` }),
  ] as const;
  const [namespaces, secrets] = [uses[0].store, uses[1].store];
  let read: { readonly version: string; readonly source: SecretObject } | undefined;
  /** Versions of copy and source at which a copy was found right. */
  const settled = new Map<string, string>();
  const queue = workQueue({ world, concurrency: 2, work, onError });

  async function work(namespace: string): Promise<Outcome> {
    if (!mayAct()) return { is: "again", after: 1_000 };
    await Promise.all(uses.map(({ store }) => store.ready(signal)));
    const place = namespaces.get(namespace);
    if (place === undefined || place.metadata.deletionTimestamp !== undefined) {
      settled.delete(namespace);
      return { is: "done" };
    }
    try {
      await (isSystem(place) ? keep(namespace) : remove(namespace));
    } catch (error) {
      // Somebody was faster: the event of that brings us back.
      if (isApiError(error, "AlreadyExists", "Conflict", "NotFound")) return { is: "again", after: 100 };
      if (!isApiError(error, "NamespaceTerminating")) throw error;
    }
    return { is: "done" };
  }

  async function sourceNow(): Promise<SecretObject | undefined> {
    const seen = secrets.get(NAME, SYSTEM)?.metadata;
    // It is made anew by the base objects; until then copies stay as they are.
    if (seen === undefined) return undefined;
    const version = `${seen.uid} ${seen.resourceVersion}`;
    if (read?.version === version) return read.source;
    const source = await client.get(Secret, NAME, SYSTEM, { signal });
    if (source !== undefined) read = { version, source };
    return source;
  }

  async function keep(namespace: string): Promise<void> {
    const source = await sourceNow();
    if (source === undefined) return;
    const seen = secrets.get(NAME, namespace)?.metadata.resourceVersion;
    const version = `${seen} ${source.metadata.resourceVersion}`;
    if (seen !== undefined && settled.get(namespace) === version) return;
    const live = seen === undefined ? undefined : await client.get(Secret, NAME, namespace, { signal });
    if (live === undefined) await client.create(Secret, copyOf(source, namespace));
    else if (said(live) === said(copyOf(source, namespace))) settled.set(namespace, version);
    // Upstream's copies are taken over: nobody but the platform writes in these namespaces.
    else await client.replace(Secret, copyOf(source, namespace, live));
  }

  async function remove(namespace: string): Promise<void> {
    if (namespace === SYSTEM || secrets.get(NAME, namespace) === undefined) return;
    const live = await client.get(Secret, NAME, namespace, { signal });
    if (live === undefined || live.metadata.annotations?.[PROOF] !== proofIn(refOf(live).namespace ?? "")) return;
    if (!writtenBy(live, client.fieldManager)) return;
    const { uid = "", resourceVersion = "" } = live.metadata;
    await client.delete(Secret, NAME, namespace, { uid, resourceVersion });
  }

  const leave = [
    namespaces.subscribe((change) => {
      const before = change.type === "modified" ? isSystem(change.previous) : undefined;
      const { name } = change.object.metadata;
      if (before !== isSystem(change.object) && scope(name)) queue.add(name);
    }),
    secrets.subscribe(({ object }) => {
      const { namespace = "" } = object.metadata;
      if (namespace !== SYSTEM) {
        if (scope(namespace)) queue.add(namespace);
        return;
      }
      if (!namespaces.hasSynced) return;
      for (const { metadata } of namespaces.list().filter(isSystem)) if (scope(metadata.name)) queue.add(metadata.name);
    }),
  ];
  try {
    await queue.run(signal);
  } finally {
    for (const end of leave) end();
    for (const { release } of uses) release();
  }
}
