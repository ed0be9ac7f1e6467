/** What tenants compute on and what machines boot from, under the real controllers, with the twin in the operators' place. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { runControllers } from "../../src/cli/controllers.ts";
import { Namespace } from "../../src/contracts/core.ts";
import { HelmRelease } from "../../src/contracts/helm-toolkit-fluxcd-io.ts";
import { Ingress } from "../../src/contracts/networking-k8s-io.ts";
import { Hardware } from "../../src/contracts/tinkerbell-org.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { valueAt } from "../../src/kube/json.ts";
import { systemWorld } from "../../src/kube/world.ts";
import { startTwin } from "../../src/twin/index.ts";
import { kindOf } from "../schema/install.ts";
import { appOf, conditionOf, isReady, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { lines } from "../support/everything.ts";

const cloud = await startCloud();
const { admin } = cloud;

test("a ComputePlane is ready, takes groups of nodes as they are, and leaves nothing", async () => {
  const app = appOf("ComputePlane");
  const namespace = await cloud.tenant("plane");
  const before = lines(await cloud.everything());
  await cloud.order(app, "computeplane", namespace);
  await cloud.ready(app, "computeplane", namespace);
  const values = async () => valueAt(await admin.get(HelmRelease, "computeplane-cluster", namespace), "spec", "values");
  assert.equal(valueAt(await values(), "addons", "ingressNginx", "exposeMethod"), "Proxied");

  const md0 = { roles: ["ingress-nginx"], maxReplicas: 3, maxUnhealthy: 1 };
  await cloud.change(app, "computeplane", namespace, { nodeGroups: { md0 } });
  const given = async () => valueAt(await values(), "nodeGroups", "md0");
  await eventually("the chart has the group", async () => (await given()) !== undefined);
  assert.deepEqual(await given(), { ...md0, minReplicas: 0, instanceType: "u1.medium", diskSize: "20Gi" });
  const live = await cloud.ready(app, "computeplane", namespace);
  assert.equal(conditionOf(live, "UnknownFields"), undefined, "what goes to the chart is not called unknown");

  await cloud.remove(app, "computeplane", namespace);
  await cloud.rest();
  assert.deepEqual(lines(await cloud.everything()), before);
});

const bootBox = appOf("BootBox");
const kind = kindOf(bootBox);

test("a BootBox in another tenant says where there can be one", async () => {
  const namespace = await cloud.tenant("boots");
  await cloud.order(bootBox, "bootbox", namespace);
  await eventually("it is refused", async () => {
    const said = conditionOf(await cloud.get(bootBox, "bootbox", namespace), "Ready");
    return /the installation has one BootBox, in tenant-root/.test(said?.message ?? "");
  });
  await cloud.remove(bootBox, "bootbox", namespace);
});

test("a BootBox of the root tenant is ready, knows its machines, and leaves nothing", async () => {
  const ending = new AbortController();
  const namespaces = ["tenant-root", "cozy-bootbox"];
  const scope = (namespace: string) => namespaces.includes(namespace);
  const { signal } = ending;
  const twin = await startTwin({ client: cloud.engine.client("twin"), signal, pace: 0, scope });
  const client = cloud.engine.client("cozystack");
  const log: string[] = [];
  const run = { client, world: systemWorld, signal, apps: [bootBox], scope, log: (line: string) => log.push(line) };
  const controllers = runControllers(run).catch((error: unknown) => assert.ok(signal.aborted, String(error)));
  after(async () => {
    ending.abort();
    await Promise.all([controllers, twin.ended]);
  });
  await admin.create(Namespace, Namespace("cozy-bootbox")).catch((error: unknown) => {
    if (!isApiError(error, "AlreadyExists")) throw error;
  });
  const machine = {
    hostname: "node1",
    arch: "x86_64",
    ip: { address: "10.0.0.11", gateway: "10.0.0.1", netmask: "255.255.255.0" },
    leaseTime: 86400,
    mac: ["00:25:90:AA:BB:01"],
    uefi: true,
  };
  const get = () => admin.get(kind, "bootbox", "tenant-root");
  await admin.create(kind, kind("bootbox", { namespace: "tenant-root", spec: { machines: [machine] } }));
  await eventually("it is ready", async () => isReady(await get()));
  const hardware = () => admin.list(Hardware, { namespace: "cozy-bootbox" });
  assert.equal((await hardware()).items[0]?.spec.interfaces?.[0]?.dhcp?.mac, "00:25:90:aa:bb:01");
  assert.ok(await admin.get(Ingress, "bootbox", "tenant-root"));

  await admin.mergePatch(kind, "bootbox", "tenant-root", { spec: { machines: [{ ...machine, hostname: "node2" }] } });
  await eventually("the machine has another name", async () => {
    const names = (await hardware()).items.map(({ metadata }) => metadata.name);
    return names.join() === "node2";
  });

  await admin.delete(kind, "bootbox", "tenant-root");
  await eventually("it is gone", async () => (await get()) === undefined);
  assert.equal((await hardware()).items.length, 0);
  assert.equal(await admin.get(Ingress, "bootbox", "tenant-root"), undefined);
  assert.deepEqual(log, []);
});
