/**
 * TenantModule: the modules that a tenant has switched on, whatever their kinds. Read only: modules are switched in the
 * Tenant. Whoever may ask has been judged by the API server, by namespace.
 */
import { valueAt } from "../../kube/json.ts";
import type { Kind, KubeObject } from "../../kube/object.ts";
import type { Change, Store } from "../../kube/store.ts";
import type { Stores, StoreUse } from "../../kube/stores.ts";
import type { World } from "../../kube/world.ts";
import { kindOfApp } from "../../reconcile/instance.ts";
import { conditionsOf } from "../../reconcile/status.ts";
import type { App } from "../../sdk/app.ts";
import type { AppSource } from "../../sdk/app-source.ts";
import { coreApi } from "../group.ts";
import { apiVersion, type Resource, type ResourceNames } from "../resource.ts";
import { ageColumn, type Column, nameColumn } from "../table.ts";
import { Journal, newest } from "../view/journal.ts";
import { viewReads } from "../view/reads.ts";
import { atVersion, byPlace, byVersion, type View, type ViewChange, type ViewObject } from "../view/view.ts";

const names: ResourceNames = {
  ...coreApi,
  kind: "TenantModule",
  plural: "tenantmodules",
  singular: "tenantmodule",
  namespaced: true,
};

/** Marks an application as a module of its tenant. Not shown. */
const moduleLabel = "internal.cozystack.io/tenantmodule";

const shownConditions: readonly string[] = ["Ready", "Released"];

function shown(object: KubeObject): ViewObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, annotations } = object.metadata;
  const { [moduleLabel]: _, ...labels } = object.metadata.labels ?? {};
  const status = valueAt(object, "status");
  const version = valueAt(status, "version");
  const conditions = conditionsOf(status).filter(({ type }) => shownConditions.includes(type));
  return {
    kind: names.kind,
    apiVersion: apiVersion(names),
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(creationTimestamp === undefined ? {} : { creationTimestamp }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    ...(typeof version === "string" ? { appVersion: version } : {}),
    status: {
      ...(typeof version === "string" ? { version } : {}),
      ...(conditions.length === 0 ? {} : { conditions }),
    },
  };
}

interface ModuleChange {
  readonly previous?: ViewObject;
  readonly current?: ViewObject;
}

const keyOf = ({ metadata }: ViewObject): string => `${metadata.namespace}/${metadata.name}`;

export interface ModulesOptions {
  readonly stores: Stores;
  readonly world: World;
  readonly signal: AbortSignal;
  /** Those that are modules are shown; definitions bring more at run time. */
  readonly apps: AppSource;
  /** Resolves when the definitions that there are have been read. Default: there are none. */
  readonly defined?: Promise<void>;
}

