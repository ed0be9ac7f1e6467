/** TenantModules through the aggregator. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Kind, UnknownObject } from "../../src/kube/object.ts";
import { eventually } from "../support/eventually.ts";
import type { ServerEngine } from "../support/server-engine.ts";
import { pathOf, TenantModule, tenant } from "./fixtures.ts";
import { openWatch } from "./watching.ts";

const app = (kind: string, plural: string): Kind<UnknownObject> => ({
  group: "apps.cozystack.io",
  version: "v1alpha1",
  kind,
  plural,
  namespaced: true,
});
const Etcd = app("Etcd", "etcds");
const Ingress = app("Ingress", "ingresses");

const module = (
  kind: string,
  name: string,
  namespace: string,
  labels: Readonly<Record<string, string>>,
): UnknownObject => ({
  apiVersion: "apps.cozystack.io/v1alpha1",
  kind,
  metadata: { name, namespace, labels },
  spec: {},
});

export function modulesSuite(engine: () => ServerEngine): void {
  test("modules of every kind are one list, with version and conditions; what is no module is not shown", async () => {
    const client = engine().client();
    const namespace = await tenant(client);
    const labels = { "internal.cozystack.io/tenantmodule": "true", "apps.cozystack.io/application.kind": "Etcd" };
    await client.create(Etcd, module("Etcd", "etcd", namespace, labels));
    const watch = await openWatch(engine().kubeconfig, pathOf(TenantModule, namespace), {});
    await watch.next(({ type, name }) => type === "ADDED" && name === "etcd");
    await client.create(
      Ingress,
      module("Ingress", "ingress", namespace, { "internal.cozystack.io/tenantmodule": "true" }),
    );
    await watch.next(({ type, name }) => type === "ADDED" && name === "ingress");
    const at = "2026-11-30T10:00:00Z";
    const condition = { status: "True", reason: "Fine", message: "", lastTransitionTime: at, observedGeneration: 1 };
    const conditions = ["Ready", "Released", "Stalled"].map((type) => ({ type, ...condition }));
    const live = await client.get(Etcd, "etcd", namespace);
    await client.mergePatch(
      Etcd,
      "etcd",
      namespace,
      { status: { version: "1.6.0+abc", conditions } },
      { subresource: "status" },
    );
    await watch.next(({ type, name }) => type === "MODIFIED" && name === "etcd");
    const read = await client.get(TenantModule, "etcd", namespace);
    assert.equal(read?.["appVersion"], "1.6.0+abc");
    assert.deepEqual(read?.["status"], { version: "1.6.0+abc", conditions: conditions.slice(0, 2) });
    assert.equal(read?.metadata.uid, live?.metadata.uid);
    assert.deepEqual(read?.metadata.labels, { "apps.cozystack.io/application.kind": "Etcd" });
    const selected = await client.list(TenantModule, {
      namespace,
      labelSelector: "apps.cozystack.io/application.kind=Etcd",
    });
    assert.deepEqual(
      selected.items.map(({ metadata }) => metadata.name),
      ["etcd"],
    );
    const { stdout } = await engine().kubectl(["get", "tenantmodules", "-n", namespace]);
    assert.match(stdout, /^NAME +READY +AGE +VERSION\netcd +True +\d+s +abc\ningress +Unknown +\d+s +<unknown>\n$/);

    const { resourceVersion } = await client.list(TenantModule, { namespace });
    await client.mergePatch(Ingress, "ingress", namespace, {
      metadata: { labels: { "internal.cozystack.io/tenantmodule": null } },
    });
    const deleted = await watch.next(({ type, name }) => type === "DELETED" && name === "ingress");
    assert.equal(await client.get(TenantModule, "ingress", namespace), undefined);
    const resumed = await openWatch(engine().kubeconfig, pathOf(TenantModule, namespace), { resourceVersion });
    await resumed.next(({ type, name }) => type === "DELETED" && name === "ingress");
    assert.ok(BigInt(deleted.version) > BigInt(resourceVersion));
    resumed.close();
    watch.close();
    await client.delete(Etcd, "etcd", namespace);
    await eventually("none is left", async () => (await client.list(TenantModule, { namespace })).items.length === 0);
  });
}
