/** What a quota leaves no room for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ResourceQuota } from "../contracts/core.ts";
import {
  claimAmounts,
  lastingShortageText,
  podAmounts,
  resourcesIn,
  shortagesOf,
  shortageText,
} from "./quota-shortage.ts";

const quota = (
  hard: Readonly<Record<string, string>>,
  used: Readonly<Record<string, string>> = {},
  spec: object = {},
) => ResourceQuota("tenant-quota", { namespace: "tenant-a", spec, status: { hard, used } });
const container = { limits: { cpu: "1", memory: "1Gi" }, requests: { cpu: "100m" } };
const pod = podAmounts([container, container]);

const rows: {
  readonly why: string;
  readonly quota: ResourceQuota;
  readonly needed?: ReturnType<typeof podAmounts>;
  readonly says: RegExp | undefined;
}[] = [
  { why: "all fits, exactly", quota: quota({ "limits.cpu": "4" }, { "limits.cpu": "2" }), says: undefined },
  {
    why: "all containers count",
    quota: quota({ "limits.cpu": "4" }, { "limits.cpu": "2500m" }),
    says: /another pod, which needs 2 of limits\.cpu, and 1500m of 4 is left$/,
  },
  {
    why: "a request that is not given is the limit",
    quota: quota({ "requests.memory": "3Gi", "requests.cpu": "1" }, { "requests.memory": "2Gi" }),
    says: /needs 2Gi of requests\.memory, and 1Gi of 3Gi is left$/,
  },
  { why: "cpu is what is requested", quota: quota({ cpu: "150m" }), says: /200m of cpu, and 150m of 150m is left/ },
  { why: "pods are counted", quota: quota({ pods: "3" }, { pods: "3" }), says: /1 of pods, and 0 of 3 is left/ },
  {
    why: "more is used than there is",
    quota: quota({ pods: "3" }, { pods: "5" }),
    says: /1 of pods, and 0 of 3 is left/,
  },
  { why: "what is not bounded fits", quota: quota({ "requests.storage": "0" }), says: undefined },
  {
    why: "a quota of some pods only is not judged",
    quota: quota({ pods: "0" }, {}, { scopes: ["BestEffort"] }),
    says: undefined,
  },
  {
    why: "a volume",
    quota: quota({ "requests.storage": "15Gi" }, { "requests.storage": "10Gi" }),
    needed: claimAmounts("10Gi"),
    says: /another pod, which needs 10Gi of requests\.storage, and 5Gi of 15Gi is left/,
  },
];
for (const { why, quota: one, needed = pod, says } of rows) {
  test(`a shortage of quota: ${why}`, () => {
    const [short, ...others] = shortagesOf([one], needed, "pod");
    assert.deepEqual(others, []);
    if (says === undefined) assert.equal(short, undefined);
    else assert.match(short === undefined ? "" : shortageText(short), says);
  });
}

test("what is stored of a shortage does not change with what others use", () => {
  const said = ["1", "2"].map((used) => shortagesOf([quota({ pods: "3", cpu: "200m" }, { cpu: used })], pod, "pod"));
  assert.deepEqual(said.flat().map(lastingShortageText), [
    "leaves no room for another pod, which needs 200m of the 200m of cpu",
    "leaves no room for another pod, which needs 200m of the 200m of cpu",
  ]);
});

test("an operator's object says how large its containers are, wherever it does", () => {
  const storage = { resources: { requests: { storage: "1Gi" } } };
  const cluster = { spec: { instances: 2, resources: container, template: { parts: [{ resources: {} }] }, storage } };
  assert.deepEqual(resourcesIn(cluster), [container]);
});
