import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { controlPlane, instanceTypes, talosSecrets } from "../../../test/support/machines.ts";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { MachineDeployment, MachineSet } from "../../contracts/cluster-x-k8s-io.ts";
import { KubevirtMachine, KubevirtMachineTemplate } from "../../contracts/infrastructure-cluster-x-k8s-io.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { kubernetesNodes } from "./index.ts";

const pool = ({ spec = {}, existing = [], ...given }: Omit<RenderGiven, "spec"> & { readonly spec?: object } = {}) =>
  renderApp(kubernetesNodes, {
    name: "demo-md1",
    ...given,
    spec: { cluster: "demo", ...spec },
    existing: [...instanceTypes, ...existing],
  });

const refusals = [
  { why: "a pool of no cluster", spec: { cluster: "" }, field: "spec.cluster" },
  { why: "a name that is not the cluster's", name: "other-md1", field: "metadata.name" },
  { why: "a name that is the cluster's alone", name: "demo-", field: "metadata.name" },
  { why: "a role that no label can have", spec: { roles: ["a/b"] }, field: "spec.roles[0]" },
  {
    why: "a part of a core",
    spec: { instanceType: "", resources: { cpu: "1500m", memory: "4Gi" } },
    field: "spec.resources.cpu",
  },
  {
    why: "names of images in more than one line",
    spec: { talos: { schematicID: "a\nb" } },
    field: "spec.talos.schematicID",
  },
  { why: "a disk of nothing", spec: { diskSize: 0 }, field: "spec.diskSize" },
  { why: "an instance type that does not exist", spec: { instanceType: "x9.none" }, field: "spec.instanceType" },
  { why: "a size that is half said", spec: { resources: { cpu: 2 } }, field: "spec.resources" },
  { why: "a duration without a unit", spec: { readyFalseTimeout: "30" }, field: "spec.readyFalseTimeout" },
  { why: "half of the machines in words", spec: { maxUnhealthy: "half" }, field: "spec.maxUnhealthy" },
] as const;

for (const { why, field, ...given } of refusals) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => pool(given),
      (error) => error instanceof Refusal && error.field === field,
    );
  });
}

const foreign = [
  { why: "Helm's, of the cluster", metadata: { annotations: { "meta.helm.sh/release-name": "kubernetes-demo" } } },
  { why: "ours, of the cluster", metadata: { labels: { "apps.cozystack.io/application.kind": "Kubernetes" } } },
] as const;

const deploymentOf = (template: string) => ({
  spec: {
    clusterName: "kubernetes-demo",
    selector: {},
    template: {
      spec: {
        clusterName: "kubernetes-demo",
        bootstrap: {},
        infrastructureRef: { apiVersion: "", kind: "KubevirtMachineTemplate", name: template },
      },
    },
  },
});

for (const { why, metadata } of foreign) {
  test(`machines of another stay theirs: ${why}`, () => {
    const live = MachineDeployment("kubernetes-demo-md1", { ...metadata, ...deploymentOf("x") });
    assert.throws(() => pool({ existing: [live] }), /nodeGroups|belong to/);
  });
}

test("a pool taken over from Helm keeps its machines", () => {
  const annotations = { "meta.helm.sh/release-name": "kubernetes-nodes-demo-md1" };
  const live = MachineDeployment("kubernetes-demo-md1", { annotations, ...deploymentOf("x") });
  assert.notEqual(pool({ existing: [live] }).manifest("MachineDeployment", "kubernetes-demo-md1"), undefined);
});

test("nobody but the autoscaler says how many machines there are", () => {
  const deployment = pool({ spec: { minReplicas: 3 } }).object("MachineDeployment", "kubernetes-demo-md1");
  assert.equal(valueAt(deployment, "spec", "replicas"), undefined);
});

const configuration = "kubernetes-demo-md1";
const all = [...controlPlane, talosSecrets];

test("machines' configuration is there once all of what it is made of is", () => {
  for (const missing of all) {
    const existing = all.filter((object) => object !== missing);
    const rendered = pool({ existing });
    assert.equal(rendered.manifest("TalosConfigTemplate", configuration), undefined, missing.metadata.name);
  }
  const template = pool({ existing: all }).object("TalosConfigTemplate", configuration);
  const data: unknown = parse(String(valueAt(template, "spec", "template", "spec", "data")));
  assert.equal(valueAt(data, "machine", "token"), "abcdef.0123456789abcdef");
  assert.equal(valueAt(data, "cluster", "token"), "fedcba.fedcba9876543210", "composed, not as it was left");
});

test("a configuration that is there stays while its sources are away: machines that start need it", () => {
  const live = pool({ existing: all }).objects.filter(({ kind }) => kind === "TalosConfigTemplate");
  assert.equal(live.length, 1);
  const again = pool({ existing: live });
  assert.deepEqual(
    valueAt(again.object("TalosConfigTemplate", configuration), "spec"),
    valueAt(JSON.parse(JSON.stringify(live[0])), "spec"),
  );
});

const current = "kubernetes-demo-md1-52bc7a";
const former = "kubernetes-demo-md1-000000";

const template = (metadata: object) => ({
  ...KubevirtMachineTemplate(former, {
    spec: { template: { spec: { virtualMachineTemplate: { metadata: {}, spec: { was: "so" } } } } },
  }),
  metadata: { name: former, ...metadata },
});

const byHelm = {
  annotations: { "meta.helm.sh/release-name": "kubernetes-nodes-demo-md1" },
  ownerReferences: [{ apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Cluster", name: "kubernetes-demo", uid: "u" }],
};
const byUs = {
  labels: {
    "apps.cozystack.io/application.kind": "KubernetesNodes",
    "apps.cozystack.io/application.name": "demo-md1",
  },
};
const labels = { "cluster.x-k8s.io/cluster-name": "kubernetes-demo" };
const set = MachineSet("s", { labels, ...deploymentOf(former) });
const deployment = MachineDeployment("kubernetes-demo-md1", deploymentOf(former));
const machine = KubevirtMachine("m", { labels, annotations: { "cluster.x-k8s.io/cloned-from-name": former } });

const kept = [
  { why: "a set of machines is made from it", metadata: byHelm, by: [set], stays: true },
  { why: "the deployment has not been told yet", metadata: byUs, by: [deployment], stays: true },
  { why: "a machine is a copy of it", metadata: byUs, by: [machine], stays: true },
  { why: "nothing is made from it any more", metadata: byUs, by: [], stays: false },
  {
    why: "it is another pool's",
    metadata: { ...byHelm, annotations: { "meta.helm.sh/release-name": "kubernetes-nodes-demo-md1-large" } },
    by: [set],
    stays: false,
  },
  { why: "it is in no cluster", metadata: { annotations: byHelm.annotations }, by: [set], stays: false },
  { why: "nobody says whose it is", metadata: {}, by: [set], stays: false },
] as const;

test("a former template stays while anything is made from it", () => {
  for (const { why, metadata, by, stays } of kept) {
    const rendered = pool({ existing: [template(metadata), ...by] });
    const found = rendered.object("KubevirtMachineTemplate", former);
    assert.equal(found !== undefined, stays, why);
    if (stays) assert.deepEqual(valueAt(found, "spec"), template({}).spec, "as it is");
    assert.notEqual(rendered.manifest("KubevirtMachineTemplate", current), undefined, why);
  }
});

test("the cluster goes only after its pools", () => {
  assert.deepEqual(pool().instance.references, [{ group: "apps.cozystack.io", kind: "Kubernetes", name: "demo" }]);
});
