import assert from "node:assert/strict";
import { test } from "node:test";
import { divideDecimal, goFloatText, toFloat } from "./go-number.ts";
import { currentPreset, presets } from "./presets.ts";
import { javaHeap, type ResourceMap, resources, sanitize } from "./resources.ts";

const ratios = (cpu: string | number, memory: string | number, ephemeral: string | number) => ({
  cluster: {
    "cpu-allocation-ratio": cpu,
    "memory-allocation-ratio": memory,
    "ephemeral-storage-allocation-ratio": ephemeral,
  },
});
const usual = ratios("10", "1", "40");

const floats = [
  { of: "500m", value: 0.5 },
  { of: "2e3", value: 2000 },
  { of: "3M", value: 3e6 },
  { of: "1Ki", value: 1024 },
  { of: "1Xi", value: 0 },
  { of: 7, value: 7 },
];
for (const { of, value } of floats) test(`${of} is ${value}`, () => assert.equal(toFloat(of), value));

const texts = [
  { value: 3e6, text: "3e+06" },
  { value: 268435456, text: "2.68435456e+08" },
  { value: 2.5e-7, text: "2.5e-07" },
  { value: 0.0001, text: "0.0001" },
  { value: 0.00001, text: "1e-05" },
  { value: 2000, text: "2000" },
  { value: 999999, text: "999999" },
  { value: 1073741824, text: "1.073741824e+09" },
  { value: 0.025, text: "0.025" },
];
for (const { value, text } of texts) test(`${value} is printed ${text}`, () => assert.equal(goFloatText(value), text));

const quotients = [
  { a: 32, b: 3, text: "10.666666666666666" },
  { a: 3, b: 7, text: "0.4285714285714286" },
  { a: 1, b: 7, text: "0.1428571428571429" },
  { a: 0.5, b: 10, text: "0.05" },
];
for (const { a, b, text } of quotients)
  test(`${a} / ${b} is ${text}`, () => assert.equal(goFloatText(divideDecimal(a, b)), text));

const sanitized: readonly { why: string; map: ResourceMap; limits: object; requests: object }[] = [
  { why: "cpu is divided, without a unit", map: { cpu: "500m" }, limits: { cpu: "500m" }, requests: { cpu: "0.05" } },
  {
    why: "memory is whole bytes",
    map: { memory: "512Mi" },
    limits: { memory: "512Mi" },
    requests: { memory: "536870912" },
  },
  {
    why: "ephemeral storage is cut",
    map: { "ephemeral-storage": "2Gi" },
    limits: { "ephemeral-storage": "2Gi" },
    requests: { "ephemeral-storage": "53687091" },
  },
  {
    why: "others are equal",
    map: { "example.org/gpu": 3 },
    limits: { "example.org/gpu": "3" },
    requests: { "example.org/gpu": "3" },
  },
  {
    why: "large numbers in exponent form",
    map: { memory: 1073741824 },
    limits: { memory: "1.073741824e+09" },
    requests: { memory: "1073741824" },
  },
];
for (const { why, map, limits, requests } of sanitized) {
  test(`requests: ${why}`, () => assert.deepEqual(sanitize(map, usual), { limits, requests }));
}

test("a partial override keeps the preset's other amounts", () => {
  assert.deepEqual(resources({ resourcesPreset: "t1.micro", resources: { cpu: 3 } }, usual).limits, {
    cpu: "3",
    "ephemeral-storage": "2Gi",
    memory: "256Mi",
  });
});

test("47 presets, the flat ones with their old values", () => {
  assert.equal(presets.size, 47);
  assert.deepEqual(presets.get("medium"), { cpu: "1", memory: "1Gi", "ephemeral-storage": "2Gi" });
  assert.deepEqual(presets.get("t1.medium"), { cpu: "2", memory: "1Gi", "ephemeral-storage": "2Gi" });
  assert.deepEqual(presets.get("m1.4xlarge"), { cpu: "32", memory: "256Gi", "ephemeral-storage": "2Gi" });
  assert.equal(presets.get("4xlarge"), undefined);
  assert.equal(currentPreset("2xlarge"), "c1.xlarge");
});

const refused = [
  {
    why: "an unknown preset",
    act: () => resources({ resourcesPreset: "huge" }, usual),
    code: "UnknownPreset",
    field: "spec.resourcesPreset",
  },
  {
    why: "a ratio of 0",
    act: () => sanitize({ cpu: 1 }, ratios(0, 1, 40)),
    code: "InvalidPlatform",
    field: "_cluster.cpu-allocation-ratio",
  },
  {
    why: "limits in the map",
    act: () => sanitize({ limits: 1 }, usual),
    code: "InvalidValue",
    field: "spec.resources.limits",
  },
  {
    why: "no quantity",
    act: () => sanitize({ cpu: "much" }, usual),
    code: "InvalidQuantity",
    field: "spec.resources.cpu",
  },
];
for (const { why, act, code, field } of refused) test(`refused: ${why}`, () => assert.throws(act, { code, field }));

test("ratios default where the platform gives none", () => {
  assert.deepEqual(sanitize({ cpu: 1, memory: "1Gi" }, { cluster: {} }).requests, { cpu: "0.1", memory: "1073741824" });
});

test("a Java heap is three quarters of the memory limit", () => {
  assert.equal(javaHeap(sanitize({ memory: "1Gi" }, usual)), "-Xms256m -Xmx768m");
  assert.equal(javaHeap(sanitize({ memory: "1Gi" }, ratios(10, 16, 40))), "-Xms64m -Xmx768m");
});
