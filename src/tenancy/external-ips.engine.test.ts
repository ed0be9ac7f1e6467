import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, test } from "node:test";
import { eventually } from "../../test/support/eventually.ts";
import { platformEngine } from "../../test/support/platform.ts";
import { Namespace, Service } from "../contracts/core.ts";
import { defineKind } from "../kube/define-kind.ts";
import { valueAt } from "../kube/json.ts";
import type { KubeObject } from "../kube/object.ts";
import { openStores } from "../kube/stores.ts";
import { systemWorld } from "../kube/world.ts";
import { countExternalIps, runExternalIps, tenantOf } from "./external-ips.ts";

const Tenant = defineKind<KubeObject>({
  group: "apps.cozystack.io",
  version: "v1alpha1",
  kind: "Tenant",
  plural: "tenants",
  namespaced: true,
});

const engine = await platformEngine();
const client = engine.client();
const stop = new AbortController();
const stores = openStores({ client, signal: stop.signal });
const errors: unknown[] = [];
const onError = (_: string, error: unknown) => errors.push(error);
const running = runExternalIps({ client, stores, world: systemWorld, onError }, stop.signal);
const name = `ips${randomBytes(4).toString("hex")}`;
after(async () => {
  stop.abort();
  await running.catch(() => undefined);
});

test("status counts the tenant's addresses as they come and go, and says nothing where there is none", async (t) => {
  t.after(() => Promise.all([client.delete(Namespace, `tenant-${name}`), client.delete(Tenant, name, "tenant-root")]));
  const namespace = `tenant-${name}`;
  await client.create(Tenant, Tenant(name, { namespace: "tenant-root" }));
  await client.create(
    Namespace,
    Namespace(namespace, {
      labels: { "apps.cozystack.io/application.name": name },
      annotations: { "internal.cozystack.io/ancestors": "tenant-root" },
    }),
  );
  const count = async () => valueAt(await client.get(Tenant, name, "tenant-root"), "status", "externalIPsCount");
  await client.create(
    Service,
    Service("web", {
      namespace,
      spec: { type: "LoadBalancer", ports: [{ port: 80 }], allocateLoadBalancerNodePorts: false },
    }),
  );
  await client.create(Service, Service("inner", { namespace, spec: { ports: [{ port: 80 }] } }));
  assert.equal(await count(), undefined);
  const status = { loadBalancer: { ingress: [{ ip: "192.0.2.9" }] } };
  await client.mergePatch(Service, "web", namespace, { status }, { subresource: "status" });
  await eventually("it is counted", async () => (await count()) === 1);
  await client.delete(Service, "web", namespace);
  await eventually("it no longer counts", async () => (await count()) === undefined);
  assert.deepEqual(errors, []);
});

const balancer = (name: string, ingress: readonly { readonly ip?: string; readonly hostname?: string }[]) =>
  Service(name, { spec: { type: "LoadBalancer" }, status: { loadBalancer: { ingress } } });

test("a Service counts once with an address, however many, and not with a host name alone", () => {
  const services = [
    balancer("a", [{ ip: "192.0.2.1" }, { ip: "192.0.2.2" }]),
    balancer("b", [{ hostname: "lb.test" }]),
    balancer("c", []),
    balancer("d", [{ hostname: "lb.test", ip: "192.0.2.3" }]),
  ];
  assert.equal(countExternalIps(services), 2);
  assert.equal(countExternalIps([]), 0);
});

test("a namespace's Tenant is named by its annotation and label, not by its name", () => {
  const labels = { "apps.cozystack.io/application.name": "z" };
  const annotations = { "internal.cozystack.io/ancestors": "tenant-root,tenant-x-y" };
  assert.deepEqual(tenantOf(Namespace("tenant-odd", { labels, annotations })), { name: "z", namespace: "tenant-x-y" });
  assert.equal(tenantOf(Namespace("default")), undefined);
  const root = Namespace("tenant-root", { annotations: { "internal.cozystack.io/ancestors": "" } });
  assert.deepEqual(tenantOf(root), { name: "root", namespace: "tenant-root" });
});
