/**
 * Keeps copies of the platform's wildcard certificate where TLS ends, and nowhere else. Everything is watched, Secrets by
 * their metadata only; a namespace is looked at when something about it changed, all of them when the source did.
 */
import { ROOT } from "../../apps/tenant/place.ts";
import { Namespace, Secret, type SecretObject } from "../../contracts/core.ts";
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import type { KubeObject } from "../../kube/object.ts";
import { type Outcome, workQueue } from "../../kube/queue.ts";
import type { Stores } from "../../kube/stores.ts";
import type { World } from "../../kube/world.ts";
import type { ContextSource } from "../../reconcile/context.ts";
import { clusterText } from "../../sdk/context.ts";
import { warn } from "../lineage/warn.ts";
import { COPY_LABEL, copyOf, isCurrent, isOurs, mayTakeOver } from "./copy.ts";
import { dueIn, type Source, sourceOf } from "./decide.ts";

export interface WildcardOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  /** Where the platform's configuration comes from. */
  readonly contexts: ContextSource;
  /** Which namespaces are looked after. Default: all. */
  readonly scope?: (namespace: string) => boolean;
  readonly mayAct?: () => boolean;
  readonly onError?: (key: string, error: unknown) => void;
}

/** What the platform's configuration says. */
interface Settings {
  /** Empty: switched off. */
  readonly name: string;
  readonly publishing: string;
}

const COPIES = "wildcard-copies";
const SKIPPED = "WildcardReplicaSkipped";