/** The view, and when its first state is complete. */
export function openModules(options: ModulesOptions): { view: View; synced: Promise<void> } {
  const { stores, world, signal, apps, defined = Promise.resolve() } = options;
  const journal = new Journal<ModuleChange>({ world });
  const followers = new Set<(change: ViewChange) => void>();
  const followed = new Map<string, StoreUse<KubeObject>>();
  const opened = (): readonly Store<KubeObject>[] =>
    [...followed.values()].map(({ store }) => store).filter(({ hasSynced }) => hasSynced);

  const versionOf = (store: Store<KubeObject>, { type, object }: Change<KubeObject>): string =>
    (type === "deleted" ? store.resourceVersion : object.metadata.resourceVersion) ?? journal.version;

  function follow(app: App): StoreUse<KubeObject> {
    const kind: Kind<KubeObject> = kindOfApp(app);
    // A tenant's own modules are told from others of their kinds by a label; what a definition brings has one purpose.
    const use = stores.use(kind, app.definedBy === undefined ? { labelSelector: `${moduleLabel}=true` } : {});
    use.store.subscribe((change) => {
      if (!journal.started) return;
      const version = versionOf(use.store, change);
      const object = shown(change.object);
      const told: ModuleChange =
        change.type === "added"
          ? { current: object }
          : change.type === "modified"
            ? { previous: shown(change.previous), current: object }
            : { previous: object };
      journal.append(version, told);
      const event = eventOf(told, version);
      if (event !== undefined) for (const follower of followers) follower(event);
    });
    return use;
  }

  function sync(): void {
    const wanted = new Map<string, App>(
      apps.list().flatMap((app) => (app.module ? [[`${app.group}/${app.kind}`, app] as const] : [])),
    );
    for (const [key, app] of wanted) if (!followed.has(key)) followed.set(key, follow(app));
    for (const [key, use] of followed) {
      if (wanted.has(key)) continue;
      followed.delete(key);
      use.release();
    }
  }

  sync();
  apps.onChange(sync);
  const synced = defined
    .then(() => Promise.all([...followed.values()].map(({ store }) => store.ready(signal))))
    .then(() => {
      journal.start(opened().reduce((version, store) => newest(store.resourceVersion ?? "0", version), "0"));
    });

  const everything = (namespace: string | undefined): readonly ViewObject[] =>
    opened()
      .flatMap((store) => store.list(namespace).map(shown))
      .sort(byPlace);
  const find = (namespace: string | undefined, name: string): ViewObject | undefined =>
    opened()
      .flatMap((store) => store.get(name, namespace) ?? [])
      .map(shown)[0];
  const within = (namespace: string | undefined, { object }: ViewChange): boolean =>
    namespace === undefined || object.metadata.namespace === namespace;

  const view: View = {
    get ready() {
      return journal.started;
    },
    get version() {
      return journal.version;
    },
    find: (_, namespace, name) => find(namespace, name),
    all: (_, namespace) => everything(namespace),
    follow(_, namespace, handler) {
      const told = (change: ViewChange): void => {
        if (within(namespace, change)) handler(change);
      };
      followers.add(told);
      return () => followers.delete(told);
    },
    since(_, namespace, version) {
      const last = new Map<string, ViewChange>();
      const entries = journal.since(version);
      for (const entry of entries ?? []) {
        const event = eventOf(entry.change, entry.version);
        if (event === undefined || !within(namespace, event)) continue;
        const key = keyOf(event.object);
        last.set(key, joined(last.get(key), event));
      }
      return entries === undefined ? undefined : [...last.values()].sort(byVersion);
    },
  };
  return { view, synced };
}

function eventOf({ previous, current }: ModuleChange, version: string): ViewChange | undefined {
  if (current === undefined) return previous && { type: "DELETED", object: atVersion(previous, version) };
  return previous === undefined
    ? { type: "ADDED", object: current }
    : { type: "MODIFIED", object: current, earlier: [previous] };
}

/** Two changes of one object as one. */
function joined(first: ViewChange | undefined, next: ViewChange): ViewChange {
  if (first === undefined) return next;
  const earlier = [...(first.earlier ?? []), first.object, ...(next.earlier ?? [])];
  const type = next.type === "MODIFIED" && first.type === "ADDED" ? "ADDED" : next.type;
  return { ...next, type, earlier };
}

const readyColumn: Column = {
  name: "Ready",
  type: "string",
  description: "Whether the module works.",
  cell: (object) => conditionsOf(object["status"]).find(({ type }) => type === "Ready")?.status ?? "Unknown",
};

const versionColumn: Column = {
  name: "Version",
  type: "string",
  description: "Version of the module, without what it is built from.",
  cell(object) {
    const version = valueAt(object, "status", "version");
    return typeof version === "string" && version !== "" ? version.slice(version.lastIndexOf("+") + 1) : "<unknown>";
  },
};

export function tenantModules(view: View, world: World): Resource {
  const text = (description: string) => ({ type: "string", description }) as const;
  const condition = {
    type: "object",
    description: "One thing that is known about the module.",
    required: ["type", "status"],
    properties: {
      type: text("What it is about: Ready or Released."),
      status: text("True, False or Unknown."),
      reason: text("For programs: why."),
      message: text("For people: why."),
      lastTransitionTime: { ...text("When the status last changed."), format: "date-time" },
      observedGeneration: { type: "integer", format: "int64", description: "The generation that was looked at." },
    },
  } as const;
  return {
    names,
    verbs: ["get", "list", "watch"],
    columns: [nameColumn, readyColumn, ageColumn, versionColumn],
    schema: {
      type: "object",
      description: "A module that is switched on in the tenant.",
      properties: {
        appVersion: text("Version of the module."),
        status: {
          type: "object",
          description: "How the module is.",
          properties: {
            version: text("Version that was applied last."),
            conditions: { type: "array", description: "What is known about the module.", items: condition },
          },
        },
      },
    },
    operations: viewReads(view, names, world),
  };
}
