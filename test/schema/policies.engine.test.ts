/**
 * Every admission policy in the real API server: what it lets pass and what it refuses, with the message. They are bound to
 * one namespace here, so that other tests of the engine do not meet them.
 */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import type { Client } from "../../src/kube/client.ts";
import {
  ClusterRoleBinding,
  ConfigMap,
  Namespace,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from "../../src/kube/core-kinds.ts";
import type { Body } from "../../src/kube/define-kind.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { App } from "../../src/sdk/app.ts";
import { nameProblem } from "../../src/sdk/names.ts";
import { adoptionGroup, boundPolicies } from "../../src/sdk/policies/index.ts";
import type { BoundPolicy } from "../../src/sdk/policies/policy.ts";
import { testEngine } from "../support/engine.ts";
import { allApps } from "./apps.ts";
import { type ApplicationObject, kindOf, serve } from "./install.ts";

// Before the engine registers its own, which closes the clients.
after(async () => {
  for (const { policy } of policies) {
    await admin.delete(ValidatingAdmissionPolicyBinding, bound(policy.metadata.name));
    await admin.delete(ValidatingAdmissionPolicy, bound(policy.metadata.name));
  }
  await admin.mergePatch(Redis, "held", namespace, { metadata: { finalizers: [] } });
  await admin.delete(ClusterRoleBinding, tester.metadata.name);
});

const engine = await testEngine();
const admin = engine.client();
const apps = (await allApps()).map(({ app }) => app);
const namespace = await engine.namespace("policies");
const long = await engine.namespace(`policies-${"n".repeat(30)}`);
const mark = { [`policies.test/${namespace}`]: "true" };

function app(kind: string): App {
  const found = apps.find((each) => each.kind === kind);
  assert.ok(found, `there is no application ${kind}`);
  return found;
}
const Tenant = kindOf(app("Tenant"));
const Redis = kindOf(app("Redis"));
const Etcd = kindOf(app("Etcd"));
const Bucket = kindOf(app("Bucket"));

/** A person with every right that roles can give, who is not of the platform. */
const person = admin.as({ user: "alice", groups: [`people-${namespace}`] });
const adopter = admin.as({ user: "adopter", groups: [`people-${namespace}`, adoptionGroup] });
const controller = admin.as({
  user: "system:serviceaccount:cozy-system:cozystack",
  groups: [`people-${namespace}`, "system:serviceaccounts:cozy-system"],
});
const issuer = admin.as({
  user: "issuer",
  groups: [`people-${namespace}`, "system:serviceaccounts:cozy-cert-manager"],
});

const tester = ClusterRoleBinding(`people-${namespace}`, {
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
  subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "Group", name: `people-${namespace}` }],
});
const policies = boundPolicies(apps);
const bound = (name: string) => `${name}.${namespace}`;

async function install({ policy, binding }: BoundPolicy): Promise<void> {
  const name = bound(policy.metadata.name);
  // Deletion is guarded for cluster-scoped objects too, which no namespace selects.
  const where = policy.spec.matchConstraints?.objectSelector === undefined ? "namespaceSelector" : "objectSelector";
  const matchResources = { [where]: { matchLabels: mark } };
  await admin.apply(ValidatingAdmissionPolicy, ValidatingAdmissionPolicy(name, { spec: policy.spec }));
  const spec = { ...binding.spec, policyName: name, matchResources };
  await admin.apply(ValidatingAdmissionPolicyBinding, ValidatingAdmissionPolicyBinding(name, { spec }));
}

const configMap = (name: string, labels: Readonly<Record<string, string>>) => ConfigMap(name, { namespace, labels });
const noDelete = { "platform.cozystack.io/no-delete": "true" };
const redis = (name: string, body: Body<ApplicationObject> = {}) => Redis(name, { namespace, ...body });

