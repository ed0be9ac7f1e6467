/** Proxies under the real controllers, with the twin in the place of machines: ready, changed, deleted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Deployment } from "../../src/contracts/apps.ts";
import { ConfigMap, Service } from "../../src/contracts/core.ts";
import { appOf, startCloud } from "../support/cloud.ts";
import { lines } from "../support/everything.ts";

const cloud = await startCloud();
const namespace = await cloud.tenant("net");
const { admin } = cloud;

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
