/** Proxies under the real controllers, with the twin in the place of machines: ready, changed, deleted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment } from "../../src/contracts/apps.ts";
import { ConfigMap, PersistentVolumeClaim, Secret, Service } from "../../src/contracts/core.ts";
import { NetworkAttachmentDefinition } from "../../src/contracts/k8s-cni-cncf-io.ts";
import { Subnet, Vpc } from "../../src/contracts/kubeovn-io.ts";
import { appOf, conditionOf, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { lines } from "../support/everything.ts";

const cloud = await startCloud();
const namespace = await cloud.tenant("net");
const { admin } = cloud;

const claims = async (labelSelector: string) =>
  (await admin.list(PersistentVolumeClaim, { namespace, labelSelector })).items.map(({ metadata }) => metadata.name);

/** Gives the consent that the application asks for before data is lost. */
async function consent(app: ReturnType<typeof appOf>, name: string): Promise<void> {
  const hash = await eventually("the loss of data is to be confirmed", async () => {
    const said = conditionOf(await cloud.get(app, name, namespace), "Ready");
    return said?.reason === "ConfirmationRequired" ? /[0-9a-f]{16}/.exec(said.message)?.[0] : undefined;
  });
  await cloud.annotate(app, name, namespace, { "apps.cozystack.io/allow-data-loss": hash });
}

