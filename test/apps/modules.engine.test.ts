/** A tenant's modules under the real controllers, with the twin in the operators' place: on, inherited, off, and gone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Certificate, Issuer } from "../../src/contracts/cert-manager-io.ts";
import { ConfigMap, PersistentVolumeClaim, Pod, Secret, Service } from "../../src/contracts/core.ts";
import { WorkloadMonitor } from "../../src/contracts/cozystack-io.ts";
import { EtcdCluster, EtcdMember } from "../../src/contracts/etcd-operator-cozystack-io.ts";
import { TenantGateway } from "../../src/contracts/gateway-cozystack-io.ts";
import { HTTPRoute, Gateway as KubernetesGateway } from "../../src/contracts/gateway-networking-k8s-io.ts";
import { HelmRelease } from "../../src/contracts/helm-toolkit-fluxcd-io.ts";
import { DataStore } from "../../src/contracts/kamaji-clastix-io.ts";
import { Deployment, IngressClass, StatefulSet } from "../../src/kube/core-kinds.ts";
import { valueAt } from "../../src/kube/json.ts";
import { Namespace } from "../../src/kube/kinds/core.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { appOf, conditionOf, isReady, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { lines } from "../support/everything.ts";

const cloud = await startCloud();
const { admin } = cloud;
const tenant = appOf("Tenant");

const inherited = async (namespace: string, module: string) =>
  (await admin.get(Namespace, namespace))?.metadata.labels?.[`namespace.cozystack.io/${module}`];

/** Switches a module on or off through its Tenant, confirming the loss of data where that is asked for. */
async function turn(name: string, spec: Readonly<Record<string, boolean>>): Promise<void> {
  await cloud.change(tenant, name, cloud.root, spec);
  await eventually(`the tenant ${name} is ready`, async () => {
    const live = await cloud.get(tenant, name, cloud.root);
    const said = conditionOf(live, "Ready");
    const hash = said?.reason === "ConfirmationRequired" ? /[0-9a-f]{16}/.exec(said.message)?.[0] : undefined;
    if (hash !== undefined)
      await cloud.annotate(tenant, name, cloud.root, { "apps.cozystack.io/allow-data-loss": hash });
    return said?.status === "True" && said.observedGeneration === live?.metadata.generation;
  });
}

test("an etcd is three ready members without a StatefulSet, serves tenants below, and grows (features 71, 193)", async () => {
  const app = appOf("Etcd");
  const namespace = await cloud.tenant("store", cloud.root, { etcd: true });
  const child = await cloud.tenant("child", namespace);
  await cloud.ready(app, "etcd", namespace);
  assert.equal(await inherited(namespace, "etcd"), namespace);
  assert.equal(await inherited(child, "etcd"), namespace, "the child has its parent's");
  assert.equal(await cloud.get(app, "etcd", child), undefined);

  const { items: members } = await admin.list(EtcdMember, { namespace });
  assert.equal(members.length, 3);
  for (const member of members) assert.equal(conditionOf(member, "Ready")?.status, "True", member.metadata.name);
  assert.equal((await admin.list(StatefulSet, { namespace })).items.length, 0);
  assert.equal((await admin.get(DataStore, namespace))?.status?.ready, true);
  assert.equal((await admin.get(WorkloadMonitor, "etcd", namespace))?.status?.operational, true);

  const version = await admin.get(Secret, "etcd-ca-tls", namespace);
  await cloud.change(app, "etcd", namespace, { replicas: 5, size: "8Gi" });
  await cloud.ready(app, "etcd", namespace);
  await cloud.rest();
  const after = (await admin.list(EtcdMember, { namespace })).items.map(({ metadata }) => metadata.name);
  assert.equal(after.length, 5);
  assert.ok(members.every(({ metadata }) => after.includes(metadata.name)));
  for (const claim of (await admin.list(PersistentVolumeClaim, { namespace })).items)
    assert.equal(claim.spec.resources?.requests?.["storage"], "8Gi");
  assert.deepEqual((await admin.get(Secret, "etcd-ca-tls", namespace))?.data, version?.data, "the authority stays");
});

test("the Tenant switches it off: nothing is left, and the child inherits what is above", async () => {
  const namespace = `${cloud.root}-store`;
  await turn("store", { etcd: false });
  await eventually("the module is gone", async () => {
    const live = await cloud.get(appOf("Etcd"), "etcd", namespace);
    return live === undefined;
  });
  await cloud.rest();
  assert.equal(await inherited(namespace, "etcd"), await inherited(cloud.root, "etcd"));
  assert.equal(await inherited(`${namespace}-child`, "etcd"), await inherited(cloud.root, "etcd"));
  assert.equal((await admin.list(PersistentVolumeClaim, { namespace })).items.length, 0);
  assert.equal(await admin.get(DataStore, namespace), undefined);

  await turn("store", { etcd: true });
  await cloud.ready(appOf("Etcd"), "etcd", namespace);
  assert.equal(await inherited(`${namespace}-child`, "etcd"), namespace);
});

