/** OpenBAO, a store of secrets, made by its own chart through Flux. */
import { defineApp } from "../../sdk/define-app.ts";
import { longestInnerRelease } from "../../sdk/inner-release.ts";
import { claims, expose, monitors, needs, render } from "./render.ts";
import { OpenBAOSpec } from "./spec.ts";

export const openbao = defineApp({
  kind: "OpenBAO",
  plural: "openbaos",
  release: "openbao-",
  longestRelease: longestInnerRelease,
  catalog: {
    title: "OpenBAO",
    category: "PaaS",
    tags: ["secrets"],
    summary: "Managed secret store",
    fieldOrder: ["replicas", "resources", "resourcesPreset", "size", "storageClass", "external", "ui"],
  },
  spec: OpenBAOSpec,
  needs,
  render,
  monitors,
  expose,
  storage: claims,
});
