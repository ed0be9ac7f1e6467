/** Qdrant, made by its own chart through Flux. */
import { defineApp } from "../../sdk/define-app.ts";
import { longestInnerRelease } from "../../sdk/inner-release.ts";
import { claims, expose, monitors, needs, render } from "./render.ts";
import { QdrantSpec } from "./spec.ts";

export const qdrant = defineApp({
  kind: "Qdrant",
  plural: "qdrants",
  release: "qdrant-",
  longestRelease: longestInnerRelease,
  catalog: {
    title: "Qdrant",
    category: "PaaS",
    tags: ["database"],
    summary: "Managed vector database",
    fieldOrder: ["replicas", "resources", "resourcesPreset", "size", "storageClass", "external", "tls"],
  },
  spec: QdrantSpec,
  needs,
  render,
  monitors,
  expose,
  storage: claims,
});