test("a tenant's etcd leaves nothing: members' volumes, those of adopted ones, and certificates' Secrets go (feature 119)", async () => {
  const app = appOf("Etcd");
  const namespace = await cloud.tenant("own");
  await cloud.rest(300);
  const before = lines(await cloud.everything());
  await cloud.order(app, "etcd", namespace);
  await cloud.ready(app, "etcd", namespace);
  // Members adopted from the former operator have volumes that nobody owns.
  for (const name of ["data-etcd-0", "data-etcd-2"]) {
    const spec = { accessModes: ["ReadWriteOnce"] as const, resources: { requests: { storage: "1Gi" } } };
    await admin.create(
      PersistentVolumeClaim,
      PersistentVolumeClaim(name, { namespace, spec: { ...spec, accessModes: [...spec.accessModes] } }),
    );
  }
  await cloud.remove(app, "etcd", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

test("an etcd that control planes use stays, and says what holds it", async () => {
  const app = appOf("Etcd");
  const namespace = await cloud.tenant("used");
  await cloud.order(app, "etcd", namespace);
  await cloud.ready(app, "etcd", namespace);
  const finalizers = ["kamaji.clastix.io/TenantControlPlane"];
  await admin.mergePatch(DataStore, namespace, undefined, { metadata: { finalizers } });
  await cloud.person(namespace).delete({ ...app, version: "v1alpha1", namespaced: true }, "etcd", namespace);
  await eventually("it says so", async () => {
    const said = conditionOf(await cloud.get(app, "etcd", namespace), "Ready");
    return said?.message.includes("DataStore") === true;
  });
  await cloud.rest();
  assert.equal((await admin.get(EtcdCluster, "etcd", namespace))?.metadata.deletionTimestamp, undefined);
  assert.equal((await admin.list(Pod, { namespace })).items.length, 3, "the servers serve on");
  await admin.mergePatch(DataStore, namespace, undefined, { metadata: { finalizers: null } });
  await eventually("it goes", async () => (await cloud.get(app, "etcd", namespace)) === undefined);
  assert.equal(valueAt(await admin.get(EtcdCluster, "etcd", namespace), "spec"), undefined);
});

const ingressClasses = async () => (await admin.list(IngressClass)).items.map(({ metadata }) => metadata.name);

test("an ingress is ready with its class and an address, serves tenants below, and goes with its switch", async () => {
  const app = appOf("Ingress");
  const before = lines(await cloud.everything());
  const namespace = await cloud.tenant("edge", cloud.root, { ingress: true });
  const child = await cloud.tenant("child", namespace);
  await cloud.ready(app, "ingress", namespace);
  assert.equal(await inherited(child, "ingress"), namespace);
  assert.ok((await ingressClasses()).includes(namespace));
  const name = `${namespace.slice("tenant-".length)}-ingress-controller`;
  const service = await admin.get(Service, name, namespace);
  assert.equal(service?.spec?.type, "LoadBalancer");
  assert.notEqual(service?.status?.loadBalancer?.ingress?.[0]?.ip, undefined);
  const seen = await cloud.person(namespace, "admin").get(Service, name, namespace);
  assert.equal(seen?.metadata.name, name);

  await cloud.change(app, "ingress", namespace, { replicas: 3, whitelist: ["10.0.0.0/8"] });
  await cloud.ready(app, "ingress", namespace);
  const config = await admin.get(ConfigMap, name, namespace);
  assert.equal(config?.data?.["whitelist-source-range"], "10.0.0.0/8");

  await turn("edge", { ingress: false });
  await eventually("the module is gone", async () => (await cloud.get(app, "ingress", namespace)) === undefined);
  await cloud.rest();
  assert.equal(await inherited(child, "ingress"), await inherited(cloud.root, "ingress"));
  assert.ok(!(await ingressClasses()).includes(namespace));
  await cloud.remove(tenant, "child", namespace);
  await cloud.remove(tenant, "edge", cloud.root);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

test("an external DNS is ready with its credentials in a Secret alone, takes others up, and leaves nothing", async () => {
  const app = appOf("ExternalDNS");
  const namespace = await cloud.tenant("names");
  await cloud.rest(300);
  const before = lines(await cloud.everything());
  await cloud.order(app, "dns", namespace, { provider: "digitalocean", digitalocean: { token: "first-token" } });
  await cloud.order(app, "dry", namespace, { provider: "inmemory", annotationPrefix: "custom-dns/" });
  await cloud.ready(app, "dns", namespace);
  await cloud.ready(app, "dry", namespace);
  const deployment = async () => admin.get(Deployment, "dns-system-external-dns", namespace);
  assert.equal((await deployment())?.status?.readyReplicas, 1);
  const args = (await admin.get(Deployment, "dry-system-external-dns", namespace))?.spec.template.spec?.containers[0]
    ?.args;
  assert.ok(args?.includes("--annotation-prefix=custom-dns/"));

  const pod = async () => {
    const release = await admin.get(HelmRelease, "dns-system", namespace);
    return valueAt(release, "spec", "values", "external-dns", "podAnnotations");
  };
  const first = await pod();
  await cloud.change(app, "dns", namespace, { digitalocean: { token: "second-token" } });
  await eventually("the program is to start anew", async () => JSON.stringify(await pod()) !== JSON.stringify(first));
  await cloud.ready(app, "dns", namespace);
  const token = (await admin.get(Secret, "dns-credentials", namespace))?.data?.["DO_TOKEN"] ?? "";
  assert.equal(Buffer.from(token, "base64").toString(), "second-token");
  const others = (await cloud.everything(namespace)).filter(({ kind }) => kind !== "Secret" && kind !== app.kind);
  assert.ok(!/(first|second)-token/.test(JSON.stringify(others)));

  await cloud.remove(app, "dns", namespace);
  await cloud.remove(app, "dry", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

const gatewayApp = appOf("Gateway");
const acceptance = (route: unknown) => {
  const parents = valueAt(route, "status", "parents");
  return Array.isArray(parents)
    ? parents.flatMap((parent) => {
        const conditions = valueAt(parent, "conditions");
        return Array.isArray(conditions) ? conditions.map((one) => String(valueAt(one, "reason"))) : [];
      })
    : [];
};

test("a gateway serves its domain, names that routes below ask for, and takes everything back", async () => {
  const before = lines(await cloud.everything());
  const namespace = await cloud.tenant("web", cloud.root, { gateway: true, host: "web.example.org" });
  const child = await cloud.tenant("child", namespace);
  const stranger = await cloud.tenant("stranger", cloud.root, { host: "stranger.example.org" });
  assert.equal(await inherited(child, "gateway"), namespace);
  const ready = async () => {
    await eventually("the module is ready", async () => isReady(await cloud.get(gatewayApp, "gateway", namespace)));
    return admin.get(TenantGateway, "cozystack", namespace);
  };
  const first = await ready();
  assert.equal(first?.spec?.apex, "web.example.org");
  assert.equal((await admin.get(Service, "cilium-gateway-cozystack", namespace))?.spec?.type, "LoadBalancer");

  const routeIn = (where: string, hostname: string) =>
    admin.create(
      HTTPRoute,
      HTTPRoute("shop", {
        namespace: where,
        spec: { hostnames: [hostname], parentRefs: [{ name: "cozystack", namespace }], rules: [] },
      }),
    );
  await routeIn(child, "shop.child.web.example.org");
  await routeIn(stranger, "shop.stranger.example.org");
  await eventually("the name is served", async () => {
    const { listeners = [] } = (await admin.get(TenantGateway, "cozystack", namespace))?.status ?? {};
    return listeners.some(({ hostname, ready: served }) => hostname === "shop.child.web.example.org" && served);
  });
  assert.deepEqual(acceptance(await admin.get(HTTPRoute, "shop", child)), ["Accepted"]);
  assert.deepEqual(acceptance(await admin.get(HTTPRoute, "shop", stranger)), []);
  const { items } = await admin.list(Certificate, { namespace });
  assert.deepEqual(
    items.map(({ spec }) => spec.dnsNames),
    [["shop.child.web.example.org"]],
  );
  await ready();
  await cloud.rest();
  const versions = async () => {
    const objects = [
      await admin.get(TenantGateway, "cozystack", namespace),
      await admin.get(KubernetesGateway, "cozystack", namespace),
      await admin.get(HTTPRoute, "shop", child),
      ...(await admin.list(Certificate, { namespace })).items,
    ];
    return objects.map((object) => object?.metadata.resourceVersion);
  };
  const still = await versions();
  await cloud.stopControllers();
  cloud.startControllers();
  await cloud.rest();
  assert.deepEqual(await versions(), still, "another process changes nothing");

  await admin.delete(HTTPRoute, "shop", child);
  await eventually(
    "its certificate goes",
    async () => (await admin.list(Certificate, { namespace })).items.length === 0,
  );
  await admin.delete(Secret, items[0]?.spec.secretName ?? "", namespace);

  await turn("web", { gateway: false });
  await eventually("the module is gone", async () => (await cloud.get(gatewayApp, "gateway", namespace)) === undefined);
  await eventually("its objects go", async () => {
    const left = [Issuer, KubernetesGateway].map((kind) => admin.list<KubeObject>(kind, { namespace }));
    return (await Promise.all(left)).every(({ items: found }) => found.length === 0);
  });
  assert.equal(await admin.get(Secret, "cozystack-acme-account", namespace), undefined);
  assert.equal(await inherited(child, "gateway"), await inherited(cloud.root, "gateway"));
  for (const [name, parent] of [
    ["child", namespace],
    ["web", cloud.root],
    ["stranger", cloud.root],
  ] as const)
    await cloud.remove(tenant, name, parent);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});
