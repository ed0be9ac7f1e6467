import assert from "node:assert/strict";
import { test } from "node:test";
import { appOf, startCloud } from "../../test/support/cloud.ts";
import { eventually } from "../../test/support/eventually.ts";
import { CiliumNetworkPolicy } from "../contracts/cilium-io.ts";
import { Pod } from "../contracts/core.ts";
import { SecurityGroup } from "../contracts/sdn-cozystack-io.ts";
import { isApiError } from "../kube/errors.ts";
import { valueAt } from "../kube/json.ts";
import { FINALIZER, type Group } from "./names.ts";

const cloud = await startCloud();
const namespace = await cloud.tenant("sg");
const person = cloud.person(namespace, "admin");
const { admin } = cloud;
const label = (group: string) => `securitygroup.sdn.cozystack.io/${group}`;
const redis = (name: string) => ({ kind: "Redis", name });

const make = (name: string, spec: NonNullable<Group["spec"]> = {}) =>
  person.create(SecurityGroup, SecurityGroup(name, { namespace, spec }));
const live = (name: string) => admin.get(SecurityGroup, name, namespace);
const policyOf = (name: string) => admin.get(CiliumNetworkPolicy, name, namespace);
async function members(group: string): Promise<readonly string[]> {
  const { items } = await admin.listMetadata(Pod, { namespace, labelSelector: label(group) });
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata }) => metadata.name)
    .sort();
}
const counted = (group: string, count: number) =>
  eventually(`${group} has ${count} members`, async () => (await members(group)).length === count);
const conditionOf = (group: Group | undefined, type: string) =>
  group?.status?.conditions?.find((one) => one.type === type);
const says = (name: string, type: string, reason: string) =>
  eventually(`${name} says ${reason}`, async () => {
    const condition = conditionOf(await live(name), type);
    return condition?.reason === reason ? condition : undefined;
  });

await cloud.order(appOf("Redis"), "cache", namespace);
await cloud.order(appOf("Redis"), "store", namespace);
await Promise.all(["cache", "store"].map((name) => cloud.ready(appOf("Redis"), name, namespace)));
const podsOfOne = (await admin.listMetadata(Pod, { namespace })).items.filter(({ metadata }) =>
  metadata.name.includes("cache"),
).length;

test("a tenant's admin makes a group and nothing of Cilium's (feature 84)", async () => {
  await make("mine");
  for (const verb of ["get", "list"]) {
    await assert.rejects(
      verb === "get"
        ? person.get(CiliumNetworkPolicy, "mine", namespace)
        : person.list(CiliumNetworkPolicy, { namespace }),
      (error) => isApiError(error, "Forbidden"),
    );
  }
  await assert.rejects(
    cloud.person(namespace, "use").create(SecurityGroup, SecurityGroup("not", { namespace })),
    (error) => isApiError(error, "Forbidden"),
  );
});

test("one policy of the group's name, and its pods are members (features 5 and 85)", async () => {
  await make("one", { attachments: [redis("cache")], ingress: [{ fromSG: ["two"] }] });
  await counted("one", podsOfOne);
  const policy = await eventually("the policy", () => policyOf("one"));
  assert.deepEqual(policy.spec?.endpointSelector, { matchLabels: { [label("one")]: "" } });
  assert.deepEqual(policy.spec?.ingress, [{ fromEndpoints: [{ matchLabels: { [label("two")]: "" } }] }]);
  const marked = await admin.list(CiliumNetworkPolicy, {
    namespace,
    labelSelector: "sdn.cozystack.io/securitygroup=true",
  });
  assert.deepEqual(marked.items.filter(({ metadata }) => metadata.name === "one").length, 1);
  assert.ok((await members("one")).every((name) => name.includes("cache")));
});

