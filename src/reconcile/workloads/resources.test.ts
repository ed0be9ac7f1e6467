import assert from "node:assert/strict";
import { test } from "node:test";
import { Service } from "../../kube/kinds/core.ts";
import type { Container } from "../../kube/kinds/pod-spec.ts";
import { PersistentVolumeClaim } from "../../kube/kinds/storage.ts";
import { Pod } from "../../kube/kinds/workloads.ts";
import { claimResources, podResources, type Resources, serviceResources } from "./resources.ts";

const container = (name: string, requests: Record<string, string>, more: Partial<Container> = {}): Container => ({
  name,
  resources: { requests },
  ...more,
});

const pods: readonly { readonly why: string; readonly pod: Pod; readonly gives: Resources }[] = [
  {
    why: "containers add up, exactly",
    pod: Pod("p", {
      spec: { containers: [container("a", { cpu: "100m", memory: "1Gi" }), container("b", { cpu: "0.2" })] },
    }),
    gives: { cpu: "300m", memory: "1Gi" },
  },
  {
    why: "a large step of the start counts",
    pod: Pod("p", {
      spec: { containers: [container("a", { cpu: "1" })], initContainers: [container("i", { cpu: "2" })] },
    }),
    gives: { cpu: "2" },
  },
  {
    why: "sidecars count with the containers, and with the steps after them",
    pod: Pod("p", {
      spec: {
        containers: [container("a", { cpu: "1" })],
        initContainers: [container("s", { cpu: "500m" }, { restartPolicy: "Always" }), container("i", { cpu: "2" })],
      },
    }),
    gives: { cpu: "2500m" },
  },
  {
    why: "overhead is added",
    pod: Pod("p", { spec: { containers: [container("a", { cpu: "1" })], overhead: { cpu: "250m" } } }),
    gives: { cpu: "1250m" },
  },
  {
    why: "the annotation replaces single figures; bad entries are skipped",
    pod: Pod("p", {
      annotations: { "workload.cozystack.io/resources": '{"cpu":"4","gpu":1,"memory":"much","x":{}}' },
      spec: { containers: [container("a", { cpu: "1", memory: "1Gi" })] },
    }),
    gives: { cpu: "4", memory: "1Gi", gpu: "1" },
  },
  {
    why: "an annotation that is no JSON replaces nothing",
    pod: Pod("p", {
      annotations: { "workload.cozystack.io/resources": "{" },
      spec: { containers: [container("a", { cpu: "1" })] },
    }),
    gives: { cpu: "1" },
  },
];

for (const { why, pod, gives } of pods) {
  test(`a pod's resources: ${why}`, () => assert.deepEqual(podResources(pod), gives));
}

test("a claim is counted by its class, and one without a class all the same", () => {
  const spec = { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } };
  const status = { phase: "Bound" as const, capacity: { storage: "2Gi" } };
  assert.deepEqual(
    claimResources(PersistentVolumeClaim("c", { spec: { ...spec, storageClassName: "fast" }, status })),
    {
      "fast.storageclass.storage.k8s.io/requests.storage": "2Gi",
    },
  );
  assert.deepEqual(claimResources(PersistentVolumeClaim("c", { spec, status })), { "requests.storage": "2Gi" });
});

test("a load balancer's addresses are counted by pool; host names are no addresses", () => {
  const status = { loadBalancer: { ingress: [{ ip: "10.0.0.1" }, { hostname: "lb.example.com" }] } };
  const service = (annotations: Record<string, string>) =>
    Service("s", { annotations, spec: { type: "LoadBalancer" }, status });
  const key = (pool: string) => `${pool}.ipaddresspool.metallb.io/requests.ipaddresses`;
  assert.deepEqual(serviceResources(service({ "metallb.universe.tf/ip-allocated-from-pool": "public" })), {
    [key("public")]: "1",
  });
  assert.deepEqual(serviceResources(service({})), { [key("default")]: "1" });
});
