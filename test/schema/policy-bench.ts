/**
 * Admission policies in the real API server, bound to one namespace of their own so that other tests of the engine do not meet
 * them, and the people who try them.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../src/kube/client.ts";
import {
  ClusterRoleBinding,
  Namespace,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "../../src/kube/core-kinds.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { App } from "../../src/sdk/app.ts";
import { adoptionGroup, boundPolicies } from "../../src/sdk/policies/index.ts";
import type { BoundPolicy } from "../../src/sdk/policies/policy.ts";
import { testEngine } from "../support/engine.ts";
import { allApps } from "./apps.ts";
import { kindOf, serve } from "./install.ts";

export interface Row {
  readonly why: string;
  readonly policy: string;
  readonly as?: Client;
  readonly act: (client: Client) => Promise<unknown>;
  /** What the refusal must say; absent: the request passes. */
  readonly refused?: RegExp;
}

export const dryRun = { dryRun: true } as const;

// Before the engine registers its own hook, which closes the clients.
const cleanups: (() => Promise<unknown>)[] = [];
after(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
});

const engine = await testEngine();
export const admin = engine.client();
export const namespace = await engine.namespace("policies");
/** Selects what the policies of this file apply to. */
export const mark = { [`policies.test/${namespace}`]: "true" };

const apps = (await allApps()).map(({ app }) => app);

export function app(kind: string): App {
  const found = apps.find((each) => each.kind === kind);
  assert.ok(found, `there is no application ${kind}`);
  return found;
}
export const Tenant = kindOf(app("Tenant"));
export const Redis = kindOf(app("Redis"));
export const Etcd = kindOf(app("Etcd"));
export const Bucket = kindOf(app("Bucket"));

const everyone = `people-${namespace}`;
const caller = (user: string, ...groups: readonly string[]) => admin.as({ user, groups: [everyone, ...groups] });

/** A person with every right that roles can give, who is not of the platform. */
export const person = caller("alice");
export const adopter = caller("adopter", adoptionGroup);
export const controller = caller("system:serviceaccount:cozy-system:cozystack", "system:serviceaccounts:cozy-system");
export const issuer = caller("issuer", "system:serviceaccounts:cozy-cert-manager");

/** A further namespace that the policies apply to. */
export async function markedNamespace(prefix: string): Promise<string> {
  const name = await engine.namespace(prefix);
  await admin.mergePatch(Namespace, name, undefined, { metadata: { labels: mark } });
  return name;
}

const bound = (name: string) => `${name}.${namespace}`;

async function install({ policy, binding }: BoundPolicy): Promise<void> {
  const name = bound(policy.metadata.name);
  // Deletion is guarded for cluster-scoped objects too, which no namespace selects.
  const where = policy.spec.matchConstraints?.objectSelector === undefined ? "namespaceSelector" : "objectSelector";
  const spec = { ...binding.spec, policyName: name, matchResources: { [where]: { matchLabels: mark } } };
  await admin.apply(ValidatingAdmissionPolicy, ValidatingAdmissionPolicy(name, { spec: policy.spec }));
  cleanups.push(() => admin.delete(ValidatingAdmissionPolicy, name));
  await admin.apply(ValidatingAdmissionPolicyBinding, ValidatingAdmissionPolicyBinding(name, { spec }));
  cleanups.push(() => admin.delete(ValidatingAdmissionPolicyBinding, name));
}

/** The refusal of `policy`, undefined when the request passes; any other failure is the test's. */
async function refusal({ act, as = person, policy }: Row): Promise<string | undefined> {
  try {
    await act(as);
    return undefined;
  } catch (error) {
    // Another test may have installed the product in the same engine: then its policy of that name may answer first.
    const names = [bound(policy), policy].map((name) => `ValidatingAdmissionPolicy '${name}'`);
    if (isApiError(error) && names.some((name) => error.message.includes(name))) return error.message;
    throw error;
  }
}

async function allowEverything(): Promise<void> {
  const binding = ClusterRoleBinding(everyone, {
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: everyone }],
  });
  await admin.apply(ClusterRoleBinding, binding);
  cleanups.push(() => admin.delete(ClusterRoleBinding, everyone));
}

/**
 * Tests of these policies: each row, and that every policy has a row it refuses and no fault of types. `prepare` makes the
 * objects that rows act on, after the kinds are served; what it returns undoes it.
 */
export function tryPolicies(
  policies: readonly string[],
  rows: readonly Row[],
  prepare: () => Promise<() => Promise<unknown>>,
): void {
  const chosen = boundPolicies(apps).filter(({ policy }) => policies.includes(policy.metadata.name));
  before(async () => {
    assert.equal(chosen.length, policies.length, "a policy of this list does not exist");
    await serve(admin, [app("Tenant"), app("Redis"), app("Etcd"), app("Bucket")]);
    await allowEverything();
    await admin.mergePatch(Namespace, namespace, undefined, { metadata: { labels: mark } });
    for (const each of chosen) await install(each);
    cleanups.push(await prepare());
    // New policies take a moment to reach the request path: wait until each refuses what it must.
    for (const name of policies) {
      const row = rows.find((each) => each.policy === name && each.refused !== undefined);
      assert.ok(row, `no row shows what ${name} refuses`);
      while ((await refusal(row)) === undefined) await sleep(50);
    }
  });
  for (const row of rows) {
    test(`${row.policy}: ${row.why} ${row.refused === undefined ? "passes" : "is refused"}`, async () => {
      const said = await refusal(row);
      if (row.refused === undefined) assert.equal(said, undefined);
      else assert.match(said ?? "admitted", row.refused);
    });
  }
  test("the types of every policy are right", async () => {
    for (const name of policies) {
      const live: unknown = await admin.get(ValidatingAdmissionPolicy, bound(name));
      assert.deepEqual(valueAt(live, "status", "typeChecking", "expressionWarnings") ?? [], [], name);
    }
  });
}
