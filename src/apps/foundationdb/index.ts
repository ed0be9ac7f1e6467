/** FoundationDB, run by its own operator. */
import { defineApp } from "../../sdk/define-app.ts";
import { claims, monitors, render } from "./render.ts";
import { FoundationDBSpec } from "./spec.ts";

export const foundationdb = defineApp({
  kind: "FoundationDB",
  plural: "foundationdbs",
  release: "foundationdb-",
  catalog: {
    title: "FoundationDB",
    category: "PaaS",
    tags: ["database"],
    summary: "Managed FoundationDB",
    fieldOrder: [
      "cluster",
      "storage",
      "resources",
      "resourcesPreset",
      "backup",
      "monitoring",
      "customParameters",
      "imageType",
      "securityContext",
      "automaticReplacements",
    ],
  },
  spec: FoundationDBSpec,
  render,
  monitors,
  storage: claims,
});
