import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Refusal } from "../../sdk/errors.ts";
import { catalogue, disk } from "./fixture.ts";
import { vmInstance } from "./index.ts";

const demo = (given: RenderGiven = {}) =>
  renderApp(vmInstance, { ...given, existing: [...catalogue, ...(given.existing ?? [])] });

const refused = [
  { why: "no size at all", spec: { instanceType: "" }, field: "spec.instanceType" },
  { why: "half a size", spec: { instanceType: "", resources: { cpu: 1, memory: "1Gi" } }, field: "spec.instanceType" },
  { why: "two sizes", spec: { resources: { cpu: 1, sockets: 1, memory: "1Gi" } }, field: "spec.resources" },
  { why: "memory beside an instance type", spec: { resources: { memory: "1Gi" } }, field: "spec.resources" },
  {
    why: "half a core",
    spec: { instanceType: "", resources: { cpu: "500m", sockets: 1, memory: "1Gi" } },
    field: "spec.resources.cpu",
  },
  { why: "no port on an external address", spec: { external: true, externalPorts: [] }, field: "spec.externalPorts" },
  { why: "a port twice", spec: { externalPorts: [22, 80, 22] }, field: "spec.externalPorts" },
  { why: "port 0", spec: { externalPorts: [0] }, field: "spec.externalPorts[0]" },
  { why: "a port above the last", spec: { externalPorts: [65536] }, field: "spec.externalPorts[0]" },
  { why: "a disk twice", spec: { disks: [{ name: "a" }, { name: "a" }] }, field: "spec.disks", existing: [disk("a")] },
  { why: "a disk without a name", spec: { disks: [{ bus: "scsi" }] }, field: "spec.disks[0]" },
  { why: "a bus KubeVirt does not have", spec: { disks: [{ name: "a", bus: "ide" }] }, field: "spec.disks[0].bus" },
  { why: "a network twice", spec: { networks: [{ name: "a" }, { name: "a" }] }, field: "spec.networks" },
  { why: "a network with the pod network's name", spec: { networks: [{ name: "default" }] }, field: "spec.networks" },
  {
    why: "a network of another namespace",
    spec: { networks: [{ name: "other/net" }] },
    field: "spec.networks[0].name",
  },
  { why: "a run strategy that is none", spec: { runStrategy: "Sometimes" }, field: "spec.runStrategy" },
  { why: "a key of two lines", spec: { sshKeys: ["a\nb"] }, field: "spec.sshKeys[0]" },
  { why: "an empty key", spec: { sshKeys: [""] }, field: "spec.sshKeys[0]" },
] as const;

for (const { why, spec, field, ...rest } of refused) {
  test(`refuses ${why}`, () => {
    const existing = "existing" in rest ? rest.existing : [];
    assert.throws(
      () => demo({ spec, existing }),
      (error) => error instanceof Refusal && error.field === field,
    );
  });
}
