/** ApplicationPlans through the aggregator. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { apps } from "../../src/apps/index.ts";
import { impactRulesOf } from "../../src/contracts/index.ts";
import { ClusterRole, Secret } from "../../src/kube/core-kinds.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { Kind, UnknownObject } from "../../src/kube/object.ts";
import { readClusterValues } from "../../src/platform/install.ts";
import { kindLookup, shareApplications } from "../../src/reconcile/controller.ts";
import { prepare } from "../../src/reconcile/prepare.ts";
import { clientView } from "../../src/reconcile/view.ts";
import { ContextTable } from "../../src/tenancy/context-table.ts";
import type { ServerEngine } from "../support/server-engine.ts";
import { grant, refusal, unique } from "./fixtures.ts";
import { as } from "./watching.ts";

const ApplicationPlan: Kind<UnknownObject> = {
  group: "core.cozystack.io",
  version: "v1alpha1",
  kind: "ApplicationPlan",
  plural: "applicationplans",
  namespaced: true,
};

const Redis: Kind<UnknownObject> = {
  group: "apps.cozystack.io",
  version: "v1alpha1",
  kind: "Redis",
  plural: "redises",
  namespaced: true,
};

const redis = (name: string, spec: object): UnknownObject => ({
  apiVersion: "apps.cozystack.io/v1alpha1",
  kind: "Redis",
  metadata: { name, namespace: "tenant-root" },
  spec,
});

const planOf = (application: unknown): UnknownObject => ({
  apiVersion: "core.cozystack.io/v1alpha1",
  kind: "ApplicationPlan",
  metadata: { name: "p", namespace: "tenant-root" },
  spec: { application },
});

export function plansSuite(engine: () => ServerEngine): void {
  test("a plan is the controller's own, and stores nothing", async () => {
    const client = engine().client();
    const user = unique("user-");
    await grant(client, "tenant-root", unique("b-"), [user]);
    const who = as(client, user, "system:authenticated");
    const name = unique("r");
    const made = await who.create(ApplicationPlan, planOf(redis(name, { replicas: 3 })));
    const status = made["status"];
    assert.equal(valueAt(status, "action"), "create");

    const table = new ContextTable("0.0.0");
    table.setCluster(await readClusterValues(client));
    table.setApis(new Set(["cozystack.io/v1alpha1"]));
    const root = await client.get(
      { group: "", version: "v1", kind: "Namespace", plural: "namespaces", namespaced: false },
      "tenant-root",
    );
    if (root !== undefined) table.setNamespace("tenant-root", root.metadata);
    const app = apps.find(({ kind }) => kind === "Redis");
    assert.ok(app !== undefined);
    const prepared = await prepare(app, redis(name, { replicas: 3 }), {
      view: clientView(client),
      kindOf: kindLookup(apps),
      rules: ({ group, kind }) => impactRulesOf(group, kind),
      context: { contextOf: async (namespace) => table.answer(namespace), onChange: () => () => undefined },
      manager: "cozystack",
      randomBytes,
      onUnowned: shareApplications,
      mayAdopt: () => false,
      pending: new Map(),
      onInterest: () => undefined,
    });
    assert.ok(prepared.is === "planned");
    assert.deepEqual(valueAt(status, "plan"), JSON.parse(JSON.stringify(prepared.plan.plan)));
    assert.ok(prepared.plan.plan.changes.length > 3);
    assert.equal(await client.get(Redis, name, "tenant-root"), undefined);
    assert.equal(await client.get(Secret, `redis-${name}-auth`, "tenant-root"), undefined);
    assert.deepEqual((await client.list(Redis, { namespace: "tenant-root" })).items, []);
  });

  test("the caller's rights on the application decide, and admission judges the caller", async () => {
    const client = engine().client();
    const [viewer, planner, reader] = [unique("view-"), unique("plan-"), unique("read-")];
    await grant(client, "tenant-root", unique("b-"), [viewer], "cozy:tenant:use");
    await grant(client, "tenant-root", unique("b-"), [planner]);
    const planOnly = unique("plan-only-");
    await client.create(
      ClusterRole,
      ClusterRole(planOnly, {
        rules: [{ apiGroups: ["core.cozystack.io"], resources: ["applicationplans"], verbs: ["create"] }],
      }),
    );
    await grant(client, "tenant-root", unique("b-"), [reader], planOnly);
    const attempt = (user: string, application: unknown) =>
      as(client, user, "system:authenticated").create(ApplicationPlan, planOf(application));
    assert.equal(await refusal(attempt(viewer, redis("x", {}))), "Forbidden", "may not plan");
    await assert.rejects(attempt(reader, redis("x", {})), (error) => {
      assert.ok(isApiError(error, "Forbidden"));
      assert.match(
        error.message,
        /cannot create resource "redises" in API group "apps.cozystack.io" in the namespace "tenant-root"/,
      );
      return true;
    });
    const elsewhere = { ...redis("x", {}), metadata: { name: "x", namespace: "kube-system" } };
    assert.equal(await refusal(attempt(planner, elsewhere)), "Invalid", "another namespace than the request's");
    assert.equal(await refusal(attempt(planner, { ...redis("x", {}), kind: "Nonsense" })), "Invalid");
    assert.notEqual(
      await refusal(attempt(planner, redis("x", { replicas: "many" }))),
      undefined,
      "the schema is judged",
    );
    const tenant = { ...redis("sub", { host: "example.com" }), kind: "Tenant" };
    assert.equal(
      await refusal(attempt(planner, tenant)),
      "Forbidden",
      "people may not set a tenant's host: the policy sees the caller",
    );
  });

  test("values of Secrets are masked", async () => {
    const client = engine().client();
    const user = unique("user-");
    await grant(client, "tenant-root", unique("b-"), [user]);
    const password = unique("very-secret-");
    const application = {
      ...redis(unique("pg"), { users: { joe: { password } } }),
      kind: "Postgres",
    };
    const made = await as(client, user, "system:authenticated").create(ApplicationPlan, planOf(application));
    assert.ok(valueAt(made["status"], "plan") !== undefined, JSON.stringify(made["status"]));
    assert.ok(!JSON.stringify(made["status"]).includes(password));
  });

  test("kubectl apply and create show a plan", async () => {
    const client = engine().client();
    const user = unique("user-");
    await grant(client, "tenant-root", unique("b-"), [user]);
    const input = JSON.stringify(planOf(redis(unique("k"), {})));
    for (const args of [["create"], ["apply", "--server-side"], ["apply"]]) {
      const ran = await engine().kubectl(
        [...args, "-f", "-", "-o", "jsonpath={.status.action}", `--as=${user}`, "--as-group=system:authenticated"],
        { input },
      );
      assert.equal(ran.stdout, "create", `${args.join(" ")}: ${ran.stderr}`);
    }
  });
}
