import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { ClusterRole, ClusterRoleBinding, Namespace, RoleBinding } from "../../kube/core-kinds.ts";
import type { KubeObject } from "../../kube/object.ts";
import { storeFeed } from "../../kube/store.ts";
import type { Caller } from "../incoming.ts";
import type { ViewChange } from "../view/view.ts";
import { openTenants } from "../visibility/tenants.ts";
import { tenantNamespaceView } from "./tenant-namespace.ts";

const apiGroup = "rbac.authorization.k8s.io";

/** The view over stores that the test feeds, and what a cluster would hold. */
async function world() {
  let version = 100;
  let now = 0;
  const feed = <T extends KubeObject>(kind: Parameters<typeof storeFeed<T>>[0]["kind"]) => {
    const made = storeFeed<T>({
      kind,
      trim: (object) => object,
      accepts: () => true,
      onError: (error) => assert.fail(String(error)),
    });
    made.replace([], String(version));
    return made;
  };
  const namespaces = feed<KubeObject>(Namespace);
  const bindings = feed<RoleBinding>(RoleBinding);
  const roles = feed<ClusterRole>(ClusterRole);
  const clusterBindings = feed<ClusterRoleBinding>(ClusterRoleBinding);
  roles.event(
    "added",
    ClusterRole("reader", { rules: [{ apiGroups: [""], resources: ["namespaces"], verbs: ["list"] }] }),
  );
  const tenants = openTenants({
    namespaces: namespaces.store,
    bindings: bindings.store,
    roles: roles.store,
    clusterBindings: clusterBindings.store,
    world: { monotonic: () => now },
    signal: new AbortController().signal,
  });
  await tenants.synced;
  const known = new Set<string>();
  /** Tells a store of an object's new state, or of its end. */
  const put = <T extends KubeObject>(to: ReturnType<typeof feed<T>>, object: T, there: boolean): void => {
    version += 1;
    now += 10_000;
    const { name, namespace = "" } = object.metadata;
    const key = `${object.kind}/${namespace}/${name}`;
    if (!there && !known.has(key)) return;
    const stamped = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    to.event(there ? (known.has(key) ? "modified" : "added") : "deleted", stamped);
    if (there) known.add(key);
    else known.delete(key);
  };
  const roleRef = { apiGroup, kind: "ClusterRole", name: "reader" } as const;
  return {
    view: tenantNamespaceView(tenants),
    namespace: (name: string, there: boolean, label = "") =>
      put(namespaces, Namespace(name, { labels: { label } }), there),
    binding: (namespace: string, name: string, users: readonly string[]) =>
      put(
        bindings,
        RoleBinding(name, {
          namespace,
          roleRef,
          subjects: users.map((user) => ({ kind: "User" as const, apiGroup, name: user })),
        }),
        users.length > 0,
      ),
    reader: (user: string, there: boolean) =>
      put(
        clusterBindings,
        ClusterRoleBinding(`read-${user}`, { roleRef, subjects: [{ kind: "User", apiGroup, name: user }] }),
        there,
      ),
  };
}

const caller = (user: string): Caller => ({ user, groups: ["system:authenticated"], extra: {} });

/** What somebody knows who began with `known` and was told `changes`. */
function told(known: ReadonlyMap<string, string>, changes: readonly ViewChange[]): Map<string, string> {
  const now = new Map(known);
  for (const { type, object } of changes) {
    if (type === "DELETED") now.delete(object.metadata.name);
    else now.set(object.metadata.name, object.metadata.labels?.["label"] ?? "");
  }
  return now;
}

const users = ["ann", "bob"] as const;
const name = fc.constantFrom("tenant-a", "tenant-b", "other");
const step = fc.oneof(
  fc.record({ do: fc.constant("namespace" as const), name, there: fc.boolean(), label: fc.constantFrom("x", "y") }),
  fc.record({
    do: fc.constant("binding" as const),
    name,
    binding: fc.constantFrom("one", "two"),
    users: fc.uniqueArray(fc.constantFrom(...users)),
  }),
  fc.record({ do: fc.constant("reader" as const), user: fc.constantFrom(...users), there: fc.boolean() }),
);

test("who follows, and who comes back after a while, knows exactly what a list shows; nobody is told of more", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 30 }),
      fc.nat({ max: 30 }),
      fc.nat({ max: 3 }),
      async (steps, pause, cut) => {
        const cluster = await world();
        const { view } = cluster;
        const listed = (user: string) =>
          new Map(
            view.all(caller(user), undefined).map(({ metadata }) => [metadata.name, metadata.labels?.["label"] ?? ""]),
          );
        const changes = users.map((): ViewChange[] => []);
        for (const [index, user] of users.entries()) {
          view.follow(caller(user), undefined, (change) => void changes[index]?.push(change));
        }
        let left = { version: view.version, known: users.map((user) => listed(user)) };
        const seen = users.map(() => new Set<string>());
        const readers = new Set<string>();
        for (const [index, one] of steps.entries()) {
          if (index === pause) left = { version: view.version, known: users.map((user) => listed(user)) };
          if (one.do === "namespace") cluster.namespace(one.name, one.there, one.label);
          else if (one.do === "binding") cluster.binding(one.name, one.binding, one.users);
          else {
            cluster.reader(one.user, one.there);
            if (one.there) readers.add(one.user);
            else readers.delete(one.user);
          }
          users.forEach((user, at) => {
            for (const key of listed(user).keys()) seen[at]?.add(key);
          });
        }
        users.forEach((user, index) => {
          const now = listed(user);
          assert.deepEqual(told(new Map(), changes[index] ?? []), now, `${user} followed`);
          const since = view.since(caller(user), undefined, left.version);
          assert.ok(since !== undefined);
          assert.deepEqual(told(left.known[index] ?? new Map(), since), now, `${user} came back`);
          // Cut off after a part of it, and back again from the last version it was told.
          const part = since.slice(0, cut);
          const version = part.at(-1)?.object.metadata.resourceVersion ?? left.version;
          const rest = view.since(caller(user), undefined, version);
          const told2 = told(told(left.known[index] ?? new Map(), part), rest ?? []);
          assert.deepEqual(told2, now, `${user} came back twice`);
          // Whoever sees everything now may hear of what was deleted before.
          if (readers.has(user)) return;
          for (const { object } of [...since, ...(changes[index] ?? [])]) {
            const { name: about } = object.metadata;
            assert.ok(
              seen[index]?.has(about) === true || left.known[index]?.has(about) === true,
              `${user} was told of ${about}`,
            );
          }
        });
      },
    ),
    { numRuns: 300 },
  );
});

test("the versions of events grow, and an object's is that of what changed", async () => {
  const cluster = await world();
  const versions: string[] = [];
  cluster.view.follow(caller("ann"), undefined, ({ object }) => versions.push(object.metadata.resourceVersion ?? ""));
  cluster.namespace("tenant-a", true, "x");
  cluster.binding("tenant-a", "one", ["ann"]);
  cluster.namespace("tenant-a", true, "y");
  cluster.binding("tenant-a", "one", []);
  assert.deepEqual(versions, ["102", "103", "104"]);
  assert.equal(cluster.view.version, "104");
});