before(async () => {
  await serve(admin, [app("Tenant"), app("Redis"), app("Etcd"), app("Bucket")]);
  await admin.apply(ClusterRoleBinding, tester);
  for (const name of [namespace, long])
    await admin.mergePatch(Namespace, name, undefined, { metadata: { labels: mark } });
  for (const each of policies) await install(each);
  await admin.create(
    Redis,
    redis("held", { metadata: { finalizers: ["apps.cozystack.io/cleanup", "example.org/theirs"] } }),
  );
  await admin.create(Redis, redis("marked", { metadata: { labels: { "internal.cozystack.io/x": "1" } } }));
  await admin.create(Tenant, Tenant("hosted", { namespace, spec: { host: "a.example.org" } }));
  await admin.create(ConfigMap, configMap("kept", { ...mark, ...noDelete }));
  await inForce();
});

interface Row {
  readonly why: string;
  readonly policy: string;
  readonly as?: Client;
  readonly act: (client: Client) => Promise<unknown>;
  /** What the refusal must say; absent: the request passes. */
  readonly refused?: RegExp;
}

const dryRun = { dryRun: true } as const;
const create =
  (name: string, body: Body<ApplicationObject> = {}) =>
  (client: Client) =>
    client.create(Redis, redis(name, body), dryRun);
const createTenant =
  (name: string, spec: object = {}, where = namespace) =>
  (client: Client) =>
    client.create(Tenant, Tenant(name, { namespace: where, spec }), dryRun);
const patchRedis = (name: string, patch: object) => (client: Client) =>
  client.mergePatch(Redis, name, namespace, patch, dryRun);
const patchHost = (host: unknown) => (client: Client) =>
  client.mergePatch(Tenant, "hosted", namespace, { spec: { host } }, dryRun);
const createNamespace = (labels: object) => (client: Client) =>
  client.create(Namespace, Namespace(`${namespace}-x`, { labels: { ...mark, ...labels } }), dryRun);

const longest = app("Redis").longestName;

