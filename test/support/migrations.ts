/**
 * Trials of migrations on an API server of the test file's own, since a migration concerns the whole cluster: objects before,
 * what must be afterwards, killed after every write, and run again.
 */
import assert from "node:assert/strict";
import { after } from "node:test";
import { ConfigMap, Namespace } from "../../src/contracts/core.ts";
import { kindByGroupKind } from "../../src/contracts/index.ts";
import type { Client } from "../../src/kube/client.ts";
import { connect } from "../../src/kube/connect.ts";
import { isRecord } from "../../src/kube/json.ts";
import { CustomResourceDefinition } from "../../src/kube/kinds/extension.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import { type AnyKind, groupOf, type KubeObject, type UnknownObject } from "../../src/kube/object.ts";
import type { Intercept } from "../../src/kube/request.ts";
import { systemWorld } from "../../src/kube/world.ts";
import { established } from "../../src/platform/definitions.ts";
import { canonical } from "../../src/reconcile/digest.ts";
import type { Migration } from "../../src/upgrade/migrations/migration.ts";
import { type MigrationsPlan, planMigrations } from "../../src/upgrade/migrations/plan.ts";
import { recordName } from "../../src/upgrade/migrations/record.ts";
import { type MigrationRun, migrationManager, runMigrations } from "../../src/upgrade/migrations/run.ts";
import { stampObject } from "../../src/upgrade/versions.ts";
import { interference } from "../chaos/faults.ts";
import { ownEngine } from "./engine.ts";
import { eventually } from "./eventually.ts";

export interface Bench {
  readonly kubeconfig: string;
  readonly admin: Client;
  /** Serves kinds, with any content; by their contract's version or another one. */
  serve(kinds: readonly AnyKind[], servedVersion?: string): Promise<void>;
  /** Takes the definitions of kinds away. */
  unserve(...kinds: readonly AnyKind[]): Promise<void>;
  /** A client of migrations, with something in its way. */
  client(intercept?: Intercept): Client;
  /** Writes these objects and the stamp. What earlier trials left behind goes first. */
  set(stamp: number, objects: readonly KubeObject[]): Promise<void>;
  /** Upstream's stamp. */
  stamp(): Promise<ReturnType<typeof ConfigMap>>;
  /** The live object of a kind that is served. */
  live(kind: AnyKind, name: string, namespace?: string): Promise<UnknownObject | undefined>;
  /** Every object of trials, the record and the stamp, without what chance and time decide: equal states give equal maps. */
  state(): Promise<Readonly<Record<string, unknown>>>;
  run(migrations: readonly Migration[], client?: Client): Promise<MigrationRun>;
  plan(migrations: readonly Migration[], client?: Client): Promise<MigrationsPlan>;
}

/** Put on built-in objects of trials, to tell them from the cluster's own. */
const MARK = "test.cozystack.io/trial";
const VOLATILE: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "generation",
  "managedFields",
  "lastTransitionTime",
  "lastUpdateTime",
]);

/** Those whose doing migrations rely on; others would only change what trials compare. */
const controllers = [
  "garbage-collector-controller",
  "namespace-controller",
  "persistentvolumeclaim-protection-controller",
  "serviceaccount-controller",
] as const;

/** A definition that accepts anything. */
function openDefinition(kind: AnyKind, servedVersion: string): CustomResourceDefinition {
  return CustomResourceDefinition(`${kind.plural}.${kind.group}`, {
    annotations: { "api-approved.kubernetes.io": "unapproved, for a test" },
    spec: {
      group: kind.group,
      scope: kind.namespaced ? "Namespaced" : "Cluster",
      names: { kind: kind.kind, plural: kind.plural, singular: kind.kind.toLowerCase(), listKind: `${kind.kind}List` },
      versions: [
        {
          name: servedVersion,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } },
        },
      ],
    },
  });
}

