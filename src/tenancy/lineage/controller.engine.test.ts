import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { eventually } from "../../../test/support/eventually.ts";
import { platformEngine } from "../../../test/support/platform.ts";
import { installKinds, testContext } from "../../../test/support/synthetic-app.ts";
import { StatefulSet } from "../../contracts/apps.ts";
import { ConfigMap, Event, Pod, Secret, Service } from "../../contracts/core.ts";
import { HelmRelease } from "../../contracts/helm-toolkit-fluxcd-io.ts";
import { CustomResourceDefinition } from "../../kube/core-kinds.ts";
import type { AnyKind, Kind, KubeObject } from "../../kube/object.ts";
import { apiVersionOf, refOf } from "../../kube/object.ts";
import { openStores } from "../../kube/stores.ts";
import { systemWorld } from "../../kube/world.ts";
import { fixedContext } from "../../reconcile/context.ts";
import { kindOfApp } from "../../reconcile/instance.ts";
import { OWNER_ANNOTATION, ownerToken } from "../../reconcile/owner.ts";
import type { App } from "../../sdk/app.ts";
import { defineApp } from "../../sdk/define-app.ts";
import { appSpec, flag } from "../../sdk/spec.ts";
import { runLineage } from "./controller.ts";
import { LINEAGE_ANNOTATION } from "./labels.ts";

const twig = defineApp({
  kind: "Twig",
  plural: "twigs",
  release: "twig-",
  catalog: { title: "Twig", category: "Test", summary: "For tests" },
  spec: appSpec({ show: flag({ default: false, description: "Show the Secret." }) }, []),
  render: () => [],
  expose: ({ release, spec }) => ({
    ...(spec.show ? { secrets: [`${release}-made`] } : {}),
    services: [`${release}-web`],
  }),
});
const Twig: AnyKind = kindOfApp(twig);

