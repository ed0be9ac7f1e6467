/** Kinds that definitions bring, through the aggregator, while the server runs on. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { apps } from "../../src/apps/index.ts";
import { ApplicationDefinition, type Definition } from "../../src/contracts/application-definition.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { Kind, UnknownObject } from "../../src/kube/object.ts";
import { openStores } from "../../src/kube/stores.ts";
import { systemWorld } from "../../src/kube/world.ts";
import { runExternalApplications } from "../../src/platform/external/controller.ts";
import { followDefinitions } from "../../src/platform/external/definitions.ts";
import { appOfDefinition, definition, unused } from "../external/definition.ts";
import { kindOf } from "../schema/install.ts";
import { eventually } from "../support/eventually.ts";
import type { ServerEngine } from "../support/server-engine.ts";
import { grant, pathOf, TenantModule, tenant, unique } from "./fixtures.ts";
import { as, openWatch } from "./watching.ts";

const ApplicationPlan: Kind<UnknownObject> = {
  group: "core.cozystack.io",
  version: "v1alpha1",
  kind: "ApplicationPlan",
  plural: "applicationplans",
  namespaced: true,
};

export function externalSuite(engine: () => ServerEngine): void {
  const stop = new AbortController();
  after(() => stop.abort());

  async function defined(made: Definition) {
    const client = engine().client();
    await client.create(ApplicationDefinition, made);
    let live: Definition | undefined;
    const served = eventually(`${made.metadata.name} is served`, async () => {
      live = await client.get(ApplicationDefinition, made.metadata.name);
      return live?.status?.conditions?.some(({ type, status }) => type === "Ready" && status === "True");
    });
    await served.catch((error: unknown) => assert.fail(`${String(error)}; it says ${JSON.stringify(live?.status)}`));
    return appOfDefinition(made);
  }

  test("a definition's modules are TenantModules, and plans know its kind, under the server's own rights", async () => {
    const client = engine().client();
    const stores = openStores({ client, signal: stop.signal });
    const definitions = followDefinitions(stores, apps);
    const told: string[] = [];
    const onError = (what: string, error: unknown) => told.push(`${what}: ${String(error)}`);
    const running = runExternalApplications({ client, stores, world: systemWorld, definitions, onError }, stop.signal);
    running.catch(() => undefined);
    const user = unique("user-");
    const namespace = await tenant(client, user);
    const watch = await openWatch(engine().kubeconfig, pathOf(TenantModule, namespace), {});
    const module = await defined(definition({ kind: unused(), module: true, prefix: "" }));
    const name = module.kind.toLowerCase();
    const who = as(client, user, "system:authenticated");
    await assert.rejects(
      who.create(kindOf(module), kindOf(module)("other", { namespace, spec: {} })),
      new RegExp(`its name is ${name}`),
    );
    await who.create(kindOf(module), kindOf(module)(name, { namespace, spec: {} }));
    await watch.next((event) => event.type === "ADDED" && event.name === name);
    assert.equal((await client.get(TenantModule, name, namespace))?.metadata.name, name);

    const app = await defined(definition({ kind: unused() }));
    await grant(client, "tenant-root", unique("b-"), [user]);
    const planned = await eventually("the server knows the kind", async () => {
      const application = {
        apiVersion: "apps.cozystack.io/v1alpha1",
        kind: app.kind,
        metadata: { name: "p", namespace: "tenant-root" },
        spec: { replicas: 2 },
      };
      const plan = {
        apiVersion: "core.cozystack.io/v1alpha1",
        kind: "ApplicationPlan",
        metadata: { name: "p", namespace: "tenant-root" },
        spec: { application },
      };
      return who.create(ApplicationPlan, plan).catch(() => undefined);
    });
    // Flux is not installed here: the plan names what cannot be made.
    const status = JSON.stringify(valueAt(planned, "status"));
    assert.match(status, new RegExp(`"kind":"HelmRelease","name":"${app.release}p"`));

    await client.delete(kindOf(module), name, namespace);
    await watch.next((event) => event.type === "DELETED" && event.name === name);
    for (const { definedBy = "" } of [module, app]) {
      await client.delete(ApplicationDefinition, definedBy);
      await eventually(
        `${definedBy} is gone`,
        async () => (await client.get(ApplicationDefinition, definedBy)) === undefined,
      );
    }
    assert.deepEqual(told, []);
    stop.abort();
  });
}