/** Starts the API server; it ends with the test file. */
export async function migrationBench(): Promise<Bench> {
  const opened: Client[] = [];
  // Before their engine ends.
  after(() => Promise.all(opened.map((one) => one.close())));
  const engine = await ownEngine({ controllers });
  const admin = engine.client("cozystack-test");
  const custom = new Map<string, AnyKind>();
  let builtin: readonly { readonly kind: AnyKind; readonly name: string; readonly namespace: string | undefined }[] =
    [];

  const client: Bench["client"] = (intercept) => {
    const made = connect({
      ...loadKubeconfig(engine.kubeconfig),
      fieldManager: migrationManager,
      ...(intercept === undefined ? {} : { intercept }),
    });
    opened.push(made);
    return made;
  };
  const plain = client();
  const kindOf = (object: KubeObject): AnyKind => {
    const group = groupOf(object.apiVersion);
    const kind = custom.get(`${group}/${object.kind}`) ?? kindByGroupKind(group, object.kind);
    if (kind === undefined) throw new Error(`the bench does not serve ${object.kind}`);
    return kind;
  };
  const isBuiltin = ({ group }: AnyKind) => !group.includes(".") || group.endsWith(".k8s.io");

  async function remove(kind: AnyKind, name: string, namespace: string | undefined): Promise<void> {
    if (!(await admin.delete(kind, name, namespace, { gracePeriodSeconds: 0 }))) return;
    await eventually(`${kind.kind} ${name} is gone`, async () => {
      const live = await admin.getMetadata(kind, name, namespace);
      if (live?.metadata.finalizers !== undefined && kind.kind !== "PersistentVolumeClaim") {
        await admin.mergePatch(kind, name, namespace, { metadata: { finalizers: null } }).catch(() => {});
      }
      return live === undefined;
    });
  }

  async function clear(): Promise<void> {
    const lists = await Promise.all(
      [...custom.values()].map(async (kind) =>
        (await admin.listMetadata(kind)).items.map(({ metadata: { name, namespace } }) => ({ kind, name, namespace })),
      ),
    );
    const stored = [recordName, stampObject.name].map((name) => ({
      kind: ConfigMap,
      name,
      namespace: stampObject.namespace,
    }));
    await Promise.all([...lists.flat(), ...builtin, ...stored].map((one) => remove(one.kind, one.name, one.namespace)));
    builtin = [];
    for (const live of (await admin.list(Namespace, { labelSelector: MARK })).items) await standing(live, {});
  }

  /** Namespaces stay: one that goes takes its time, and comes back with another uid. */
  async function standing(live: KubeObject, labels: Readonly<Record<string, string>>): Promise<void> {
    const { name } = live.metadata;
    const wanted = { "kubernetes.io/metadata.name": name, [MARK]: "", ...labels };
    if (canonical(live.metadata.labels) === canonical(wanted)) return;
    await admin.replace(Namespace, Namespace(name, { metadata: { ...live.metadata, labels: wanted } }));
  }

  async function namespaceFor(name: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
    const live = (await admin.get(Namespace, name)) ?? (await admin.create(Namespace, Namespace(name)));
    if (live.metadata.labels?.[MARK] === undefined || Object.keys(labels).length > 0) await standing(live, labels);
  }

  async function make(object: KubeObject): Promise<void> {
    const kind = kindOf(object);
    const { name, namespace } = object.metadata;
    const made = await admin.create(kind, object);
    if ("status" in object && isRecord(object.status) && isBuiltin(kind)) {
      await admin.mergePatch(kind, name, namespace, { status: object.status }, { subresource: "status" });
    }
    if (isBuiltin(kind)) builtin = [...builtin, { kind, name: made.metadata.name, namespace }];
  }

  const live: Bench["live"] = async (kind, name, namespace) => {
    const found: KubeObject | undefined = await admin.get(kind, name, namespace);
    return found === undefined ? undefined : { ...found };
  };

  async function state(): Promise<Readonly<Record<string, unknown>>> {
    const objects: KubeObject[] = [];
    for (const kind of custom.values()) objects.push(...(await admin.list(kind)).items);
    for (const { kind, name, namespace } of builtin)
      objects.push(...[await admin.get(kind, name, namespace)].flatMap((one) => one ?? []));
    objects.push(...(await admin.list(Namespace, { labelSelector: MARK })).items);
    for (const name of [recordName, stampObject.name]) {
      objects.push(...[await admin.get(ConfigMap, name, stampObject.namespace)].flatMap((one) => one ?? []));
    }
    const entries = objects.map((object) => {
      const { name, namespace = "" } = object.metadata;
      return [`${object.kind} ${namespace}/${name}`, plainOf(object)] as const;
    });
    return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  for (const name of ["cozy-system", "tenant-root"]) await admin.apply(Namespace, Namespace(name));
  return {
    kubeconfig: engine.kubeconfig,
    admin,
    client,
    live,
    state,
    async stamp() {
      const found = await admin.get(ConfigMap, stampObject.name, stampObject.namespace);
      if (found === undefined) throw new Error("there is no stamp");
      return found;
    },
    async serve(kinds, servedVersion) {
      const definitions = kinds.map((kind) => openDefinition(kind, servedVersion ?? kind.version));
      for (const definition of definitions) await admin.apply(CustomResourceDefinition, definition);
      await established(
        admin,
        definitions.map(({ metadata }) => metadata.name),
        systemWorld,
      );
      for (const { group, version, kind, plural, namespaced } of kinds) {
        const known = { group, version: servedVersion ?? version, kind, plural, namespaced };
        custom.set(`${group}/${kind}`, known);
        // Established is a little before served.
        await eventually(`${kind} is served`, () =>
          admin.listMetadata(known).then(
            () => true,
            () => undefined,
          ),
        );
      }
    },
    async unserve(...kinds) {
      for (const { group, kind, plural } of kinds) {
        custom.delete(`${group}/${kind}`);
        await remove(CustomResourceDefinition, `${plural}.${group}`, undefined);
      }
    },
    async set(stamp, objects) {
      await clear();
      for (const { kind, metadata } of objects)
        if (kind === "Namespace") await namespaceFor(metadata.name, metadata.labels);
      const others = objects.filter(({ kind }) => kind !== "Namespace");
      for (const name of new Set(others.flatMap(({ metadata }) => metadata.namespace ?? []))) await namespaceFor(name);
      await Promise.all(others.map(make));
      const data = { [stampObject.key]: String(stamp) };
      await admin.create(ConfigMap, ConfigMap(stampObject.name, { namespace: stampObject.namespace, data }));
    },
    run: (migrations, given = plain) =>
      runMigrations({ client: given, world: systemWorld, version: "0.0.0-test", migrations }),
    plan: (migrations, given = plain) => planMigrations({ client: given, migrations }),
  };
}

/** Without what chance and time decide. */
function plainOf(object: KubeObject): unknown {
  const plain = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plain);
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, item]) => (VOLATILE.has(key) ? [] : [[key, plain(item)]])),
    );
  };
  const { data } = ConfigMap("", object.kind === "ConfigMap" ? { ...object } : {});
  if (object.metadata.name !== recordName || data === undefined) return plain(object);
  // How much the last run had to do depends on where the one before was interrupted.
  const entries = Object.entries(data).map(([id, text]) => {
    const { at: _, writes: __, ...rest } = JSON.parse(text);
    return [id, rest.result === "nothing" ? { by: rest.by, result: "done" } : rest];
  });
  return plain({ ...object, data: Object.fromEntries(entries) });
}