/** The definitions, which a test exchanges. */
let defined = [twig];
const listeners = new Set<() => void>();
const source = {
  list: () => defined,
  onChange(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
function define(...apps: App[]): void {
  defined = apps;
  for (const listener of listeners) listener();
}

const engine = await platformEngine();
const admin = engine.client("person");
const controllers = engine.client("cozystack");
await installKinds(admin, [twig]);
const namespace = await engine.namespace("tenant-lineage");
const stop = new AbortController();
const told: string[] = [];
const running = runLineage(
  {
    client: controllers,
    stores: openStores({ client: controllers, signal: stop.signal }),
    world: systemWorld,
    contexts: fixedContext(testContext),
    apps: source,
    scope: (place) => place === namespace,
    onError: (what, error) => told.push(`${what}: ${String(error)}`),
  },
  stop.signal,
);
after(async () => {
  stop.abort();
  await running.catch(() => undefined);
});

const order = (name: string, spec: object = {}) =>
  admin.create(
    Twig,
    Object.assign({ apiVersion: apiVersionOf(Twig), kind: "Twig", metadata: { name, namespace } }, { spec }),
  );

/** Marks an object as the reconcile path would. */
function rendered<T extends KubeObject>(object: T, app: KubeObject): T {
  const annotations = { [OWNER_ANNOTATION]: ownerToken(app.metadata.uid ?? "", refOf(object, namespace)) };
  return { ...object, metadata: { ...object.metadata, namespace, annotations } };
}
function ownedBy<T extends KubeObject>(object: T, ...owners: readonly KubeObject[]): T {
  const ownerReferences = owners.map(({ apiVersion, kind, metadata: { name, uid = "" } }) => ({
    apiVersion,
    kind,
    name,
    uid,
  }));
  return { ...object, metadata: { ...object.metadata, namespace, ownerReferences } };
}
const set = (name: string, replicas = 0) =>
  StatefulSet(name, {
    spec: {
      serviceName: name,
      replicas,
      podManagementPolicy: "Parallel",
      selector: { matchLabels: { set: name } },
      template: {
        metadata: { labels: { set: name } },
        spec: { terminationGracePeriodSeconds: 0, containers: [{ name: "main", image: "example.com/main:1" }] },
      },
    },
  });

const APPLICATION = "apps.cozystack.io/application.name";
const VISIBLE = "internal.cozystack.io/tenantresource";
async function labelOf<T extends KubeObject>(
  kind: Kind<T>,
  name: string,
  label = APPLICATION,
): Promise<string | undefined> {
  return (await admin.getMetadata(kind, name, namespace))?.metadata.labels?.[label];
}
const labelled = <T extends KubeObject>(kind: Kind<T>, name: string, value: string, label = APPLICATION) =>
  eventually(`${kind.kind} ${name} has ${label}=${value}`, async () => (await labelOf(kind, name, label)) === value);
const version = async <T extends KubeObject>(kind: Kind<T>, name: string) =>
  (await admin.getMetadata(kind, name, namespace))?.metadata.resourceVersion;
const pause = () => systemWorld.sleep(500);

test("what operators make is labelled through its owners, with one write each and none at rest", async () => {
  const app = await order("one");
  const owner = await admin.create(StatefulSet, rendered(set("twig-one", 2), app));
  await admin.create(Secret, ownedBy(Secret("twig-one-made"), owner));
  await admin.create(Service, ownedBy(Service("twig-one-web", { spec: { ports: [{ port: 80 }] } }), owner));
  for (const pod of ["twig-one-0", "twig-one-1"]) await labelled(Pod, pod, "one");
  await labelled(Secret, "twig-one-made", "one");
  await labelled(Service, "twig-one-web", "one");
  assert.equal(await labelOf(Secret, "twig-one-made", VISIBLE), "false");
  assert.equal(await labelOf(Service, "twig-one-web", VISIBLE), "true");
  assert.equal(await labelOf(Pod, "twig-one-0", "apps.cozystack.io/application.kind"), "Twig");
  await pause();
  assert.equal(controllers.counters.writes(), 4);
  await admin.mergePatch(Pod, "twig-one-0", namespace, { metadata: { annotations: { touched: "1" } } });
  await admin.mergePatch(Pod, "twig-one-0", namespace, { status: { phase: "Running" } }, { subresource: "status" });
  await pause();
  assert.equal(controllers.counters.writes(), 4, "nothing is written for what changes nothing");
});

test("an exposure that changes relabels what exists, both ways", async () => {
  const show = (shown: boolean) => admin.mergePatch(Twig, "one", namespace, { spec: { show: shown } });
  await show(true);
  await labelled(Secret, "twig-one-made", "true", VISIBLE);
  await show(false);
  await labelled(Secret, "twig-one-made", "false", VISIBLE);
});

test("a definition that changes, goes or comes back relabels what exists", async () => {
  const hidesService: App = {
    ...twig,
    instance: (object, context) => ({ ...twig.instance(object, context), exposure: { secrets: ["twig-one-made"] } }),
  };
  define(hidesService);
  await labelled(Secret, "twig-one-made", "true", VISIBLE);
  await labelled(Service, "twig-one-web", "false", VISIBLE);
  define();
  await pause();
  assert.equal(await labelOf(Secret, "twig-one-made", VISIBLE), "true", "without a definition all stays as it is");
  assert.equal(await labelOf(Secret, "twig-one-made"), "one");
  define(twig);
  await labelled(Secret, "twig-one-made", "false", VISIBLE);
  await labelled(Service, "twig-one-web", "true", VISIBLE);
});

test("forged labels are put right; labels of what belongs to nobody give no application", async () => {
  await order("other");
  await admin.mergePatch(Secret, "twig-one-made", namespace, {
    metadata: { labels: { [APPLICATION]: "other", [VISIBLE]: "true" } },
  });
  await labelled(Secret, "twig-one-made", "one");
  assert.equal(await labelOf(Secret, "twig-one-made", VISIBLE), "false");
  const forged = { [APPLICATION]: "one", "internal.cozystack.io/managed-by-cozystack": "true" };
  await admin.create(Secret, Secret("forged", { namespace, labels: forged }));
  const before = await version(Secret, "forged");
  await pause();
  assert.equal(await version(Secret, "forged"), before, "it is neither believed nor touched");
});

test("what comes before its owner's proof is labelled when that is there", async () => {
  const app = await admin.get(Twig, "other", namespace);
  assert.ok(app);
  const owner = await admin.create(StatefulSet, { ...set("twig-late", 1), metadata: { name: "twig-late", namespace } });
  await eventually("the pod", async () => (await version(Pod, "twig-late-0")) !== undefined);
  await pause();
  assert.equal(await labelOf(Pod, "twig-late-0"), undefined);
  const { annotations = {} } = rendered(owner, app).metadata;
  await admin.mergePatch(StatefulSet, "twig-late", namespace, { metadata: { annotations } });
  await labelled(Pod, "twig-late-0", "other");
});

test("an object that another application takes over is relabelled; one that is let go loses our labels", async () => {
  const [one, other] = [await admin.get(Twig, "one", namespace), await admin.get(Twig, "other", namespace)];
  assert.ok(one && other);
  await admin.create(Secret, ownedBy(Secret("handed"), one));
  await labelled(Secret, "handed", "one");
  const { ownerReferences = [] } = ownedBy(Secret("handed"), other).metadata;
  await admin.mergePatch(Secret, "handed", namespace, { metadata: { ownerReferences } });
  await labelled(Secret, "handed", "other");
  await admin.mergePatch(Secret, "handed", namespace, { metadata: { ownerReferences: null } });
  await eventually("its labels go", async () => (await labelOf(Secret, "handed")) === undefined);
  const live = await admin.getMetadata(Secret, "handed", namespace);
  assert.equal(live?.metadata.annotations?.[LINEAGE_ANNOTATION], undefined);
});

test("owners of different applications without a controller are reported, not guessed", async () => {
  const [one, other] = [await admin.get(Twig, "one", namespace), await admin.get(Twig, "other", namespace)];
  assert.ok(one && other);
  await admin.create(Secret, ownedBy(Secret("contested"), one, other));
  const event = await eventually("the warning", async () =>
    (await admin.list(Event, { namespace })).items.find(({ reason }) => reason === "LineageAmbiguous"),
  );
  assert.match(event.message ?? "", new RegExp(`Twig ${namespace}/one, Twig ${namespace}/other`));
  assert.equal(await labelOf(Secret, "contested"), undefined);
});

test("owners of kinds that no contract knows are found by discovery", async () => {
  const group = `x${randomBytes(3).toString("hex")}.example.org`;
  const names = { kind: "Branch", listKind: "BranchList", plural: "branches", singular: "branch" };
  const Branch: AnyKind = { group, version: "v1", kind: "Branch", plural: "branches", namespaced: true };
  const schema = { openAPIV3Schema: { type: "object" as const } };
  await admin.create(
    CustomResourceDefinition,
    CustomResourceDefinition(`branches.${group}`, {
      spec: { group, names, scope: "Namespaced", versions: [{ name: "v1", served: true, storage: true, schema }] },
    }),
  );
  after(() => admin.delete(CustomResourceDefinition, `branches.${group}`));
  const app = await admin.get(Twig, "one", namespace);
  assert.ok(app);
  const branch = { apiVersion: `${group}/v1`, kind: "Branch", metadata: { name: "b", namespace } };
  const owner = await eventually("the kind is served", () =>
    admin.create(Branch, rendered(branch, app)).catch(() => undefined),
  );
  await admin.create(Secret, ownedBy(Secret("of-branch"), owner));
  await labelled(Secret, "of-branch", "one");
});

test("what Flux makes for a release of ours is labelled, the release's later arrival included", async () => {
  const app = await admin.get(Twig, "one", namespace);
  assert.ok(app);
  const flux = { "helm.toolkit.fluxcd.io/name": "chart", "helm.toolkit.fluxcd.io/namespace": namespace };
  await admin.create(Secret, Secret("of-chart", { namespace, labels: flux }));
  await pause();
  assert.equal(await labelOf(Secret, "of-chart"), undefined);
  await admin.create(HelmRelease, rendered(HelmRelease("chart", { spec: { interval: "5m" } }), app));
  await labelled(Secret, "of-chart", "one");
  await admin.create(Secret, Secret("of-nobody", { namespace, labels: { "helm.toolkit.fluxcd.io/name": "missing" } }));
  await pause();
  assert.equal(await labelOf(Secret, "of-nobody"), undefined);
});

test("who changes a label back each time is left to it after two writes, and named", async () => {
  const app = await admin.get(Twig, "one", namespace);
  assert.ok(app);
  await admin.create(Secret, ownedBy(Secret("fought"), app));
  const operator = engine.client("stubborn-operator");
  let reverts = 0;
  for (let quiet = 0; quiet < 10; quiet += 1) {
    if ((await labelOf(Secret, "fought")) === "one") {
      await operator.mergePatch(Secret, "fought", namespace, { metadata: { labels: { [APPLICATION]: "mine" } } });
      reverts += 1;
      quiet = 0;
    }
    await systemWorld.sleep(50);
  }
  assert.equal(reverts, 2);
  const event = await eventually("the warning", async () =>
    (await admin.list(Event, { namespace })).items.find(({ reason }) => reason === "FightingOver"),
  );
  assert.match(event.message ?? "", /stubborn-operator changes the label apps\.cozystack\.io\/application\.name/);
  assert.ok(told.some((line) => line.includes("FightingOver")));
  assert.equal(await labelOf(Secret, "fought"), "mine");
});

test("what the reconcile path creates once and never applies is put right after a grace; nothing else is made", async () => {
  const app = await admin.get(Twig, "one", namespace);
  assert.ok(app);
  await admin.create(Secret, rendered(Secret("twig-one-auth"), app));
  await labelled(Secret, "twig-one-auth", "one");
  assert.equal(
    (await admin.getMetadata(Secret, "twig-one-auth", namespace))?.metadata.annotations?.[LINEAGE_ANNOTATION],
    undefined,
  );
  const made = await admin.list(ConfigMap, { namespace });
  assert.deepEqual(
    made.items.map(({ metadata }) => metadata.name),
    ["kube-root-ca.crt"],
  );
});

test("no pod and no Secret waits for an admission webhook of ours", async () => {
  for (const kind of ["mutatingwebhookconfigurations", "validatingwebhookconfigurations"]) {
    const answer = JSON.stringify(await admin.raw("GET", `/apis/admissionregistration.k8s.io/v1/${kind}`));
    assert.doesNotMatch(answer, /"resources":\[[^\]]*"(pods|secrets|services|persistentvolumeclaims|\*)"/);
  }
});
