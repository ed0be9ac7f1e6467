import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClusterValues } from "../../sdk/context.ts";
import { formatAmounts, parseAmounts } from "./amounts.ts";
import { enforcedAmounts, usageKey } from "./keys.ts";

interface Case {
  readonly why: string;
  readonly declared: Readonly<Record<string, string | number>>;
  readonly cluster?: ClusterValues;
  readonly enforced: Readonly<Record<string, string>>;
}

const cases: readonly Case[] = [
  { why: "cpu and its promise", declared: { cpu: 20 }, enforced: { "limits.cpu": "20", "requests.cpu": "2" } },
  {
    why: "the platform's ratios",
    declared: { memory: "1Gi", cpu: 3 },
    cluster: { "memory-allocation-ratio": 2, "cpu-allocation-ratio": "4" },
    enforced: { "limits.cpu": "3", "limits.memory": "1Gi", "requests.cpu": "750m", "requests.memory": "512Mi" },
  },
  { why: "volumes", declared: { storage: "5Gi" }, enforced: { "requests.storage": "5Gi" } },
  {
    why: "devices, which Kubernetes counts by requests",
    declared: { "nvidia.com/gpu": 2 },
    enforced: { "requests.nvidia.com/gpu": "2" },
  },
  {
    why: "counted objects",
    declared: { pods: 5, "count/deployments.apps": 3 },
    enforced: { "count/deployments.apps": "3", pods: "5" },
  },
  {
    why: "names that Kubernetes does not take keep no other from being enforced",
    declared: { cpu: 20, CPU: 5, gpu: 1, "limits.limits.cpu": 1 },
    enforced: { "limits.cpu": "20", "requests.cpu": "2" },
  },
  {
    why: "volumes of one class",
    declared: { "fast.storageclass.storage.k8s.io/requests.storage": "1Gi" },
    enforced: { "fast.storageclass.storage.k8s.io/requests.storage": "1Gi" },
  },
  {
    why: "feature 99: a buffer of 130 makes everything 30 percent larger, in whole objects",
    declared: { cpu: 10, pods: 5 },
    cluster: { "tenant-quota-buffer-percent": "130" },
    enforced: { "limits.cpu": "13", "requests.cpu": "1300m", pods: "6" },
  },
  {
    why: "a buffer of 0 is none",
    declared: { pods: 5 },
    cluster: { "tenant-quota-buffer-percent": "0" },
    enforced: { pods: "5" },
  },
];

for (const { why, declared, cluster = {}, enforced } of cases) {
  test(`what is declared is enforced by keys that Kubernetes counts: ${why}`, () => {
    assert.deepEqual(formatAmounts(enforcedAmounts(parseAmounts(declared), cluster)), enforced);
  });
}

test("the use of a resource is looked up where Kubernetes counts it", () => {
  const of = ["cpu", "storage", "pods", "nvidia.com/gpu", "count/x", "requests.cpu"].map(usageKey);
  assert.deepEqual(of, [
    "limits.cpu",
    "requests.storage",
    "pods",
    "requests.nvidia.com/gpu",
    "count/x",
    "requests.cpu",
  ]);
});

test("a buffer on amounts beyond 64 bits does not overflow", () => {
  const enforced = enforcedAmounts(parseAmounts({ memory: "7Ei" }), { "tenant-quota-buffer-percent": "200" });
  assert.equal(enforced.get("limits.memory"), 14n * 2n ** 60n * 1_000_000_000n);
});
