/** R14: the API server refuses one object of many: the others are applied, the condition says which and why, a fix recovers at once. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { ConfigMap } from "../../src/contracts/core.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from "../../src/kube/kinds/extension.ts";
import type { ObjectRef } from "../../src/kube/object.ts";
import { nameOf } from "../../src/reconcile/problem.ts";
import { conditionOf, isReady, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { managedBy, type Owned } from "./inventory.ts";
import { type Order, orders } from "./orders.ts";

const cloud = await startCloud();
const { admin, root } = cloud;
const why = "spec.colour: this cluster allows no such object";

/** As somebody's policy that is in the way of one object of each application. */
async function refuse(objects: readonly ObjectRef[]): Promise<void> {
  const names = [...objects.map(nameOf), `ConfigMap ${root}/canary`].map((name) => `'${name}'`).join(", ");
  const every = { apiGroups: ["*"], apiVersions: ["*"], resources: ["*"], scope: "Namespaced" } as const;
  const policy = ValidatingAdmissionPolicy(root, {
    spec: {
      failurePolicy: "Fail",
      matchConstraints: { resourceRules: [{ ...every, operations: ["CREATE", "UPDATE"] }] },
      matchConditions: [{ name: "ours", expression: `request.namespace.startsWith('${root}')` }],
      validations: [
        {
          expression: `!(request.kind.kind + ' ' + request.namespace + '/' + request.name in [${names}])`,
          message: why,
          reason: "Invalid",
        },
      ],
    },
  });
  await admin.create(ValidatingAdmissionPolicy, policy);
  await admin.create(
    ValidatingAdmissionPolicyBinding,
    ValidatingAdmissionPolicyBinding(root, { spec: { policyName: root, validationActions: ["Deny"] } }),
  );
  await eventually("the policy is in force", isInForce);
}

async function isInForce(): Promise<boolean> {
  try {
    await admin.create(ConfigMap, ConfigMap("canary", { namespace: root }), { dryRun: true });
    return false;
  } catch (error) {
    if (isApiError(error, "Invalid")) return true;
    throw error;
  }
}

async function allow(): Promise<void> {
  await admin.delete(ValidatingAdmissionPolicyBinding, root);
  await admin.delete(ValidatingAdmissionPolicy, root);
}

interface Case extends Order {
  readonly namespace: string;
  /** Objects of an application that nothing is in the way of. */
  readonly plain: readonly Owned[];
  readonly refused: ObjectRef;
}

/** The same object of the application `other`. */
function ofOther({ entry }: Owned): ObjectRef {
  const { uid: _, namespace, ...ref } = entry.ref;
  const renamed = { ...ref, name: ref.name.replaceAll("plain", "other") };
  return namespace === undefined ? renamed : { ...renamed, namespace: namespace.replaceAll("plain", "other") };
}

const withoutHash = (name: string) => name.replace(/-[0-9a-f]{6}$/, "");

/** Whether the application `other` has it. A name that ends with a hash of the content is found by the rest of it. */
async function hasOther(one: Owned): Promise<boolean> {
  const { name, namespace } = ofOther(one);
  if ((await admin.getMetadata(one.kind, name, namespace)) !== undefined) return true;
  if (withoutHash(name) === name) return false;
  const { items } = await admin.listMetadata(one.kind, namespace === undefined ? {} : { namespace });
  return items.some(({ metadata }) => withoutHash(metadata.name) === withoutHash(name));
}

const cases: Case[] = [];
before(async () => {
  const made = orders.map(async (order): Promise<Case> => {
    const namespace = await cloud.tenant(`r${order.app.kind.toLowerCase()}`);
    await cloud.order(order.app, "plain", namespace, order.spec);
    await cloud.ready(order.app, "plain", namespace);
    const plain = await managedBy(cloud, order.app, "plain", namespace);
    const first = (...kinds: readonly string[]) => plain.find(({ object }) => kinds.includes(object.kind));
    const target = first("Role", "RoleBinding") ?? first("Service");
    assert.ok(target, order.app.kind);
    return { ...order, namespace, plain, refused: ofOther(target) };
  });
  cases.push(...(await Promise.all(made)));
  await refuse(cases.map(({ refused }) => refused));
  for (const { app, namespace, spec } of cases) await cloud.order(app, "other", namespace, spec);
});

const attempts = ({ refused }: Case) =>
  cloud.writes.filter(
    ({ kind, name, namespace }) => kind === refused.kind && name === refused.name && namespace === refused.namespace,
  ).length;

describe("R14: one object is refused", () => {
  test("the condition names object, field and reason, and all others are applied", async () => {
    for (const one of cases) {
      const { app, namespace, refused } = one;
      const said = await eventually(`${app.kind} says what is refused`, async () => {
        const ready = conditionOf(await cloud.get(app, "other", namespace), "Ready");
        return ready?.reason === "Invalid" ? ready : undefined;
      });
      assert.equal(said.status, "False");
      assert.ok(said.message.includes(nameOf(refused)), `${app.kind} names the object: ${said.message}`);
      assert.ok(said.message.includes(why), `${app.kind} says field and reason: ${said.message}`);
      for (const other of one.plain) {
        const isRefused = nameOf(ofOther(other)) === nameOf(refused);
        const what = `${app.kind}: ${nameOf(ofOther(other))}`;
        if (isRefused) assert.equal(await hasOther(other), false, what);
        // What is made of what others make, comes after that.
        else await eventually(`${what} is there`, () => hasOther(other));
      }
    }
  });

  test("the back-off is bounded: it is tried again, less and less often", async () => {
    // What the others have to say while they come about wakes an application as well: only afterwards is it back-off alone.
    const before = cases.map(attempts);
    await sleep(9_000);
    for (const [at, one] of cases.entries()) {
      const tried = attempts(one);
      assert.ok(tried >= 2, `${one.app.kind} is tried again`);
      const lately = tried - (before[at] ?? 0);
      assert.ok(lately <= 4, `${one.app.kind} was tried ${lately} times within 9 s, ${tried} times in all`);
    }
  });

  test("a fix recovers at once, whatever the back-off has come to", async () => {
    await allow();
    await eventually("the policy is gone", async () => !(await isInForce()));
    for (const { app, namespace, changed } of cases) {
      if (isReady(await cloud.get(app, "other", namespace))) continue; // its next attempt was due already
      await cloud.change(app, "other", namespace, changed);
      await eventually(
        `${nameOf({ group: "", kind: app.kind, namespace, name: "other" })} is applied`,
        async () => conditionOf(await cloud.get(app, "other", namespace), "Released")?.status === "True",
        5,
      );
    }
    for (const { app, namespace } of cases) await cloud.ready(app, "other", namespace);
  });
});
