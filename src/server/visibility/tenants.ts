/**
 * Which tenant namespaces a caller may see, and what changes about that: by an index over RoleBindings, the cluster-wide
 * readers, and the namespaces themselves.
 */
import type { ClusterRole, ClusterRoleBinding, RoleBinding } from "../../kube/core-kinds.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { Change, Store } from "../../kube/store.ts";
import type { World } from "../../kube/world.ts";
import type { Caller } from "../incoming.ts";
import { Journal, newest } from "../view/journal.ts";
import { clusterReaders } from "./cluster-readers.ts";
import { type GrantChange, GrantIndex } from "./grant-index.ts";
import { callerKeys, seesEverything, subjectKeys } from "./subjects.ts";

/** Prefix of the namespaces of tenants. */
export const tenantPrefix = "tenant-";

export type TenantChange =
  | {
      readonly is: "namespace";
      readonly name: string;
      readonly previous?: KubeObject;
      readonly current?: KubeObject;
    }
  | { readonly is: "grant"; readonly grant: GrantChange }
  /** The subjects that began or ceased to see everything, and whether each did before. */
  | { readonly is: "readers"; readonly before: ReadonlyMap<string, boolean> };

/** A caller, with its keys worked out once. */
export interface Viewer {
  readonly keys: readonly string[];
  /** By a group that no binding can take away. */
  readonly always: boolean;
}

export const viewerOf = (caller: Caller): Viewer => ({ keys: callerKeys(caller), always: seesEverything(caller) });

export interface Tenants {
  readonly ready: boolean;
  /** Resolves when the first state is complete. */
  readonly synced: Promise<void>;
  readonly version: string;
  seesAll(viewer: Viewer): boolean;
  sees(viewer: Viewer, namespace: string): boolean;
  /** Whether the viewer saw the namespace before the grant changed; as it is now for what did not change. */
  sawBefore(viewer: Viewer, grant: GrantChange): boolean;
  /** Whether the viewer saw everything before the readers changed. */
  sawAllBefore(viewer: Viewer, before: ReadonlyMap<string, boolean>): boolean;
  namespace(name: string): KubeObject | undefined;
  /** Whether a binding in the namespace names the subject. */
  isNamed(key: string, namespace: string): boolean;
  /** Whether the subject sees everything by a ClusterRoleBinding. */
  isReader(key: string): boolean;
  /** The names of all tenants' namespaces. */
  names(): readonly string[];
  /** The namespaces that the viewer sees only because it sees everything. */
  others(viewer: Viewer): readonly KubeObject[];
  /** The namespaces that the viewer sees and that exist, sorted by name. */
  visible(viewer: Viewer): readonly KubeObject[];
  follow(handler: (change: TenantChange, version: string) => void): () => void;
  since(version: string): readonly { readonly version: string; readonly change: TenantChange }[] | undefined;
}

export interface TenantsOptions {
  /** Metadata is enough. */
  readonly namespaces: Store<KubeObject>;
  readonly bindings: Store<RoleBinding>;
  readonly roles: Store<ClusterRole>;
  readonly clusterBindings: Store<ClusterRoleBinding>;
  readonly world: Pick<World, "monotonic">;
  readonly signal: AbortSignal;
}

const isTenant = (name: string): boolean => name.startsWith(tenantPrefix);

export function openTenants(options: TenantsOptions): Tenants {
  const { namespaces, bindings, roles, clusterBindings, world, signal } = options;
  const all: readonly Store<KubeObject>[] = [namespaces, bindings, roles, clusterBindings];
  const grants = new GrantIndex();
  const journal = new Journal<TenantChange>({ world });
  const followers = new Set<(change: TenantChange, version: string) => void>();
  let readers: ReadonlySet<string> = new Set();

  /** The version of a change: of a deletion, what its store has come to. */
  const versionOf = (store: Store<KubeObject>, { type, object }: Change<KubeObject>): string =>
    (type === "deleted" ? store.resourceVersion : object.metadata.resourceVersion) ?? journal.version;

  const tell = (change: TenantChange, version: string): void => {
    if (!journal.started) return;
    journal.append(version, change);
    for (const follower of followers) follower(change, version);
  };

  const recountReaders = (version: string): void => {
    if (!journal.started) return;
    const next = clusterReaders(roles.list(), clusterBindings.list());
    const before = new Map<string, boolean>();
    for (const key of next) if (!readers.has(key)) before.set(key, false);
    for (const key of readers) if (!next.has(key)) before.set(key, true);
    readers = next;
    if (before.size > 0) tell({ is: "readers", before }, version);
  };

  bindings.subscribe((change) => {
    const { name, namespace = "" } = change.object.metadata;
    if (!isTenant(namespace)) return;
    const subjects = change.type === "deleted" ? undefined : change.object.subjects;
    const grant = grants.set(namespace, name, subjectKeys(subjects, namespace));
    if (grant !== undefined) tell({ is: "grant", grant }, versionOf(bindings, change));
  });
  namespaces.subscribe((change) => {
    const { name } = change.object.metadata;
    if (!isTenant(name)) return;
    const told: TenantChange =
      change.type === "added"
        ? { is: "namespace", name, current: change.object }
        : change.type === "modified"
          ? { is: "namespace", name, previous: change.previous, current: change.object }
          : { is: "namespace", name, previous: change.object };
    tell(told, versionOf(namespaces, change));
  });
  roles.subscribe((change) => recountReaders(versionOf(roles, change)));
  clusterBindings.subscribe((change) => recountReaders(versionOf(clusterBindings, change)));

  const synced = Promise.all(all.map((store) => store.ready(signal))).then(() => {
    readers = clusterReaders(roles.list(), clusterBindings.list());
    journal.start(all.reduce((version, store) => newest(store.resourceVersion ?? "0", version), "0"));
  });

  const everyTenant = () => namespaces.list().filter(({ metadata }) => isTenant(metadata.name));
  const seesAll = ({ keys, always }: Viewer): boolean => always || keys.some((key) => readers.has(key));
  return {
    get ready() {
      return journal.started;
    },
    synced,
    get version() {
      return journal.version;
    },
    seesAll,
    sees: (viewer, namespace) => seesAll(viewer) || grants.names(viewer.keys, namespace),
    sawBefore: (viewer, grant) => seesAll(viewer) || grants.named(grant, viewer.keys),
    sawAllBefore: ({ keys, always }, before) => always || keys.some((key) => before.get(key) ?? readers.has(key)),
    namespace: (name) => namespaces.get(name),
    isNamed: (key, namespace) => grants.names([key], namespace),
    isReader: (key) => readers.has(key),
    names: () => everyTenant().map(({ metadata }) => metadata.name),
    others: ({ keys }) => everyTenant().filter(({ metadata }) => !grants.names(keys, metadata.name)),
    visible(viewer) {
      const found = seesAll(viewer)
        ? everyTenant()
        : [...grants.namespacesOf(viewer.keys)].flatMap((name) => namespaces.get(name) ?? []);
      return [...found].sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    },
    follow(handler) {
      followers.add(handler);
      return () => followers.delete(handler);
    },
    since: (version) => journal.since(version),
  };
}
