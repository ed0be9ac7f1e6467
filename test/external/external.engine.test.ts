/**
 * Kinds that definitions bring, with all controllers and the twin: from the order to what a tenant sees, through changes,
 * restarts and the end.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { ApplicationDefinition, type Definition } from "../../src/contracts/application-definition.ts";
import { Secret, Service } from "../../src/contracts/core.ts";
import { HelmRelease } from "../../src/contracts/helm-toolkit-fluxcd-io.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { valueAt } from "../../src/kube/json.ts";
import { CustomResourceDefinition } from "../../src/kube/kinds/extension.ts";
import { kindOf } from "../schema/install.ts";
import { appOf, conditionOf, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { appOfDefinition, definition, type Given, guestbookSchema, unused } from "./definition.ts";

const cloud = await startCloud();
const { admin } = cloud;
const tenant = await cloud.tenant("ext");

async function standing(name: string, reason: string, status?: string): Promise<Definition> {
  let last: Definition | undefined;
  try {
    return await eventually(`definition ${name} says ${reason}`, async () => {
      last = await admin.get(ApplicationDefinition, name);
      const ready = last?.status?.conditions?.find(({ type }) => type === "Ready");
      const current = ready?.observedGeneration === last?.metadata.generation;
      return current && ready?.reason === reason && (status === undefined || ready.status === status)
        ? last
        : undefined;
    });
  } catch (error) {
    throw new Error(`${String(error)}; it says ${JSON.stringify(last?.status)}; ${cloud.log.slice(-5).join("; ")}`);
  }
}
const messageOf = (made: Definition, type = "Ready") =>
  made.status?.conditions?.find((each) => each.type === type)?.message ?? "";

async function define(given: Given = {}) {
  const made = definition({ kind: unused(), ...given });
  await admin.create(ApplicationDefinition, made);
  await standing(made.metadata.name, "Served", "True");
  return { made, name: made.metadata.name, app: appOfDefinition(made) };
}
const visible = async (kind: typeof Secret | typeof Service, name: string) =>
  (await admin.getMetadata(kind, name, tenant))?.metadata.labels?.["internal.cozystack.io/tenantresource"];
const sees = (kind: typeof Secret | typeof Service, name: string, wanted: string) =>
  eventually(`${kind.kind} ${name} is shown: ${wanted}`, async () => (await visible(kind, name)) === wanted);

const main = await define();
const release = `${main.name}-web`;

test("a definition becomes a kind that a tenant orders, without a restart", async () => {
  const { app } = main;
  await cloud.order(app, "web", tenant, { title: "Ours", extra: { nested: [1, null, "x"] } });
  await cloud.ready(app, "web", tenant);
  const object = await eventually("its workloads are counted", async () => {
    const live = await cloud.get(app, "web", tenant);
    return conditionOf(live, "WorkloadsReady")?.status === "True" ? live : undefined;
  });
  const { spec } = (await admin.get(HelmRelease, release, tenant)) ?? {};
  assert.deepEqual(spec?.values, {
    replicas: 1,
    title: "Ours",
    extra: { nested: [1, null, "x"] },
  });
  assert.deepEqual(spec?.chartRef, { kind: "OCIRepository", name: "guestbook", namespace: "cozy-public" });
  assert.equal(conditionOf(object, "UnknownFields"), undefined, "the chart may read any value");
});

test("the release is upstream's", async () => {
  const live = await admin.get(HelmRelease, release, tenant);
  const { values: _, ...spec } = live?.spec ?? {};
  const strategy = { name: "RetryOnFailure", retryInterval: "30s" };
  assert.deepEqual(spec, {
    chartRef: { kind: "OCIRepository", name: "guestbook", namespace: "cozy-public" },
    interval: "5m",
    maxHistory: 5,
    install: { timeout: "10m", strategy },
    upgrade: { timeout: "10m", strategy },
    valuesFrom: [{ kind: "Secret", name: "cozystack-values" }],
  });
  assert.equal(live?.metadata.labels?.["sharding.fluxcd.io/key"], "tenants");
  assert.equal(live?.metadata.labels?.["apps.cozystack.io/application.name"], "web");
});

test("what a chart makes belongs to the application, and its tenant sees what the definition shows", async () => {
  await sees(Secret, `${release}-credentials`, "true");
  await sees(Secret, `${release}-internal`, "false");
  await sees(Service, release, "true");
  const secret = await admin.getMetadata(Secret, `${release}-internal`, tenant);
  assert.equal(secret?.metadata.labels?.["apps.cozystack.io/application.name"], "web");
});

test("another exposure relabels, both ways; an exclusion wins; an entry that cannot be read shows nothing", async () => {
  const shows = (secrets: object) =>
    admin.mergePatch(ApplicationDefinition, main.name, undefined, { spec: { secrets } });
  await shows({ include: [{ resourceNames: [`${main.name}-{{ .name }}-internal`] }] });
  await sees(Secret, `${release}-credentials`, "false");
  await sees(Secret, `${release}-internal`, "true");
  await shows({ include: [{}], exclude: [{ resourceNames: ["{{ .kind }}-{{ .name }}-internal"] }] });
  await sees(Secret, `${release}-credentials`, "true");
  await sees(Secret, `${release}-internal`, "false");
  await shows({ include: [{}, { resourceNames: ["{{ printf .name }}"] }] });
  await sees(Secret, `${release}-credentials`, "false");
  assert.match(messageOf(await standing(main.name, "SelectorInvalid", "False")), /printf/);
  await shows({ include: [{ resourceNames: [`${main.name}-{{ .name }}-credentials`] }], exclude: null });
  await sees(Secret, `${release}-credentials`, "true");
  await standing(main.name, "Served", "True");
});

test("a change of the definition renders its applications anew", async () => {
  await admin.mergePatch(ApplicationDefinition, main.name, undefined, {
    metadata: { annotations: { "release.cozystack.io/helm-install-timeout": "15m" } },
  });
  await eventually("the timeout is the release's", async () => {
    const live = await admin.get(HelmRelease, release, tenant);
    return live?.spec.install?.timeout === "15m" && live.spec.upgrade?.timeout === "15m";
  });
  const suspended = { spec: { suspend: true } };
  await admin.mergePatch(HelmRelease, release, tenant, suspended, { fieldManager: "flux" });
  await admin.mergePatch(ApplicationDefinition, main.name, undefined, {
    metadata: { annotations: { "release.cozystack.io/helm-install-timeout": null } },
  });
  const live = await eventually("the standard timeout is back", async () => {
    const found = await admin.get(HelmRelease, release, tenant);
    return found?.spec.install?.timeout === "10m" ? found : undefined;
  });
  assert.equal(live.spec.suspend, true, "what a person suspended stays suspended");
  await admin.mergePatch(HelmRelease, release, tenant, { spec: { suspend: null } });
});

test("a schema that an application does not fit is not put in force; one that fits is", async () => {
  const set = (schema: object) =>
    admin.mergePatch(ApplicationDefinition, main.name, undefined, {
      spec: { application: { openAPISchema: JSON.stringify(schema) } },
    });
  const { properties } = guestbookSchema;
  await set({ ...guestbookSchema, required: ["owner"], properties: { ...properties, owner: { type: "string" } } });
  const said = await standing(main.name, "InstancesDoNotFit", "False");
  assert.match(messageOf(said), new RegExp(`${tenant}/web`));
  assert.equal(said.status?.conditions?.find(({ type }) => type === "Served")?.status, "True");
  await cloud.change(main.app, "web", tenant, { title: "Still changeable" });
  await cloud.ready(main.app, "web", tenant);
  await set({ ...guestbookSchema, properties: { ...properties, owner: { type: "string", default: "nobody" } } });
  await standing(main.name, "Served", "True");
  await eventually("the new default is stored", async () => {
    const live = await cloud.change(main.app, "web", tenant, { title: `At ${Date.now()}` });
    return valueAt(live, "spec", "owner") === "nobody";
  });
});

test("a wrong value is refused with its field when it is ordered", async () => {
  await assert.rejects(cloud.order(main.app, "wrong", tenant, { replicas: "many" }), /spec.replicas/);
  await assert.rejects(cloud.order(main.app, "wrong", tenant, { _cluster: {} }), /_cluster/);
  await assert.rejects(cloud.order(main.app, `a${"b".repeat(50)}`, tenant), /at most 53/);
});

for (const { why, schema, reason } of [
  { why: "that is no JSON", schema: "{", reason: "SchemaInvalid" },
  { why: "of a list", schema: { type: "array" }, reason: "SchemaInvalid" },
  {
    why: "with a rule that does not compile",
    schema: { type: "object", properties: { a: { type: "string", "x-kubernetes-validations": [{ rule: "self +" }] } } },
    reason: "SchemaRefused",
  },
  {
    why: "with a rule that costs too much",
    schema: {
      type: "object",
      properties: {
        a: {
          type: "object",
          additionalProperties: { type: "string" },
          "x-kubernetes-validations": [{ rule: "self.all(k, self.all(l, self[k].matches(self[l])))" }],
        },
      },
    },
    reason: "SchemaRefused",
  },
] as const) {
  test(`a schema ${why} says so in the definition's status, and serves nothing`, async () => {
    const made = definition({ kind: unused(), schema });
    await admin.create(ApplicationDefinition, made);
    const said = await standing(made.metadata.name, reason, "False");
    assert.match(messageOf(said), /openAPISchema/);
    const { plural } = made.spec.application;
    assert.equal(await admin.get(CustomResourceDefinition, `${plural}.apps.cozystack.io`), undefined);
    await admin.delete(ApplicationDefinition, made.metadata.name);
    await eventually(
      "it is gone",
      async () => (await admin.get(ApplicationDefinition, made.metadata.name)) === undefined,
    );
  });
}

for (const { why, given, reason, says } of [
  {
    why: "the kind of a built-in",
    given: { kind: "Postgres" },
    reason: "KindTaken",
    says: /the platform's own Postgres/,
  },
  {
    why: "the prefix of a built-in",
    given: { prefix: "postgres-" },
    reason: "PrefixTaken",
    says: /"postgres-".*own Postgres/,
  },
  {
    why: "the kind of another",
    given: { kind: main.app.kind },
    reason: "KindTaken",
    says: new RegExp(`definition ${main.name}`),
  },
  {
    why: "the prefix of another",
    given: { prefix: main.app.release },
    reason: "PrefixTaken",
    says: new RegExp(`definition ${main.name}`),
  },
  { why: "a kind in lower case", given: { kind: "lower" }, reason: "NameInvalid", says: /upper case/ },
] as const) {
  test(`a definition with ${why} is refused by name`, async () => {
    const made = definition({ kind: unused(), ...given });
    const name = `second-${made.metadata.name}`;
    await admin.create(ApplicationDefinition, { ...made, metadata: { ...made.metadata, name } });
    assert.match(messageOf(await standing(name, reason, "False")), says);
    await admin.delete(ApplicationDefinition, name);
  });
}

test("kind, plural and prefix cannot be changed", async () => {
  for (const spec of [
    { application: { kind: "Other" } },
    { application: { plural: "others" } },
    { release: { prefix: "x-" } },
  ]) {
    await assert.rejects(admin.mergePatch(ApplicationDefinition, main.name, undefined, { spec }), /cannot be changed/);
  }
});

test("no level of a tenant may make, change, read or delete a definition; an admin may order its kind", async () => {
  for (const level of ["view", "use", "admin", "super-admin"] as const) {
    const person = cloud.person(tenant, level);
    const refused = (error: unknown) => isApiError(error, "Forbidden");
    await assert.rejects(person.create(ApplicationDefinition, definition({ kind: unused() })), refused);
    await assert.rejects(person.mergePatch(ApplicationDefinition, main.name, undefined, { spec: {} }), refused);
    await assert.rejects(person.delete(ApplicationDefinition, main.name), refused);
    await assert.rejects(person.get(ApplicationDefinition, main.name), refused);
    await person.get(kindOf(main.app), "web", tenant);
    const order = person.create(kindOf(main.app), kindOf(main.app)("mine", { namespace: tenant, spec: {} }), {
      dryRun: true,
    });
    if (level === "admin" || level === "super-admin") await order;
    else await assert.rejects(order, refused);
  }
});

test("a failure of Helm is the application's, in its own words, and passes", async () => {
  await cloud.behave("HelmRelease", tenant, `${main.name}-bad`, "refuses");
  await cloud.order(main.app, "bad", tenant);
  await eventually("it says what failed", async () => {
    const ready = conditionOf(await cloud.get(main.app, "bad", tenant), "Ready");
    return ready?.status === "False" && /refused on request/.test(ready.message);
  });
  await cloud.remove(main.app, "bad", tenant);
  assert.equal(await admin.get(HelmRelease, `${main.name}-bad`, tenant), undefined);
});

test("controllers that start anew find all as it is, and what was changed while none ran", async () => {
  const before = await admin.get(HelmRelease, release, tenant);
  await cloud.stopControllers();
  await admin.mergePatch(ApplicationDefinition, main.name, undefined, {
    spec: { release: { waitStrategy: "legacy" } },
  });
  const later = definition({ kind: unused() });
  await admin.create(ApplicationDefinition, later);
  cloud.startControllers();
  await standing(later.metadata.name, "Served", "True");
  const live = await eventually("the release waits as it should", async () => {
    const found = await admin.get(HelmRelease, release, tenant);
    return found?.spec.waitStrategy?.name === "legacy" ? found : undefined;
  });
  assert.equal(live.metadata.uid, before?.metadata.uid);
  await admin.delete(ApplicationDefinition, later.metadata.name);
  await eventually(
    "the unused kind is gone",
    async () =>
      (await admin.get(CustomResourceDefinition, `${later.spec.application.plural}.apps.cozystack.io`)) === undefined,
  );
});

test("a definition that is deleted stays until its last application is gone, through a restart, and no new one comes", async () => {
  const uid = (await admin.get(HelmRelease, release, tenant))?.metadata.uid;
  await admin.delete(ApplicationDefinition, main.name);
  const said = await standing(main.name, "InUse", "False");
  assert.match(messageOf(said), new RegExp(`applications exist .*[(]1[)]: ${tenant}/web`));
  assert.equal(said.status?.instances, 1);
  await assert.rejects(cloud.order(main.app, "late", tenant), /definition is being deleted/);
  await cloud.change(main.app, "web", tenant, { title: "Goes on" });
  await cloud.ready(main.app, "web", tenant);
  await cloud.stopControllers();
  cloud.startControllers();
  await cloud.change(main.app, "web", tenant, { title: "Goes on after a restart" });
  await cloud.ready(main.app, "web", tenant);
  assert.equal((await admin.get(HelmRelease, release, tenant))?.metadata.uid, uid);
  await admin.delete(kindOf(main.app), "web", tenant);
  await eventually(
    "the definition is gone",
    async () => (await admin.get(ApplicationDefinition, main.name)) === undefined,
  );
  assert.equal(await admin.get(CustomResourceDefinition, `${main.app.plural}.apps.cozystack.io`), undefined);
  assert.equal(await admin.get(HelmRelease, release, tenant), undefined);
});

test("a tenant that is deleted takes the applications of such kinds along", async () => {
  const { app, name } = await define();
  const doomed = await cloud.tenant("doomed");
  await cloud.order(app, "web", doomed);
  await cloud.ready(app, "web", doomed);
  await cloud.remove(appOf("Tenant"), "doomed", cloud.root);
  await admin.delete(ApplicationDefinition, name);
  await eventually("the definition is gone", async () => (await admin.get(ApplicationDefinition, name)) === undefined);
});
