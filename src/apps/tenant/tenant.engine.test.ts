import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { platformEngine } from "../../../test/support/platform.ts";
import { Namespace } from "../../contracts/core.ts";
import { kindByGroupKind } from "../../contracts/index.ts";
import { isApiError } from "../../kube/errors.ts";
import { valueAt } from "../../kube/json.ts";
import { type AnyKind, groupOf, type KubeObject } from "../../kube/object.ts";
import { render } from "./fixture.ts";
import { modules } from "./modules.ts";

const client = (await platformEngine()).client();
const name = `t${randomBytes(4).toString("hex")}`;

function kindOf({ apiVersion, kind }: KubeObject): AnyKind {
  const own: readonly AnyKind[] = Object.values(modules);
  const found = own.find((each) => each.kind === kind && each.group === groupOf(apiVersion));
  const any = found ?? kindByGroupKind(groupOf(apiVersion), kind);
  assert.ok(any, `${apiVersion} ${kind} is declared`);
  return any;
}

test("the API server accepts every object of a tenant with everything switched on, strictly", async (t) => {
  const on = { etcd: true, ingress: true, monitoring: true, seaweedfs: true, gateway: true, computeplane: true };
  const resourceQuotas = { cpu: 20, memory: "64Gi", storage: "1Ti", "services.loadbalancers": 3, pods: "50" };
  const cluster = { "oidc-enabled": "true", "root-host": "example.org" };
  const existing: KubeObject[] = [
    { apiVersion: "cozystack.io/v1alpha1", kind: "Package", metadata: { name: "cozystack.computeplane-application" } },
  ];
  const manifests = render({ name, spec: { ...on, resourceQuotas }, cluster, existing });
  t.after(() => client.delete(Namespace, `tenant-${name}`));
  const first = manifests.toSorted((a, b) => a.wave - b.wave)[0]?.object;
  assert.equal(first?.kind, "Namespace");
  for (const { object } of manifests.toSorted((a, b) => a.wave - b.wave)) {
    const options = { fieldValidation: "Strict", dryRun: object.kind !== "Namespace" } as const;
    await client.apply(kindOf(object), object, options).catch((error: unknown) => {
      assert.fail(`${object.kind} ${object.metadata.name}: ${isApiError(error) ? error.message : String(error)}`);
    });
  }
  assert.ok(manifests.length > 35);
});

const kind = { group: "apps.cozystack.io", version: "v1alpha1", kind: "Tenant", plural: "tenants", namespaced: true };
const tenantIn = (namespace: string, given: string, spec: object = {}) => ({
  ...{ apiVersion: "apps.cozystack.io/v1alpha1", kind: "Tenant", spec },
  metadata: { name: given, namespace },
});

const bad: readonly { why: string; name: string; message: RegExp }[] = [
  { why: "a dash", name: "a-b", message: /dash|letters/ },
  { why: "a leading digit", name: "1a", message: /letter/ },
  { why: "47 characters", name: "a".repeat(47), message: /46|53/ },
];
for (const row of bad) {
  test(`the API server refuses a tenant named with ${row.why} at once, naming the limit`, async () => {
    await assert.rejects(
      client.create<KubeObject>(kind, tenantIn("tenant-root", row.name), { dryRun: true }),
      (error) => isApiError(error, "Invalid") && row.message.test(error.message),
    );
  });
}

test("the namespace of a nested tenant may have 63 characters and not 64, whatever the name's own length", async (t) => {
  const parent = `tenant-${name}${"p".repeat(50 - 7 - name.length)}`;
  t.after(() => client.delete(Namespace, parent));
  await client.create(Namespace, Namespace(parent));
  await client.create<KubeObject>(kind, tenantIn(parent, "c".repeat(12)), { dryRun: true });
  await assert.rejects(
    client.create<KubeObject>(kind, tenantIn(parent, "c".repeat(13)), { dryRun: true }),
    (error) =>
      isApiError(error, "Invalid") && /63/.test(error.message) && /metadata.name|namespace/.test(error.message),
  );
});

test("feature 100: a Tenant as older versions knew it is valid, quotas and forgotten fields included", async () => {
  const spec = {
    host: "",
    etcd: false,
    monitoring: false,
    ingress: false,
    seaweedfs: false,
    isolated: true,
    resourceQuotas: { cpu: "4", memory: 1073741824, "requests.storage": "5Gi" },
  };
  const stored = await client.create<KubeObject>(kind, tenantIn("tenant-root", name, spec), {
    dryRun: true,
    fieldValidation: "Strict",
  });
  assert.deepEqual(valueAt(stored, "spec", "resourceQuotas"), spec.resourceQuotas);
  assert.equal(valueAt(stored, "spec", "isolated"), true, "kept, as upstream keeps it");
});
