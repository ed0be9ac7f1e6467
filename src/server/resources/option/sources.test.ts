import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../kube/object.ts";
import { optionSources } from "./sources.ts";

const sources = optionSources([]);
const object = (name: string, fields: object = {}): KubeObject => ({
  apiVersion: "v1",
  kind: "X",
  metadata: { name },
  ...fields,
});
const items = (name: string, ...lists: readonly (readonly KubeObject[])[]) =>
  sources.find((source) => source.name === name)?.items(...lists);

test("gpu: what KubeVirt permits, with the nodes that have it", () => {
  const kubevirt = object("kubevirt", {
    spec: {
      configuration: {
        permittedHostDevices: {
          pciHostDevices: [{ resourceName: "nvidia.com/A" }, { resourceName: "nvidia.com/A" }],
          mediatedDevices: [{ resourceName: "nvidia.com/B" }],
        },
      },
    },
  });
  const nodes = [
    object("n2", { status: { allocatable: { "nvidia.com/A": "2" } } }),
    object("n1", { status: { allocatable: { "nvidia.com/A": "1", "nvidia.com/B": "0" } } }),
  ];
  assert.deepEqual(items("gpu", [kubevirt], nodes), [
    { value: "nvidia.com/A", description: "3 available on n1,n2" },
    { value: "nvidia.com/B", description: "not currently available on any node" },
  ]);
  assert.deepEqual(items("gpu", [], nodes), []);
});

test("storagepool: the pools of all zones, each once", () => {
  const store = object("seaweedfs", {
    spec: { volume: { pools: { ssd: {}, hdd: {} }, zones: { a: { pools: { nvme: {}, ssd: {} } }, b: {} } } },
  });
  assert.deepEqual(items("storagepool", [store, object("empty")]), [
    { value: "ssd" },
    { value: "hdd" },
    { value: "nvme" },
  ]);
});

test("appkind: the catalogue's kinds and those of definitions", () => {
  assert.deepEqual(items("appkind", [object("d", { spec: { application: { kind: "Widget" } } }), object("broken")]), [
    { value: "Widget" },
  ]);
});

test("the twelve sources of upstream are there", () => {
  assert.deepEqual(sources.map(({ name }) => name).sort(), [
    "appkind",
    "backup",
    "backupclass",
    "gpu",
    "image",
    "instanceprofile",
    "instancetype",
    "network",
    "plan",
    "storageclass",
    "storagepool",
    "vmdisk",
  ]);
});