const rows: readonly Row[] = [
  { why: "an ordinary spec", policy: "cozystack-reserved-keys", act: create("a", { spec: { replicas: 2, typo: 1 } }) },
  {
    why: "a key with an underscore",
    policy: "cozystack-reserved-keys",
    act: create("a", { spec: { _cluster: {} } }),
    refused: /spec\._cluster: keys that begin with _ are reserved/,
  },
  {
    why: "the same in an update, by an administrator",
    policy: "cozystack-reserved-keys",
    as: admin,
    act: patchRedis("marked", { spec: { _x: 1 } }),
    refused: /spec\._x/,
  },

  {
    why: "the longest name from which its operator can make pods",
    policy: "cozystack-application-names",
    act: create("a".repeat(longest)),
  },
  {
    why: "one character more",
    policy: "cozystack-application-names",
    act: create("a".repeat(longest + 1)),
    refused: /has 43 characters, at most 42 are possible: with the prefix redis- it must fit in 48/,
  },
  {
    why: "taken over under an older rule",
    policy: "cozystack-application-names",
    as: adopter,
    act: create("a".repeat(60)),
  },
  {
    why: "where no operator is in the way, what a release name may have",
    policy: "cozystack-application-names",
    act: (client) => client.create(Bucket, Bucket("a".repeat(53 - "bucket-".length), { namespace }), dryRun),
  },
  {
    why: "one character more than that",
    policy: "cozystack-application-names",
    act: (client) => client.create(Bucket, Bucket("a".repeat(54 - "bucket-".length), { namespace }), dryRun),
    refused: /has 47 characters, at most 46 are possible: with the prefix bucket- it must fit in 53/,
  },
  {
    why: "a leading digit",
    policy: "cozystack-application-names",
    act: create("1a"),
    refused: /metadata\.name: 1a is no DNS-1035 label/,
  },
  { why: "a dot", policy: "cozystack-application-names", act: create("a.b"), refused: /no DNS-1035 label/ },
  { why: "a dash is legal but for tenants", policy: "cozystack-application-names", act: create("a-b") },
  {
    why: "a tenant with a dash",
    policy: "cozystack-application-names",
    act: createTenant("a-b"),
    refused: /a-b is no tenant name/,
  },
  {
    why: "a tenant whose namespace fits",
    policy: "cozystack-application-names",
    act: createTenant("a".repeat(62 - long.length), {}, long),
  },
  {
    why: "a tenant whose namespace has 64 characters",
    policy: "cozystack-application-names",
    act: createTenant("a".repeat(63 - long.length), {}, long),
    refused: /would have 64 characters, at most 63/,
  },
  {
    why: "a generated name is judged as it will be",
    policy: "cozystack-application-names",
    act: (client) =>
      client.raw("POST", `/apis/apps.cozystack.io/v1alpha1/namespaces/${namespace}/redises?dryRun=All`, {
        ...redis("x"),
        metadata: { generateName: `${"a".repeat(43)}-` },
      }),
    refused: /has 49 characters/,
  },

  {
    why: "a module under its name",
    policy: "cozystack-module-names",
    act: (client) => client.create(Etcd, Etcd("etcd", { namespace }), dryRun),
  },
  {
    why: "a second one",
    policy: "cozystack-module-names",
    act: (client) => client.create(Etcd, Etcd("other", { namespace }), dryRun),
    refused: /other: a tenant has one Etcd, and its name is etcd/,
  },

  { why: "no host", policy: "cozystack-tenant-host-policy", act: createTenant("t") },
  {
    why: "a host by a person",
    policy: "cozystack-tenant-host-policy",
    act: createTenant("t", { host: "b.example.org" }),
    refused: /spec\.host: only the platform's administrators/,
  },
  {
    why: "a host by an administrator",
    policy: "cozystack-tenant-host-policy",
    as: admin,
    act: createTenant("t", { host: "b.example.org" }),
  },
  {
    why: "a host by the certificate controllers",
    policy: "cozystack-tenant-host-policy",
    as: issuer,
    act: createTenant("t", { host: "b.example.org" }),
  },
  {
    why: "a host cleared by a person",
    policy: "cozystack-tenant-host-policy",
    act: patchHost(""),
    refused: /spec\.host/,
  },
  {
    why: "a host removed by a person",
    policy: "cozystack-tenant-host-policy",
    act: patchHost(null),
    refused: /spec\.host/,
  },
  {
    why: "the same host, and something else",
    policy: "cozystack-tenant-host-policy",
    act: (client) => client.mergePatch(Tenant, "hosted", namespace, { spec: { etcd: true } }, dryRun),
  },

  { why: "a namespace without the label", policy: "cozystack-namespace-host-label-policy", act: createNamespace({}) },
  {
    why: "the first write by a person",
    policy: "cozystack-namespace-host-label-policy",
    act: createNamespace({ "namespace.cozystack.io/host": "" }),
    refused: /namespace\.cozystack\.io\/host/,
  },
  {
    why: "the first write by the controllers",
    policy: "cozystack-namespace-host-label-policy",
    as: controller,
    act: createNamespace({ "namespace.cozystack.io/host": "a" }),
  },

  {
    why: "deletion of what the platform needs",
    policy: "cozystack-no-delete-guardrail",
    as: admin,
    act: (client) => client.delete(ConfigMap, "kept", namespace, dryRun),
    refused: /remove the label first/,
  },
  {
    why: "deletion of anything else",
    policy: "cozystack-no-delete-guardrail",
    act: (client) => client.delete(Redis, "marked", namespace, dryRun),
  },

  {
    why: "status by a person",
    policy: "cozystack-application-status",
    act: (client) =>
      client.mergePatch(Redis, "held", namespace, { status: { version: "9" } }, { ...dryRun, subresource: "status" }),
    refused: /status: only the platform's controllers/,
  },
  {
    why: "status by the controllers",
    policy: "cozystack-application-status",
    as: controller,
    act: (client) =>
      client.mergePatch(Redis, "held", namespace, { status: { version: "9" } }, { ...dryRun, subresource: "status" }),
  },

  {
    why: "our finalizer taken off by a person",
    policy: "cozystack-finalizers",
    act: patchRedis("held", { metadata: { finalizers: ["example.org/theirs"] } }),
    refused: /metadata\.finalizers: the platform takes its finalizer off/,
  },
  {
    why: "their finalizer taken off by a person",
    policy: "cozystack-finalizers",
    act: patchRedis("held", { metadata: { finalizers: ["apps.cozystack.io/cleanup"] } }),
  },
  {
    why: "our finalizer taken off by the controllers",
    policy: "cozystack-finalizers",
    as: controller,
    act: patchRedis("held", { metadata: { finalizers: [] } }),
  },

  {
    why: "a mark of ours set by a person",
    policy: "cozystack-reserved-marks",
    act: create("a", { annotations: { "internal.cozystack.io/owner": "me" } }),
    refused: /metadata\.annotations: those under internal/,
  },
  {
    why: "no-delete set by a person",
    policy: "cozystack-reserved-marks",
    act: create("a", { labels: noDelete }),
    refused: /metadata\.labels/,
  },
  {
    why: "a mark changed by a person",
    policy: "cozystack-reserved-marks",
    act: patchRedis("marked", { metadata: { labels: { "internal.cozystack.io/x": "2" } } }),
    refused: /metadata\.labels/,
  },
  {
    why: "a mark removed by a person",
    policy: "cozystack-reserved-marks",
    act: patchRedis("marked", { metadata: { labels: { "internal.cozystack.io/x": null } } }),
    refused: /metadata\.labels/,
  },
  {
    why: "a request of a person",
    policy: "cozystack-reserved-marks",
    act: create("a", { annotations: { "apps.cozystack.io/rotate": "1" } }),
  },
  {
    why: "an unrelated change of a marked object",
    policy: "cozystack-reserved-marks",
    act: patchRedis("marked", { metadata: { labels: { mine: "1" } } }),
  },
  {
    why: "a mark changed by the controllers",
    policy: "cozystack-reserved-marks",
    as: controller,
    act: patchRedis("marked", { metadata: { labels: { "internal.cozystack.io/x": "2" } } }),
  },
];

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

