import assert from "node:assert/strict";
import { test } from "node:test";
import { templateName } from "./machine-template.ts";
import type { NodePool } from "./pool.ts";
import { talosDefaults } from "./versions.ts";

const base: NodePool = {
  cluster: "test-k8s",
  application: "test-k8s",
  name: "md0",
  namespace: "tenant-test",
  field: "spec",
  context: {
    cluster: {},
    namespace: { host: "", etcd: "", ingress: "", gateway: "", monitoring: "", seaweedfs: "", schedulingClass: "" },
    tenant: { namespace: "tenant-test", ancestors: ["tenant-root"] },
    chartVersion: "0.0.0",
    apis: new Set(),
  },
  minReplicas: 0,
  maxReplicas: 10,
  instanceType: "",
  diskSize: "20Gi",
  storageClass: "replicated",
  roles: ["worker"],
  resources: { cpu: "2", memory: "4Gi" },
  gpus: [],
  kubelet: { evictionHardMemory: "7%", evictionSoftMemory: "10%" },
  logSerialConsole: false,
  maxUnhealthy: "50%",
  nodeStartupTimeout: "20m",
  readyUnknownTimeout: "5m",
  readyFalseTimeout: "10m",
  maxNodeProvisionTime: "30m",
  version: "v1.35",
  talos: { ...talosDefaults, registryMirrors: {} },
};

const constraint = `topologySpreadConstraints:
- maxSkew: 1
  topologyKey: topology.kubernetes.io/zone
  whenUnsatisfiable: DoNotSchedule
`;
const foo = {
  cluster: "kubernetes-demo",
  application: "demo",
  namespace: "tenant-foo",
  instanceType: "u1.medium",
  resources: {},
};

/** Digests of templates that running installations have: reference/apps/kubernetes.md, 3.3. */
const vectors: readonly { readonly why: string; readonly pool: Partial<NodePool>; readonly digest: string }[] = [
  { why: "sized by resources", pool: {}, digest: "fdbcb9" },
  { why: "no storage class", pool: { storageClass: "" }, digest: "4a2527" },
  { why: "no roles", pool: { roles: [] }, digest: "4f33e2" },
  { why: "two GPUs", pool: { gpus: [{ name: "nvidia.com/X" }, { name: "nvidia.com/Y" }] }, digest: "c7e55b" },
  { why: "another cpu for pods", pool: { podCpuLimit: "3", podCpuRequest: "200m" }, digest: "8d02b9" },
  { why: "a console in the log", pool: { logSerialConsole: true, storageClass: "x" }, digest: "48e582" },
  { why: "of no known size", pool: { resources: {} }, digest: "1e72fe" },
  {
    why: "spread over zones",
    pool: {
      context: { ...base.context, cluster: { scheduling: { globalAppTopologySpreadConstraints: constraint } } },
    },
    digest: "2c9b64",
  },
  { why: "the pool that a cluster without pools has", pool: { ...foo, roles: ["ingress-nginx"] }, digest: "9c9eaa" },
  { why: "of an instance type", pool: { ...foo, name: "md1", roles: [] }, digest: "52bc7a" },
  {
    why: "a pool of another cluster",
    pool: {
      cluster: "kubernetes-myk8s",
      application: "myk8s",
      roles: ["ingress-nginx"],
    },
    digest: "a6ac3e",
  },
];

for (const { why, pool, digest } of vectors) {
  test(`machines that run are not replaced: ${why}`, () => {
    const given = { ...base, ...pool };
    assert.equal(templateName(given), `${given.cluster}-${given.name}-${digest}`);
  });
}
