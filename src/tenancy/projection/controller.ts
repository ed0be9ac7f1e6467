/**
 * Shows tenants the certificates that their applications are served with: keeps `<release>.tenant-ca` as each
 * TenantProjection asks. Everything is watched; Secrets by their metadata only, and read live when they changed.
 */
import { apps as catalogue } from "../../apps/index.ts";
import { Event, Secret, type SecretObject } from "../../contracts/core.ts";
import { TenantProjection } from "../../contracts/internal-cozystack-io.ts";
import type { Client } from "../../kube/client.ts";
import { isApiError } from "../../kube/errors.ts";
import { type Outcome, workQueue } from "../../kube/queue.ts";
import type { Store } from "../../kube/store.ts";
import type { Stores } from "../../kube/stores.ts";
import type { World } from "../../kube/world.ts";
import { digestOf } from "../../reconcile/digest.ts";
import type { App } from "../../sdk/app.ts";
import { type AppSource, sourceOf } from "../../sdk/app-source.ts";
import { type Decision, decide, type Verdict } from "./decide.ts";
import { outputName, type Projection } from "./output.ts";

export interface ProjectionOptions {
  readonly client: Client;
  readonly stores: Stores;
  readonly world: World;
  /** Which namespaces are looked after. Default: all. */
  readonly scope?: (namespace: string) => boolean;
  /** Default: all applications. */
  readonly apps?: readonly App[] | AppSource;
  readonly onError?: (key: string, error: unknown) => void;
}

/** While an application starts its Secret is not there yet: nothing to report unless it takes longer than this. */
const GRACE_MS = 600_000;
const EARLY: ReadonlySet<string> = new Set(["SourceNotFound", "SourceNotReady"]);

