/** What only the platform and its administrators may write, judged by the API server. */
import type { Client } from "../../src/kube/client.ts";
import { ConfigMap, Namespace } from "../../src/kube/core-kinds.ts";
import type { Body } from "../../src/kube/define-kind.ts";
import type { ApplicationObject } from "./install.ts";
import {
  admin,
  controller,
  dryRun,
  issuer,
  mark,
  namespace,
  Redis,
  type Row,
  Tenant,
  tryPolicies,
} from "./policy-bench.ts";

const redis = (name: string, body: Body<ApplicationObject> = {}) => Redis(name, { namespace, ...body });
const noDelete = { "platform.cozystack.io/no-delete": "true" };
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

const rows: readonly Row[] = [
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
    why: "a finalizer of ours that nobody would take off, as it is created",
    policy: "cozystack-finalizers",
    act: create("a", { metadata: { finalizers: ["internal.cozystack.io/hold"] } }),
    refused: /metadata\.finalizers: names under cozystack\.io\/ are the platform's/,
  },
  {
    why: "a finalizer of ours that nobody would take off, added later",
    policy: "cozystack-finalizers",
    act: patchRedis("held", { metadata: { finalizers: ["apps.cozystack.io/cleanup", "x.cozystack.io/hold"] } }),
    refused: /metadata\.finalizers: names under cozystack\.io\/ are the platform's/,
  },
  {
    why: "finalizers that controllers take off, and one of a person's own",
    policy: "cozystack-finalizers",
    act: create("a", { metadata: { finalizers: ["internal.cozystack.io/application", "example.org/mine"] } }),
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

const policies = [
  "cozystack-tenant-host-policy",
  "cozystack-namespace-host-label-policy",
  "cozystack-no-delete-guardrail",
  "cozystack-application-status",
  "cozystack-finalizers",
  "cozystack-reserved-marks",
];

tryPolicies(policies, rows, async () => {
  const finalizers = ["apps.cozystack.io/cleanup", "example.org/theirs"];
  await admin.create(Redis, redis("held", { metadata: { finalizers } }));
  await admin.create(Redis, redis("marked", { metadata: { labels: { "internal.cozystack.io/x": "1" } } }));
  await admin.create(Tenant, Tenant("hosted", { namespace, spec: { host: "a.example.org" } }));
  await admin.create(ConfigMap, ConfigMap("kept", { namespace, labels: { ...mark, ...noDelete } }));
  return async () => {
    await admin.mergePatch(ConfigMap, "kept", namespace, {
      metadata: { labels: { "platform.cozystack.io/no-delete": null } },
    });
    await admin.mergePatch(Redis, "held", namespace, { metadata: { finalizers: [] } });
  };
});
