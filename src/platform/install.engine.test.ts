import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { testEngine } from "../../test/support/engine.ts";
import { eventually } from "../../test/support/eventually.ts";
import { Namespace, Secret } from "../contracts/core.ts";
import { Package } from "../contracts/cozystack-io.ts";
import { ClusterRole } from "../contracts/rbac.ts";
import { isApiError } from "../kube/errors.ts";
import { valueAt } from "../kube/json.ts";
import { CustomResourceDefinition } from "../kube/kinds/extension.ts";
import { openStores } from "../kube/stores.ts";
import { systemWorld } from "../kube/world.ts";
import { contextSource } from "../tenancy/context-source.ts";
import { runBaseController } from "./base-controller.ts";
import { Tenant } from "./base-objects.ts";
import { clusterValuesOf } from "./cluster-values.ts";
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

test("a group that upstream took back is not served (feature 153)", async () => {
  const groups = valueAt(await client.raw("GET", "/apis"), "groups");
  const names = (Array.isArray(groups) ? groups : []).map((group) => valueAt(group, "name"));
  assert.ok(names.includes("cozystack.io"));
  assert.ok(!names.includes("network.cozystack.io"));
});

test("Workload and WorkloadMonitor are served (feature 180)", async () => {
  const resources = valueAt(await client.raw("GET", "/apis/cozystack.io/v1alpha1"), "resources");
  const kinds = (Array.isArray(resources) ? resources : []).map((resource) => valueAt(resource, "kind"));
  for (const kind of ["Workload", "WorkloadMonitor"]) assert.ok(kinds.includes(kind), kinds.join(" "));
});

test("drift is put right, and only that is written", async () => {
  await client.mergePatch(ClusterRole, "cozy:tenant:use:base", undefined, { rules: [] });
  const { written } = await installPlatform(client, { twin: true });
  // Another test file may have put it right before.
  assert.ok(
    written.every((name) => name === "ClusterRole cozy:tenant:use:base"),
    written.join(),
  );
  assert.notDeepEqual((await client.get(ClusterRole, "cozy:tenant:use:base"))?.rules, []);
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

test("while the base controller runs, the published values follow the Package, and tampering is put right", async () => {
  const stop = new AbortController();
  const stores = openStores({ client, signal: stop.signal });
  const contexts = contextSource({ stores, chartVersion: "0", clusterValues: clusterValuesOf });
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const running = runBaseController({ client, stores, world: systemWorld, contexts, onError }, stop.signal);
  const published = async (): Promise<unknown> => {
    const secret = await client.get(Secret, "cozystack-values", "tenant-root");
    return parse(Buffer.from(secret?.data?.["values.yaml"] ?? "", "base64").toString("utf8"));
  };
  const branding = async () => valueAt(await published(), "_cluster", "branding");
  const values = { branding: { brandName: "Ours" } };
  try {
    await client.create(
      Package,
      Package("cozystack.cozystack-platform", { spec: { components: { platform: { values } } } }),
    );
    await eventually("the values name the brand", async () => valueAt(await branding(), "brandName") === "Ours");
    await client.mergePatch(Secret, "cozystack-values", "tenant-root", { data: { "values.yaml": "e30=" } });
    await eventually("they are put right", async () => valueAt(await branding(), "brandName") === "Ours");
  } finally {
    await client.delete(Package, "cozystack.cozystack-platform");
  }
  await eventually("the defaults are back", async () => (await branding()) === undefined);
  assert.deepEqual(errors, []);
  stop.abort();
  await running;
});
