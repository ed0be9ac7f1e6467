/** Boots physical machines over the network: matchbox tells them what to run, and Tinkerbell's DHCP server knows them. */
import { defineApp } from "../../sdk/define-app.ts";
import { expose, leftovers, monitors, render } from "./render.ts";
import { BootBoxSpec } from "./spec.ts";

export const bootBox = defineApp({
  kind: "BootBox",
  plural: "bootboxes",
  release: "",
  module: true,
  catalog: {
    title: "BootBox",
    titlePlural: "BootBox",
    category: "Administration",
    summary: "PXE hardware provisioning",
    fieldOrder: ["whitelistHTTP", "whitelist", "machines"],
  },
  spec: BootBoxSpec,
  render,
  monitors,
  expose,
  leftovers,
});
