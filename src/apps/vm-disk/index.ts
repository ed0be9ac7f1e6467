/** Disks of virtual machines: blank, imported, uploaded or copied, by the Containerized Data Importer. */
import { defineApp } from "../../sdk/define-app.ts";
import { claims, expose, monitors, needs, render } from "./render.ts";
import { VMDiskSpec } from "./spec.ts";

export const vmDisk = defineApp({
  kind: "VMDisk",
  plural: "vmdisks",
  release: "vm-disk-",
  catalog: {
    title: "VM Disk",
    titlePlural: "VM Disks",
    category: "IaaS",
    weight: 51,
    tags: ["storage"],
    summary: "Disk of a virtual machine",
    fieldOrder: ["source", "optical", "storage", "storageClass"],
  },
  spec: VMDiskSpec,
  needs,
  render,
  monitors,
  expose,
  storage: claims,
});
