/** A Kubernetes cluster that the platform runs for code which a tenant does not trust. */
import { defineApp } from "../../sdk/define-app.ts";
import { render } from "./render.ts";
import { ComputePlaneSpec } from "./spec.ts";

export const computePlane = defineApp({
  kind: "ComputePlane",
  plural: "computeplanes",
  release: "",
  module: true,
  catalog: {
    title: "ComputePlane",
    titlePlural: "ComputePlanes",
    category: "Administration",
    summary: "Compute nodes of the tenant",
    fieldOrder: ["nodeGroups"],
  },
  spec: ComputePlaneSpec,
  render,
});