test("a TCPBalancer is ready, restarts for another endpoint, and leaves nothing", async () => {
  const app = appOf("TCPBalancer");
  const before = lines(await cloud.everything());
  await cloud.order(app, "web", namespace, { external: true, httpAndHttps: { endpoints: ["10.0.0.1"] } });
  await cloud.ready(app, "web", namespace);
  const name = "tcp-balancer-web-haproxy";
  const service = await admin.get(Service, name, namespace);
  assert.ok(service?.status?.loadBalancer?.ingress?.[0], "an address from outside");
  const template = async () => (await admin.get(Deployment, name, namespace))?.spec.template.metadata?.annotations;
  const first = await template();

  await cloud.change(app, "web", namespace, { httpAndHttps: { endpoints: ["10.0.0.1", "10.0.0.2"] } });
  await cloud.ready(app, "web", namespace);
  assert.notDeepEqual(await template(), first);
  const config = (await admin.get(ConfigMap, name, namespace))?.data?.["haproxy.cfg"];
  assert.match(config ?? "", /server srv1 10\.0\.0\.2:80 check/);

  await cloud.remove(app, "web", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

const cache = { nginx: { replicas: 2 }, size: "1Gi", endpoints: ["10.0.0.1:80"] };
const ofCache = (name: string) => `app.kubernetes.io/instance=http-cache-${name}`;
const volumes = (name: string, count: number) =>
  Array.from({ length: count }, (_, at) => `http-cache-${name}-nginx-cache-${at}`);

test("an HTTPCache is ready, grows, gives up a server's volume with consent, and leaves nothing", async () => {
  const app = appOf("HTTPCache");
  const before = lines(await cloud.everything());
  await cloud.order(app, "site", namespace, { ...cache, external: true });
  await cloud.ready(app, "site", namespace);
  assert.deepEqual(await claims(ofCache("site")), volumes("site", 2));

  await cloud.change(app, "site", namespace, { size: "2Gi", nginx: { replicas: 3 } });
  await eventually("the volumes have grown", async () => {
    const { items } = await admin.list(PersistentVolumeClaim, { namespace, labelSelector: ofCache("site") });
    return items.length === 3 && items.every((claim) => claim.spec.resources?.requests?.["storage"] === "2Gi");
  });
  await cloud.ready(app, "site", namespace);

  await cloud.change(app, "site", namespace, { nginx: { replicas: 1 } });
  await consent(app, "site");
  await cloud.ready(app, "site", namespace);
  // They go when the pods that use them have ended.
  await eventually(
    "the volumes of the other servers are gone",
    async () => (await claims(ofCache("site"))).length === 1,
  );
  assert.deepEqual(await claims(ofCache("site")), volumes("site", 1));

  await cloud.remove(app, "site", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

test("two HTTPCaches of a namespace are both ready; one to be kept leaves its volumes to the next of its name", async () => {
  const app = appOf("HTTPCache");
  const before = lines(await cloud.everything());
  await cloud.order(app, "other", namespace, { ...cache, nginx: { replicas: 1 } });
  await cloud.order(app, "kept", namespace, { ...cache, reclaimPolicy: "Retain" });
  await cloud.ready(app, "other", namespace);
  await cloud.ready(app, "kept", namespace);
  await cloud.remove(app, "kept", namespace);
  await cloud.rest();
  assert.deepEqual(await claims(ofCache("kept")), volumes("kept", 2));

  await cloud.order(app, "kept", namespace, cache);
  await cloud.ready(app, "kept", namespace);
  await cloud.remove(app, "kept", namespace);
  await cloud.remove(app, "other", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

test("a VPN is ready, keeps its users' keys, has new ones when it is told to, and leaves nothing", async () => {
  const app = appOf("VPN");
  const before = lines(await cloud.everything());
  await cloud.order(app, "office", namespace, { users: { alice: {} } });
  await cloud.ready(app, "office", namespace);
  const secret = async (name: string) => (await admin.get(Secret, `vpn-office-${name}`, namespace))?.data ?? {};
  const url = async (user: string) => (await secret("urls"))[user];
  const first = await url("alice");
  const certificate = (await secret("vpn-tls"))["tls.crt"];
  assert.ok(first !== undefined && certificate !== undefined);

  await cloud.change(app, "office", namespace, { users: { aaron: {} }, replicas: 3 });
  await eventually("the new user has a key", async () => (await url("aaron")) !== undefined);
  await cloud.ready(app, "office", namespace);
  assert.equal(await url("alice"), first);

  await cloud.annotate(app, "office", namespace, { "apps.cozystack.io/rotate": "1" });
  await eventually("everybody has another key", async () => (await url("alice")) !== first);
  await cloud.rest();
  await cloud.ready(app, "office", namespace);
  const now = Buffer.from((await url("alice")) ?? "", "base64").toString();
  const words = Buffer.from(/^ss:..([^@]+)@/.exec(now)?.[1] ?? "", "base64url").toString();
  const server = Buffer.from((await secret("vpn"))["shadowbox_config.json"] ?? "", "base64").toString();
  assert.equal(words, `chacha20-ietf-poly1305:${JSON.parse(server).accessKeys[1].password}`);
  assert.notEqual((await secret("vpn-tls"))["tls.crt"], certificate);

  await cloud.remove(app, "office", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

test("a VirtualPrivateCloud is ready with its networks, and leaves none of them", async () => {
  const app = appOf("VirtualPrivateCloud");
  const before = lines(await cloud.everything());
  const [a, b] = [
    { name: "a", cidr: "172.16.0.0/24" },
    { name: "b", cidr: "172.16.1.0/24" },
  ];
  await cloud.order(app, "office", namespace, { subnets: [a, b] });
  await cloud.ready(app, "office", namespace);
  const labelSelector = `cozystack.io/tenantName=${namespace}`;
  const subnets = async () => (await admin.list(Subnet, { labelSelector })).items;
  assert.ok((await subnets()).every((subnet) => subnet.status?.v4availableIPs === 253));
  const ids = (await subnets()).map(({ metadata }) => metadata.name).sort();
  const networks = await admin.list(NetworkAttachmentDefinition, { namespace });
  assert.deepEqual(networks.items.map(({ metadata }) => metadata.name).sort(), ids);
  assert.equal((await admin.list(Vpc, { labelSelector })).items[0]?.status?.standby, true);

  await cloud.change(app, "office", namespace, { subnets: [a, { name: "none" }] });
  await eventually("a subnet without addresses is not ready, which is said", async () => {
    const said = conditionOf(await cloud.get(app, "office", namespace), "Ready");
    return /no cidrBlock/.test(said?.message ?? "");
  });
  await cloud.change(app, "office", namespace, { subnets: [a] });
  await cloud.ready(app, "office", namespace);
  await eventually("the others are gone", async () => (await subnets()).length === 1);

  await cloud.remove(app, "office", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});
