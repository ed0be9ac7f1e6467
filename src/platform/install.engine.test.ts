import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { testEngine } from "../../test/support/engine.ts";
import { Namespace, Secret } from "../contracts/core.ts";
import { ClusterRole } from "../contracts/rbac.ts";
import { isApiError } from "../kube/errors.ts";
import { valueAt } from "../kube/json.ts";
import { CustomResourceDefinition } from "../kube/kinds/extension.ts";
import { Tenant } from "./base-objects.ts";
import { installPlatform } from "./install.ts";

const engine = await testEngine();
const client = engine.client();
await installPlatform(client, { twin: true });

test("installing again writes nothing and changes no version", async () => {
  const versions = async () => {
    const lists = await Promise.all([
      client.listMetadata(CustomResourceDefinition),
      client.listMetadata(ClusterRole, { fieldSelector: "metadata.name=cozy:tenant:use:base" }),
      client.listMetadata(Secret, { namespace: "cozy-system" }),
      client.listMetadata(Tenant, { namespace: "tenant-root" }),
    ]);
    return lists.flatMap(({ items }) => items.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`));
  };
  const before = await versions();
  const lines: string[] = [];
  assert.deepEqual(await installPlatform(client, { twin: true, log: (line) => lines.push(line) }), { written: [] });
  assert.deepEqual(lines, []);
  assert.deepEqual(await versions(), before);
});

test("drift is put right, and only that is written", async () => {
  await client.mergePatch(ClusterRole, "cozy:tenant:use:base", undefined, { rules: [] });
  const { written } = await installPlatform(client, { twin: true });
  assert.deepEqual(written, ["ClusterRole cozy:tenant:use:base"]);
});

test("a definition that came from somewhere else is left alone where the twin plays its operator", async () => {
  const name = "bucketclaims.objectstorage.k8s.io";
  await client.mergePatch(CustomResourceDefinition, name, undefined, {
    metadata: { labels: { "platform.cozystack.io/served-from-contract": null, mine: "yes" } },
  });
  const { written } = await installPlatform(client, { twin: true });
  assert.deepEqual(written, []);
  await client.mergePatch(CustomResourceDefinition, name, undefined, {
    metadata: { labels: { "platform.cozystack.io/served-from-contract": "true", mine: null } },
  });
});

test("the root of the tenant tree stands, with its values, and cannot be deleted by mistake", async () => {
  const namespace = await client.get(Namespace, "tenant-root");
  assert.equal(namespace?.metadata.annotations?.["internal.cozystack.io/ancestors"], "");
  assert.equal(namespace?.metadata.labels?.["namespace.cozystack.io/host"], "example.org");
  assert.equal(namespace?.metadata.labels?.["namespace.cozystack.io/gateway"], undefined);
  const secret = await client.get(Secret, "cozystack-values", "tenant-root");
  const document: unknown = parse(Buffer.from(secret?.data?.["values.yaml"] ?? "", "base64").toString("utf8"));
  assert.deepEqual(valueAt(document, "_namespace"), {
    host: "example.org",
    etcd: "tenant-root",
    ingress: "tenant-root",
    monitoring: "tenant-root",
    seaweedfs: "tenant-root",
  });
  const root = valueAt(document, "_cluster", "kube-root-ca");
  assert.match(Buffer.from(String(root), "base64").toString("utf8"), /BEGIN CERTIFICATE/);
  await assert.rejects(
    client.delete(Tenant, "root", "tenant-root", { dryRun: true }),
    (error) => isApiError(error) && error.message.includes("no-delete"),
  );
});

test("the root tenant's spec is its administrator's: installing again keeps it", async () => {
  await client.mergePatch(Tenant, "root", "tenant-root", { spec: { schedulingClass: "kept" } });
  await installPlatform(client, { twin: true });
  assert.equal(valueAt(await client.get(Tenant, "root", "tenant-root"), "spec", "schedulingClass"), "kept");
  await client.mergePatch(Tenant, "root", "tenant-root", { spec: { schedulingClass: "" } });
});