/** Runs until the signal is aborted. */
export async function runWildcardCopies(options: WildcardOptions, signal: AbortSignal): Promise<void> {
  const { client, stores, world, contexts, scope = () => true, mayAct = () => true, onError } = options;
  const uses = [stores.useMetadata(Namespace), stores.useMetadata(Secret)] as const;
  const [namespaces, secrets] = [uses[0].store, uses[1].store];
  secrets.addIndex(COPIES, ({ metadata }) =>
    metadata.labels?.[COPY_LABEL] === "true" ? [metadata.namespace ?? ""] : [],
  );
  /** The last that was known; events of its source are told by it. */
  let settings: Settings | undefined;
  let exposed: string | undefined;
  let read: { readonly version: string; readonly source: Source } | undefined;
  /** Versions of copy and source at which a namespace was found right, so that nothing is read again. */
  const settled = new Map<string, string>();

  const queue = workQueue({
    world,
    concurrency: 4,
    work,
    ...(onError === undefined ? {} : { onError }),
  });

  async function work(namespace: string): Promise<Outcome> {
    if (!mayAct()) return { is: "again", after: 1_000 };
    await Promise.all(uses.map(({ store }) => store.ready(signal)));
    const place = namespaces.get(namespace);
    if (place === undefined || place.metadata.deletionTimestamp !== undefined) {
      settled.delete(namespace);
      return { is: "done" };
    }
    const now = await currentSettings();
    // The platform's configuration could not be read: what is there stays.
    if (now === undefined) return { is: "done" };
    const source = await currentSource(now);
    const due = dueIn(place, source, now.publishing);
    if (due === "keep") return { is: "done" };
    const wanted = due === "due" && source.is === "known" ? source.secret : undefined;
    await prune(namespace, now, wanted);
    return wanted === undefined ? { is: "done" } : keep(namespace, wanted);
  }

  async function currentSettings(): Promise<Settings | undefined> {
    const answer = await contexts.contextOf(ROOT, signal);
    if (answer.is !== "known") return undefined;
    const { cluster } = answer.context;
    exposed = clusterText(cluster, "expose-ingress");
    // It is an ingress class first of all: where no namespace has its name, certificates are the root tenant's.
    const publishing = exposed !== "" && namespaces.get(exposed) !== undefined ? exposed : ROOT;
    settings = { name: clusterText(cluster, "wildcard-secret-name"), publishing };
    return settings;
  }

  async function currentSource({ name, publishing }: Settings): Promise<Source> {
    if (name === "") return { is: "off" };
    const place = `${publishing}/${name}`;
    const seen = secrets.get(name, publishing)?.metadata;
    const version = `${place} ${seen?.uid} ${seen?.resourceVersion}`;
    if (read?.version === version) return read.source;
    const source = sourceOf(
      place,
      seen === undefined ? undefined : await client.get(Secret, name, publishing, { signal }),
    );
    read = { version, source };
    if (source.is === "unknown") {
      const about: KubeObject = { apiVersion: "v1", kind: "Secret", metadata: { name, namespace: publishing } };
      const message = `${source.why}; copies that exist stay as they are`;
      await warn(options, about, { reason: "WildcardSourceMissing", message });
    }
    return source;
  }

  async function keep(namespace: string, source: SecretObject): Promise<Outcome> {
    const { name, resourceVersion } = source.metadata;
    const seen = secrets.get(name, namespace)?.metadata.resourceVersion;
    const version = `${seen} ${resourceVersion}`;
    if (seen !== undefined && settled.get(namespace) === version) return { is: "done" };
    const live = seen === undefined ? undefined : await client.get(Secret, name, namespace, { signal });
    try {
      if (live === undefined) await client.create(Secret, copyOf(source, namespace));
      else if (!isOurs(live, client.fieldManager) && !mayTakeOver(live, source))
        await skip(live, "it is not proven to be a copy of ours");
      else if (!isCurrent(live, copyOf(source, namespace)))
        await client.replace(Secret, copyOf(source, namespace, live));
    } catch (error) {
      // Somebody was faster; the event of that brings us back.
      if (isApiError(error, "AlreadyExists", "Conflict", "NotFound")) return { is: "again", after: 100 };
      if (!isApiError(error, "NamespaceTerminating")) throw error;
    }
    if (live !== undefined) settled.set(namespace, version);
    return { is: "done" };
  }

  /** Removes copies that are not due, of another name too. */
  async function prune(
    namespace: string,
    { name, publishing }: Settings,
    wanted: SecretObject | undefined,
  ): Promise<void> {
    for (const { metadata } of secrets.lookup(COPIES, namespace)) {
      const isSource = namespace === publishing && metadata.name === name;
      if (isSource || metadata.name === wanted?.metadata.name) continue;
      const live = await client.get(Secret, metadata.name, namespace, { signal });
      if (live === undefined || live.metadata.deletionTimestamp !== undefined) continue;
      if (!isOurs(live, client.fieldManager)) {
        await skip(live, "it is due no more, but not proven to be a copy of ours; remove it by hand");
        continue;
      }
      const { uid, resourceVersion } = live.metadata;
      try {
        await client.delete(Secret, metadata.name, namespace, {
          ...(uid === undefined ? {} : { uid }),
          ...(resourceVersion === undefined ? {} : { resourceVersion }),
        });
      } catch (error) {
        // It changed: the event of that brings us back.
        if (!isApiError(error, "Conflict", "NotFound")) throw error;
      }
    }
  }

  const skip = (about: SecretObject, why: string): Promise<void> =>
    warn(options, about, { reason: SKIPPED, message: `left as it is: ${why}` });

  function wakeAll(): void {
    if (!namespaces.hasSynced) return;
    for (const { metadata } of namespaces.list()) if (scope(metadata.name)) queue.add(metadata.name);
  }

  const leave = [
    namespaces.subscribe((change) => {
      const { name } = change.object.metadata;
      const before = change.type === "modified" ? change.previous : undefined;
      if (before !== undefined && facts(before) === facts(change.object)) return;
      if (scope(name)) queue.add(name);
      // The one that publishes may be this one now, or this one no more.
      if (change.type !== "modified" && settings?.name !== "" && name === exposed) wakeAll();
    }),
    secrets.subscribe(({ object }) => {
      const { name, namespace = "", labels = {} } = object.metadata;
      if (name === settings?.name && namespace === settings.publishing) wakeAll();
      else if ((name === settings?.name || labels[COPY_LABEL] === "true") && scope(namespace)) queue.add(namespace);
    }),
    contexts.onChange((namespace) => {
      if (namespace === undefined || namespace === ROOT) wakeAll();
    }),
  ];
  try {
    await queue.run(signal);
  } finally {
    for (const end of leave) end();
    for (const { release } of uses) release();
  }
}

/** What of a Namespace decides. */
function facts({ metadata: { labels = {}, deletionTimestamp } }: KubeObject): string {
  const said = ["ingress", "gateway", "host"].map((key) => labels[`namespace.cozystack.io/${key}`]);
  return JSON.stringify([...said, deletionTimestamp]);
}