export interface Trial {
  readonly migrations: readonly Migration[];
  readonly stamp: number;
  readonly before: readonly KubeObject[];
  /** What must be so in the end. */
  check(bench: Bench, run: MigrationRun): Promise<void>;
}

/**
 * The whole of a trial: the plan writes nothing; the run ends well and has written what was planned; run again it writes
 * nothing; killed before the first or after any of its writes, the next run comes to the same end.
 */
export async function tryMigrations(bench: Bench, trial: Trial): Promise<void> {
  const { migrations, stamp, before } = trial;
  const reset = () => bench.set(stamp, before);
  await reset();
  const untouched = canonical(await bench.state());
  const planner = bench.client();
  const plan = await bench.plan(migrations, planner);
  assert.equal(planner.counters.writes(), 0, "a plan writes nothing");
  assert.equal(canonical(await bench.state()), untouched);
  const client = bench.client();
  const run = await bench.run(migrations, client);
  const writes = client.counters.writes();
  assert.deepEqual(
    run.migrations.map(({ id, changes }) => [id, changes]),
    plan.migrations.map(({ id, steps }) => [id, steps.flatMap(({ changes }) => changes)]),
    "what is done is what was planned",
  );
  assert.equal(run.stamp?.to, plan.target);
  await trial.check(bench, run);
  const end = await bench.state();
  const again = bench.client();
  await bench.run(migrations, again);
  assert.equal(again.counters.writes(), 0, "a second run writes nothing");
  // A kill before a write is one after the write before it.
  for (const at of Array.from({ length: writes + 1 }, (_, index) => index)) {
    await reset();
    const fault =
      at === 0 ? ({ is: "kill", at: 1, when: "before" } as const) : ({ is: "kill", at, when: "after" } as const);
    const { intercept } = interference(fault, { count: 0 }, () => {})();
    await assert.rejects(bench.run(migrations, bench.client(intercept)), `killed after write ${at}`);
    await bench.run(migrations);
    assert.deepEqual(await bench.state(), end, `after a kill after write ${at}`);
  }
}
