/** Harbor, a registry of container images, made by its own chart through Flux. */
import { defineApp } from "../../sdk/define-app.ts";
import { longestRelease } from "./names.ts";
import { claims, expose, leftovers, monitors, needs, render } from "./render.ts";
import { HarborSpec } from "./spec.ts";

export const harbor = defineApp({
  kind: "Harbor",
  plural: "harbors",
  release: "harbor-",
  longestRelease,
  catalog: {
    title: "Harbor",
    category: "PaaS",
    tags: ["registry", "container"],
    summary: "Managed container registry",
    fieldOrder: ["host", "storageClass", "core", "registry", "jobservice", "trivy", "database", "redis"],
  },
  spec: HarborSpec,
  needs,
  render,
  monitors,
  expose,
  storage: claims,
  leftovers,
});