/** Runs until the signal is aborted. */
export async function runProjections(options: ProjectionOptions, signal: AbortSignal): Promise<void> {
  const { client, stores, world, scope = () => true, onError } = options;
  const served = sourceOf(options.apps ?? catalogue);
  const projections = stores.use(TenantProjection);
  const secrets = stores.useMetadata(Secret);
  projections.store.addIndex("source", (each) => sourcesOf(each).map((name) => `${each.metadata.namespace}/${name}`));
  projections.store.addIndex("release", (each) => indexed(each, releaseOf(each, served.list())));
  /** What a projection was last decided on, so that nothing is read again while none of it changed. */
  const settled = new Map<string, { readonly seen: string; readonly until: number }>();

  const queue = workQueue({
    world,
    concurrency: 4,
    work: (key) => work(key),
    groupOf: (key) => key.slice(0, key.indexOf("/")),
    ...(onError === undefined ? {} : { onError }),
  });

  async function work(key: string): Promise<Outcome> {
    const [namespace = "", name = ""] = key.split("/");
    if (!scope(namespace)) return { is: "done" };
    const projection = projections.store.get(name, namespace);
    if (projection === undefined || projection.metadata.deletionTimestamp !== undefined) {
      settled.delete(key);
      return { is: "done" };
    }
    const release = releaseOf(projection, served.list());
    const names = [...sourcesOf(projection), ...(release === undefined ? [] : [outputName(release)])];
    const seen = JSON.stringify([
      projection.metadata.generation,
      release,
      rivalsOf(projection, release, projections.store),
      names.map((each) => secrets.store.get(each, namespace)?.metadata.resourceVersion),
    ]);
    const before = settled.get(key);
    if (before?.seen === seen && world.now() < before.until) return { is: "done" };
    const live = (each: string | undefined): Promise<SecretObject | undefined> | undefined =>
      each === undefined || secrets.store.get(each, namespace) === undefined
        ? undefined
        : client.get(Secret, each, namespace);
    const [source, output] = await Promise.all([
      live(sourcesOf(projection)[0]),
      live(release === undefined ? undefined : outputName(release)),
    ]);
    const rivals = rivalsOf(projection, release, projections.store);
    const decision = decide({ projection, release, rivals, source, output, now: world.now() });
    const early = projection.status?.conditions === undefined && EARLY.has(decision.verdict.reason);
    const age = world.now() - Date.parse(projection.metadata.creationTimestamp ?? "");
    if (early && age < GRACE_MS) return { is: "again", after: GRACE_MS - age };
    await carryOut(decision, projection, source, output);
    const { again } = decision;
    settled.set(key, { seen, until: again === undefined ? Number.POSITIVE_INFINITY : world.now() + again });
    return again === undefined ? { is: "done" } : { is: "again", after: again };
  }

  async function carryOut(
    decision: Decision,
    projection: Projection,
    source: SecretObject | undefined,
    output: SecretObject | undefined,
  ): Promise<void> {
    const { publish, withdraw, warning, verdict } = decision;
    if (publish !== undefined) await (output === undefined ? client.create : client.replace)(Secret, publish);
    if (withdraw === true && output !== undefined) {
      const { name, namespace, uid, resourceVersion } = output.metadata;
      await client.delete(Secret, name, namespace, {
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      });
    }
    const changed = await report(projection, verdict);
    const about = warning?.about === "output" ? output : source;
    if (changed && warning !== undefined && about !== undefined) await warn(about, warning);
  }

  async function report(projection: Projection, verdict: Verdict): Promise<boolean> {
    const { name, namespace, generation = 0 } = projection.metadata;
    const before = projection.status?.conditions?.find(({ type }) => type === "Ready");
    const same = before?.reason === verdict.reason && before.message === verdict.message;
    if (same && before.observedGeneration === generation) return false;
    const moved = before?.status !== verdict.status;
    const lastTransitionTime = moved ? new Date(world.now()).toISOString() : before.lastTransitionTime;
    const condition = { type: "Ready", ...verdict, lastTransitionTime, observedGeneration: generation };
    const status = { observedGeneration: generation, conditions: [condition] };
    await client.mergePatch(TenantProjection, name, namespace, { status }, { subresource: "status" });
    return !same;
  }

  async function warn(about: SecretObject, { reason, message }: { readonly reason: string; readonly message: string }) {
    const { name, namespace = "", uid = "", resourceVersion = "" } = about.metadata;
    const now = new Date(world.now()).toISOString();
    const event = Event(
      `${name}.${digestOf([reason, resourceVersion])
        .replace(/[^A-Za-z0-9]/g, "")
        .toLowerCase()}`,
      {
        namespace,
        involvedObject: { apiVersion: "v1", kind: "Secret", name, namespace, uid },
        type: "Warning",
        reason,
        message,
        count: 1,
        firstTimestamp: now,
        lastTimestamp: now,
        source: { component: "cozystack-controller" },
      },
    );
    try {
      await client.create(Event, event);
    } catch (error) {
      // Told already.
      if (!isApiError(error, "AlreadyExists")) throw error;
    }
  }

  const add = (each: Projection): void => queue.add(`${each.metadata.namespace}/${each.metadata.name}`);
  projections.store.subscribe((change) => {
    add(change.object);
    // Until all are known, all of them are still to be worked on anyway.
    if (!projections.store.hasSynced) return;
    for (const key of indexed(change.object, releaseOf(change.object, served.list()))) {
      for (const rival of projections.store.lookup("release", key)) add(rival);
    }
  });
  secrets.store.subscribe(({ object }) => {
    if (!projections.store.hasSynced) return;
    const { name, namespace } = object.metadata;
    for (const each of projections.store.lookup("source", `${namespace}/${name}`)) add(each);
    const release = /^(.+)\.tenant-ca$/.exec(name)?.[1];
    if (release === undefined) return;
    for (const each of projections.store.lookup("release", `${namespace}/${release}`)) add(each);
  });
  try {
    await Promise.all([projections.store.ready(signal), secrets.store.ready(signal)]);
    await queue.run(signal);
  } finally {
    projections.release();
    secrets.release();
  }
}

function sourcesOf(projection: Projection): readonly string[] {
  return (projection.spec?.projections ?? []).map(({ sourceSecretName }) => sourceSecretName);
}

/** By the labels that our reconcile path puts on what it applies, or by Flux's where a release of it made the object. */
function releaseOf({ metadata: { labels = {} } }: Projection, apps: readonly App[]): string | undefined {
  const app = apps.find(({ kind }) => kind === labels["apps.cozystack.io/application.kind"]);
  const name = labels["apps.cozystack.io/application.name"];
  if (app !== undefined && name !== undefined) return `${app.release}${name}`;
  return labels["helm.toolkit.fluxcd.io/name"];
}

function indexed(projection: Projection, release: string | undefined): readonly string[] {
  return release === undefined ? [] : [`${projection.metadata.namespace}/${release}`];
}

function rivalsOf(projection: Projection, release: string | undefined, store: Store<Projection>): readonly string[] {
  return indexed(projection, release)
    .flatMap((key) => store.lookup("release", key))
    .filter((each) => each.metadata.name !== projection.metadata.name && each.metadata.deletionTimestamp === undefined)
    .filter((each) => (each.spec?.projections ?? []).some(({ type }) => type === "CACert"))
    .map((each) => each.metadata.name)
    .sort();
}
