/** TenantNamespaces through the aggregator: who sees what, and how a watch follows it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ClusterRole, ClusterRoleBinding, Namespace, RoleBinding } from "../../src/kube/core-kinds.ts";
import { valueAt } from "../../src/kube/json.ts";
import { eventually } from "../support/eventually.ts";
import type { ServerEngine } from "../support/server-engine.ts";
import { grant, pathOf, refusal, TenantNamespace, tenant, unique } from "./fixtures.ts";
import { as, openWatch } from "./watching.ts";

const apiGroup = "rbac.authorization.k8s.io";
const path = pathOf(TenantNamespace);

export function namespacesSuite(engine: () => ServerEngine): void {
  test("a caller sees the tenants whose RoleBindings name it, in whatever way, and no others", async () => {
    const client = engine().client();
    const [user, group] = [unique("user-"), unique("group-")];
    const byUser = await tenant(client, user);
    const byGroup = await tenant(client);
    const byAccount = await tenant(client);
    const none = await tenant(client, unique("another-"));
    const binding = (namespace: string, subjects: RoleBinding["subjects"]) =>
      client.create(
        RoleBinding,
        RoleBinding("b", {
          namespace,
          roleRef: { apiGroup, kind: "ClusterRole", name: "view" },
          subjects: subjects ?? [],
        }),
      );
    await binding(byGroup, [{ kind: "Group", apiGroup, name: group }]);
    await binding(byAccount, [{ kind: "ServiceAccount", name: "robot" }]);
    const listed = async (who: ReturnType<typeof as>) =>
      (await who.list(TenantNamespace)).items.map(({ metadata }) => metadata.name);
    await eventually("the grants are known", async () => (await listed(as(client, "x", group))).length === 1);

    const all = ["system:authenticated"];
    const cases = [
      { why: "user", who: as(client, user, ...all), sees: [byUser] },
      { why: "group", who: as(client, "x", ...all, group), sees: [byGroup] },
      { why: "user and group", who: as(client, user, ...all, group), sees: [byUser, byGroup].sort() },
      {
        why: "account, of the binding's own namespace",
        who: as(client, `system:serviceaccount:${byAccount}:robot`, ...all),
        sees: [byAccount],
      },
      {
        why: "account of the same name elsewhere",
        who: as(client, `system:serviceaccount:${none}:robot`, ...all),
        sees: [],
      },
      { why: "a user named as the group is", who: as(client, group, ...all), sees: [] },
    ];
    for (const { why, who, sees } of cases) {
      assert.deepEqual(await listed(who), sees, why);
      for (const name of [byUser, byGroup, byAccount, none]) {
        const found = await who.get(TenantNamespace, name);
        assert.equal(found?.metadata.name, sees.includes(name) ? name : undefined, `${why}: get ${name}`);
      }
    }
    for (const powerful of ["system:masters", "cozystack-cluster-admin"]) {
      const names = await listed(as(client, "root", ...all, powerful));
      assert.ok(
        [byUser, byGroup, byAccount, none, "tenant-root"].every((name) => names.includes(name)),
        powerful,
      );
      assert.ok(names.every((name) => name.startsWith("tenant-")));
    }
  });

  test("a namespace that may not be seen, one that is no tenant's and one that does not exist look alike", async () => {
    const client = engine().client();
    const hidden = await tenant(client);
    const who = as(client, "nobody", "system:authenticated");
    const answers = await Promise.all(
      [hidden, "tenant-does-not-exist", "kube-system"].map(async (name) => {
        try {
          return await who.raw("GET", `${path}/${name}`);
        } catch (error) {
          return String(error).replaceAll(name, "NAME");
        }
      }),
    );
    assert.equal(new Set(answers).size, 1, answers.join("\n"));
    assert.match(String(answers[0]), /not found/);
  });

  test("get, list and watch show the same, and select alike", async () => {
    const client = engine().client();
    const user = unique("user-");
    const [first, second] = [await tenant(client, user), await tenant(client, user)];
    await client.mergePatch(Namespace, second, undefined, { metadata: { labels: { team: "green" } } });
    const who = as(client, user, "system:authenticated");
    const items = await eventually("both are listed", async () => {
      const found = (await who.list(TenantNamespace)).items;
      return found.length === 2 && found.some(({ metadata }) => metadata.labels?.["team"] === "green")
        ? found
        : undefined;
    });
    const read = await who.get(TenantNamespace, first);
    assert.deepEqual(
      items.find(({ metadata }) => metadata.name === first),
      read,
    );
    assert.deepEqual(Object.keys(read?.metadata ?? {}).sort(), [
      "annotations",
      "creationTimestamp",
      "labels",
      "name",
      "resourceVersion",
      "uid",
    ]);
    const names = async (options: object) =>
      (await who.list(TenantNamespace, options)).items.map(({ metadata }) => metadata.name);
    assert.deepEqual(await names({ labelSelector: "team=green" }), [second]);
    assert.deepEqual(await names({ labelSelector: "team in (blue, green),team!=blue" }), [second]);
    assert.deepEqual(await names({ fieldSelector: `metadata.name=${first}` }), [first]);
    assert.deepEqual(await names({ fieldSelector: `metadata.name!=${first}` }), [second]);
    assert.deepEqual(await names({ pageSize: 1 }), [first, second].sort());
    assert.equal(await refusal(who.list(TenantNamespace, { labelSelector: "a=(" })), "BadRequest");
    assert.equal(await refusal(who.list(TenantNamespace, { fieldSelector: "spec.x=1" })), "BadRequest");

    const watch = await openWatch(engine().kubeconfig, path, { labelSelector: "team=green" }, user);
    const added = await watch.next(({ type }) => type === "ADDED");
    assert.deepEqual(
      added.object,
      items.find(({ metadata }) => metadata.name === second),
    );
    await client.mergePatch(Namespace, first, undefined, { metadata: { labels: { team: "green" } } });
    await watch.next(({ type, name }) => type === "ADDED" && name === first);
    await client.mergePatch(Namespace, first, undefined, { metadata: { labels: { x: "1" } } });
    await watch.next(({ type, name }) => type === "MODIFIED" && name === first);
    await client.mergePatch(Namespace, first, undefined, { metadata: { labels: { team: "blue" } } });
    await watch.next(({ type, name }) => type === "DELETED" && name === first);
    watch.close();
  });

  test("a watch follows grants and revocations, by RoleBinding and by ClusterRoleBinding", async () => {
    const client = engine().client();
    const user = unique("user-");
    const namespace = await tenant(client);
    const { kubeconfig } = engine();
    const watch = await openWatch(
      kubeconfig,
      path,
      { sendInitialEvents: "true", resourceVersionMatch: "NotOlderThan", allowWatchBookmarks: "true" },
      user,
    );
    await watch.next(({ initialEnd }) => initialEnd);
    const started = performance.now();
    await grant(client, namespace, "late", [user]);
    const added = await watch.next(({ type, name }) => type === "ADDED" && name === namespace);
    assert.ok(performance.now() - started < 2000, "within two seconds");
    assert.ok(BigInt(added.version) > BigInt(watch.events[0]?.version ?? "0"), "the version moves on");
    await grant(client, namespace, "second", [user], "view");
    await client.delete(RoleBinding, "late", namespace);
    await client.mergePatch(Namespace, namespace, undefined, { metadata: { annotations: { x: "1" } } });
    await watch.next(({ type, name }) => type === "MODIFIED" && name === namespace);
    assert.ok(!watch.events.some(({ type }) => type === "DELETED"), "the second binding still names the user");
    await grant(client, namespace, "second", [unique("other-")], "view");
    await watch.next(({ type, name }) => type === "DELETED" && name === namespace);

    const reader = unique("reads-tenants-");
    const seen = watch.events.length;
    await client.create(
      ClusterRole,
      ClusterRole(reader, { rules: [{ apiGroups: ["apps.cozystack.io"], resources: ["*"], verbs: ["get"] }] }),
    );
    await client.create(
      ClusterRoleBinding,
      ClusterRoleBinding(reader, {
        roleRef: { apiGroup, kind: "ClusterRole", name: reader },
        subjects: [{ kind: "User", apiGroup, name: user }],
      }),
    );
    await watch.next(
      (event) => event.type === "ADDED" && event.name === "tenant-root" && watch.events.indexOf(event) >= seen,
    );
    await watch.next(
      (event) => event.type === "ADDED" && event.name === namespace && watch.events.indexOf(event) >= seen,
    );
    assert.ok((await as(client, user, "system:authenticated").list(TenantNamespace)).items.length > 1);
    await client.delete(ClusterRoleBinding, reader);
    await watch.next((event) => event.type === "DELETED" && event.name === "tenant-root");
    await client.delete(ClusterRole, reader);
    watch.close();
  });

  test("a watch resumes: nothing that happened meanwhile is missed, a version from before the server is refused", async () => {
    const client = engine().client();
    const user = unique("user-");
    const [kept, revoked, gone] = [await tenant(client, user), await tenant(client, user), await tenant(client, user)];
    const who = as(client, user, "system:authenticated");
    const { resourceVersion } = await eventually("all are listed", async () => {
      const list = await who.list(TenantNamespace);
      return list.items.length === 3 ? list : undefined;
    });
    const fresh = await tenant(client, user);
    await client.mergePatch(Namespace, kept, undefined, { metadata: { labels: { x: "1" } } });
    await client.delete(RoleBinding, "people", revoked);
    await client.delete(Namespace, gone);
    await eventually("it is gone", async () => (await client.get(Namespace, gone)) === undefined);

    const watch = await openWatch(engine().kubeconfig, path, { resourceVersion }, user);
    await watch.next(({ type, name }) => type === "ADDED" && name === fresh);
    await watch.next(
      ({ type, name, object }) =>
        type !== "DELETED" && name === kept && valueAt(object, "metadata", "labels", "x") === "1",
    );
    await watch.next(({ type, name }) => type === "DELETED" && name === revoked);
    await watch.next(({ type, name }) => type === "DELETED" && name === gone);
    watch.close();

    const old = await openWatch(engine().kubeconfig, path, { resourceVersion: "1" }, user);
    assert.equal(old.status, 410);
    old.close();
  });

  test("two replicas give the same versions, and a watch goes on at the other one", async () => {
    const client = engine().client();
    const user = unique("user-");
    const first = await tenant(client, user);
    const who = as(client, user, "system:authenticated");
    await eventually("it is listed", async () => (await who.list(TenantNamespace)).items.length === 1);
    // The second replica takes the registration over: from here on it answers.
    const other = await engine().serve();
    await other.registered;
    const { items } = await who.list(TenantNamespace);
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      [first],
    );
    const second = await tenant(client, user);
    const list = await eventually("both are listed", async () => {
      const found = await who.list(TenantNamespace);
      return found.items.length === 2 ? found : undefined;
    });
    const watch = await openWatch(engine().kubeconfig, path, { resourceVersion: list.resourceVersion }, user);
    await client.delete(RoleBinding, "people", first);
    await watch.next(({ type, name }) => type === "DELETED" && name === first);
    assert.ok(!watch.events.some(({ type, name }) => type === "DELETED" && name === second));
    watch.close();
  });
}
