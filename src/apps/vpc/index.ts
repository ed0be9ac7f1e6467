/** A virtual private cloud: networks of Kube-OVN that machines and pods have besides the pod network. */
import { defineApp } from "../../sdk/define-app.ts";
import { render } from "./render.ts";
import { VPCSpec } from "./spec.ts";

export const vpc = defineApp({
  kind: "VirtualPrivateCloud",
  plural: "virtualprivateclouds",
  release: "virtualprivatecloud-",
  catalog: {
    title: "VPC",
    titlePlural: "VPCs",
    category: "IaaS",
    summary: "Isolated networks",
    fieldOrder: ["subnets", "peers", "routes"],
  },
  spec: VPCSpec,
  render,
});
