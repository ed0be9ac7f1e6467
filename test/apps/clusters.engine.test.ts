/**
 * Kubernetes clusters and pools of machines in a whole cloud: they become ready, machines roll over when something about them
 * changes and only then, and nothing is left of them.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { kubernetes } from "../../src/apps/kubernetes/index.ts";
import { kubernetesNodes as pool } from "../../src/apps/kubernetes-nodes/index.ts";
import { MachineSet } from "../../src/contracts/cluster-x-k8s-io.ts";
import { KubevirtMachine, KubevirtMachineTemplate } from "../../src/contracts/infrastructure-cluster-x-k8s-io.ts";
import { startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";

const cloud = await startCloud();

const machinesOf = async (namespace: string) =>
  (await cloud.admin.list(KubevirtMachine, { namespace })).items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map(({ metadata, status }) => ({
      name: metadata.name,
      from: metadata.annotations?.["cluster.x-k8s.io/cloned-from-name"] ?? "",
      ready: status?.ready === true,
    }));

const templatesOf = async (namespace: string) =>
  (await cloud.admin.list(KubevirtMachineTemplate, { namespace })).items.map(({ metadata }) => metadata.name).sort();

test("a cluster and a pool beside it become ready, roll over and go", async () => {
  const namespace = await cloud.tenant("k8s");
  const group = {
    minReplicas: 2,
    maxReplicas: 4,
    instanceType: "u1.medium",
    diskSize: "20Gi",
    roles: ["ingress-nginx"],
  };
  await cloud.order(kubernetes, "demo", namespace, {
    controlPlane: { replicas: 1 },
    nodeGroups: { md0: group },
    addons: { certManager: { enabled: true }, ingressNginx: { enabled: true } },
  });
  await cloud.ready(kubernetes, "demo", namespace, 60);
  await cloud.order(pool, "demo-gpu", namespace, { cluster: "demo", minReplicas: 1 });
  await cloud.ready(pool, "demo-gpu", namespace, 60);
  await eventually("all machines run", async () => {
    const all = await machinesOf(namespace);
    return all.length === 3 && all.every(({ ready }) => ready);
  });
  const before = await machinesOf(namespace);

  await cloud.change(kubernetes, "demo", namespace, { nodeHealthCheck: { readyFalseTimeout: "15m" } });
  await cloud.ready(kubernetes, "demo", namespace, 60);
  await cloud.rest();
  assert.deepEqual(await machinesOf(namespace), before, "nothing about the machines has changed");

  const [former = ""] = (await templatesOf(namespace)).filter((name) => name.startsWith("kubernetes-demo-md0-"));
  await cloud.change(kubernetes, "demo", namespace, { nodeGroups: { md0: { diskSize: "30Gi" } } });
  await eventually("the group's machines are new ones, the pool's are not", async () => {
    const all = await machinesOf(namespace);
    const templates = new Set(await templatesOf(namespace));
    for (const { name, from } of all) assert.ok(templates.has(from), `the template of ${name} is gone`);
    const fresh = all.filter(({ from }) => from.startsWith("kubernetes-demo-md0-") && from !== former);
    return all.length === 3 && fresh.length === 2 && all.every(({ ready }) => ready);
  });
  assert.ok((await templatesOf(namespace)).includes(former), "a set of machines still names it");
  const sets = (await cloud.admin.list(MachineSet, { namespace })).items;
  for (const { spec } of sets) assert.ok(spec.template !== undefined);

  await cloud.remove(pool, "demo-gpu", namespace, 60);
  await cloud.remove(kubernetes, "demo", namespace, 60);
  // The garbage collector takes them after the sets that own them.
  await eventually("no machine is left", async () => (await machinesOf(namespace)).length === 0);
  assert.deepEqual(await templatesOf(namespace), []);
});
