/** What an application's user may write, and how it may be named, judged by the API server. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Client } from "../../src/kube/client.ts";
import type { Body } from "../../src/kube/define-kind.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { nameProblem } from "../../src/sdk/names.ts";
import type { ApplicationObject } from "./install.ts";
import {
  admin,
  adopter,
  app,
  Bucket,
  dryRun,
  Etcd,
  markedNamespace,
  namespace,
  person,
  Redis,
  type Row,
  Tenant,
  tryPolicies,
} from "./policy-bench.ts";

const long = await markedNamespace(`policies-${"n".repeat(30)}`);
const redis = (name: string, body: Body<ApplicationObject> = {}) => Redis(name, { namespace, ...body });
const create =
  (name: string, body: Body<ApplicationObject> = {}) =>
  (client: Client) =>
    client.create(Redis, redis(name, body), dryRun);
const createTenant =
  (name: string, spec: object = {}, where = namespace) =>
  (client: Client) =>
    client.create(Tenant, Tenant(name, { namespace: where, spec }), dryRun);
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
    act: (client) => client.mergePatch(Redis, "plain", namespace, { spec: { _x: 1 } }, dryRun),
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
];

tryPolicies(["cozystack-reserved-keys", "cozystack-application-names", "cozystack-module-names"], rows, async () => {
  await admin.create(Redis, redis("plain"));
  return () => admin.delete(Redis, "plain", namespace);
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
