/** Virtual machines that start from existing disks, run by KubeVirt. */
import { defineApp } from "../../sdk/define-app.ts";
import { expose, monitors, needs, references, render } from "./render.ts";
import { VMInstanceSpec } from "./spec.ts";

export const vmInstance = defineApp({
  kind: "VMInstance",
  plural: "vminstances",
  release: "vm-instance-",
  catalog: {
    title: "VM Instance",
    titlePlural: "VM Instances",
    category: "IaaS",
    weight: 50,
    tags: ["compute"],
    summary: "Virtual machine",
    fieldOrder: [
      "external",
      "externalMethod",
      "externalPorts",
      "externalAllowICMP",
      "runStrategy",
      "instanceType",
      "instanceProfile",
      "disks",
      "networks",
      "subnets",
      "gpus",
      "cpuModel",
      "resources",
      "sshKeys",
      "cloudInit",
      "cloudInitSeed",
    ],
  },
  spec: VMInstanceSpec,
  needs,
  render,
  monitors,
  expose,
  references,
});