/** New policies take a moment to reach the request path: wait until each refuses what it must. */
async function inForce(): Promise<void> {
  for (const { policy } of policies) {
    const row = rows.find((each) => each.policy === policy.metadata.name && each.refused !== undefined);
    assert.ok(row, `no row shows what ${policy.metadata.name} refuses`);
    while ((await refusal(row)) === undefined) await sleep(50);
  }
}

for (const row of rows) {
  test(`${row.policy}: ${row.why} ${row.refused === undefined ? "passes" : "is refused"}`, async () => {
    const said = await refusal(row);
    if (row.refused === undefined) assert.equal(said, undefined);
    else assert.match(said ?? "admitted", row.refused);
  });
}

test("the types of every policy are right", async () => {
  for (const { policy } of policies) {
    const live: unknown = await admin.get(ValidatingAdmissionPolicy, bound(policy.metadata.name));
    assert.deepEqual(valueAt(live, "status", "typeChecking", "expressionWarnings") ?? [], [], policy.metadata.name);
  }
});

test("names are judged as the program judges them", async () => {
  const letters = fc.stringMatching(/^[a-zA-Z0-9.-]{1,8}$/);
  const name = fc.oneof(
    letters,
    fc.tuple(letters, fc.integer({ min: 0, max: 60 })).map(([start, more]) => start + "a".repeat(more)),
  );
  const kinds = [
    { kind: Bucket, form: "DNS-1035 label", limit: app("Bucket").longestName },
    { kind: Tenant, form: "tenant name", limit: Math.min(app("Tenant").longestName, 62 - namespace.length) },
  ] as const;
  await fc.assert(
    fc.asyncProperty(name, fc.constantFrom(...kinds), async (tried, { kind, form, limit }) => {
      const accepted = await person.create(kind, kind(tried, { namespace }), dryRun).then(
        () => true,
        (error: unknown) => {
          assert.ok(isApiError(error, "Invalid"), String(error));
          return false;
        },
      );
      assert.equal(accepted, nameProblem(tried, form, "it", limit) === undefined);
    }),
    { numRuns: 150 },
  );
});