test("the status tells members, what each rule comes to, and references that lead nowhere", async () => {
  const condition = await says("one", "RulesEffective", "AllowedAlready");
  assert.match(condition.message, /spec\.ingress\[0\]: the tenant's own allow-internal-communication allows all of it/);
  assert.match(
    (await says("one", "ReferencesResolved", "NotFound")).message,
    /spec\.ingress\[0\]\.fromSG\[0\]: there is no SecurityGroup two/,
  );
  await eventually("members are counted", async () => (await live("one"))?.status?.members === podsOfOne);
  const group = await live("one");
  assert.deepEqual(group?.status?.pods, await members("one"));
  assert.equal(conditionOf(group, "Ready")?.reason, "PolicyApplied");
  await make("two", { attachments: [redis("store"), redis("nobody")] });
  await says("one", "ReferencesResolved", "AllFound");
  assert.match(
    (await says("two", "ReferencesResolved", "NotFound")).message,
    /spec\.attachments\[1\]: there is no Redis nobody/,
  );
  await says("two", "RulesEffective", "NoRules");
});

test("a pod is a member of several groups, a group covers several applications, and detaching takes the label away (features 85 and 87)", async () => {
  await admin.mergePatch(SecurityGroup, "two", namespace, { spec: { attachments: [redis("store"), redis("cache")] } });
  await counted("two", 2 * podsOfOne);
  await counted("one", podsOfOne);
  await admin.mergePatch(SecurityGroup, "two", namespace, { spec: { attachments: [redis("cache")] } });
  await counted("two", podsOfOne);
});

test("pods that come later join, and peers need no edit (feature 88)", async () => {
  const before = await policyOf("one");
  const [gone = ""] = await members("two");
  await admin.delete(Pod, gone, namespace, { gracePeriodSeconds: 0 });
  await counted("two", podsOfOne);
  await cloud.change(appOf("Redis"), "cache", namespace, { replicas: 3 });
  await counted("two", podsOfOne + 1);
  assert.equal((await policyOf("one"))?.metadata.resourceVersion, before?.metadata.resourceVersion);
  await cloud.change(appOf("Redis"), "cache", namespace, { replicas: 2 });
  await counted("two", podsOfOne);
});

test("the finalizer is there again after a full PUT without it, and a group that goes keeps it (feature 90)", async () => {
  const group = await eventually("the group has it", async () => {
    const found = await live("two");
    return found?.metadata.finalizers?.includes(FINALIZER) === true ? found : undefined;
  });
  const { finalizers: _, managedFields: __, ...metadata } = group.metadata;
  await eventually("the PUT", async () => {
    const resourceVersion = (await live("two"))?.metadata.resourceVersion;
    const whole = {
      ...metadata,
      labels: { put: "yes" },
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    };
    return person.replace(SecurityGroup, { ...group, metadata: whole }).catch((error: unknown) => {
      if (isApiError(error, "Conflict")) return undefined;
      throw error;
    });
  });
  await eventually("it is back", async () => (await live("two"))?.metadata.finalizers?.includes(FINALIZER) === true);
  await eventually("the policy follows", async () => (await policyOf("two"))?.metadata.labels?.["put"] === "yes");
  await counted("two", podsOfOne);

  await cloud.stopControllers();
  await person.delete(SecurityGroup, "two", namespace);
  const going = await live("two");
  assert.ok(going?.metadata.deletionTimestamp);
  await assert.rejects(
    person.mergePatch(SecurityGroup, "two", namespace, { metadata: { finalizers: [] } }),
    (error) => isApiError(error, "Forbidden") && /metadata\.finalizers/.test(error.message),
  );
  assert.equal((await members("two")).length, podsOfOne, "while the controller is down nothing is lost");
});

test("labels go before the policy, the policy before the group (feature 89)", async () => {
  const seen: string[] = [];
  const watching = new AbortController();
  const watched = (async () => {
    for await (const event of admin.watch(CiliumNetworkPolicy, { namespace, signal: watching.signal })) {
      if (event.type !== "deleted" || event.object.metadata.name !== "two") continue;
      seen.push(
        `${(await members("two")).length} members`,
        (await live("two")) === undefined ? "no group" : "the group",
      );
    }
  })().catch(() => undefined);
  await eventually("the policy is watched", () => policyOf("two"));
  cloud.startControllers();
  await eventually("the group is gone", async () => (await live("two")) === undefined);
  assert.deepEqual(await members("two"), []);
  assert.equal(await policyOf("two"), undefined);
  watching.abort();
  await watched;
  assert.equal(seen[0], "0 members");
});

test("labels that a group did not give are taken off its pods; the policy is put right, once", async () => {
  const [pod = ""] = await members("one");
  await admin.mergePatch(Pod, pod, namespace, { metadata: { labels: { [label("ghost")]: "" } } });
  await eventually("the forged membership goes", async () => (await members("ghost")).length === 0);
  await admin.jsonPatch(CiliumNetworkPolicy, "one", namespace, [{ op: "replace", path: "/spec/ingress", value: [] }]);
  await eventually("the rule is back", async () => ((await policyOf("one"))?.spec?.ingress ?? []).length === 1);
});

test("a policy of another maker is never taken over", async () => {
  const before = await policyOf("allow-to-dns");
  await make("allow-to-dns");
  await says("allow-to-dns", "Ready", "PolicyNameTaken");
  assert.deepEqual((await policyOf("allow-to-dns"))?.spec, before?.spec);
  await person.delete(SecurityGroup, "allow-to-dns", namespace);
  await eventually("the group goes", async () => (await live("allow-to-dns")) === undefined);
  assert.deepEqual((await policyOf("allow-to-dns"))?.spec, before?.spec);
});

test("a refusal by Cilium is told", async () => {
  const status = { conditions: [{ type: "Valid", status: "False", message: "combining is not supported" }] };
  await admin.mergePatch(CiliumNetworkPolicy, "one", namespace, { status }, { subresource: "status" });
  assert.match((await says("one", "Ready", "PolicyRefused")).message, /combining is not supported/);
});

test("at rest nothing is written, after a restart neither", async () => {
  await cloud.rest();
  await cloud.stopControllers();
  const before = cloud.writes.length;
  cloud.startControllers();
  await cloud.rest(2_000);
  assert.deepEqual(
    cloud.writes
      .slice(before)
      .filter(({ kind = "" }) => /SecurityGroup|CiliumNetworkPolicy|Pod/.test(kind))
      .map(({ verb, kind, name }) => `${verb} ${kind} ${name}`),
    [],
  );
  assert.deepEqual(
    cloud.log.filter((line) => line.includes("FightingOver")),
    [],
  );
});

test("what upstream never released is no part of the schema (feature 152)", async () => {
  const answer = await admin.raw("GET", "/openapi/v3/apis/sdn.cozystack.io/v1alpha1");
  const schema = valueAt(
    answer,
    "components",
    "schemas",
    "io.cozystack.sdn.v1alpha1.SecurityGroup",
    "properties",
    "spec",
  );
  assert.deepEqual(Object.keys(Object(valueAt(schema, "properties"))).sort(), ["attachments", "egress", "ingress"]);
});
