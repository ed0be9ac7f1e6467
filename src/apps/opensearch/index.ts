/** OpenSearch with its Dashboards, run by the OpenSearch operator. */
import { defineApp } from "../../sdk/define-app.ts";
import { claims, expose, monitors, needs, render } from "./render.ts";
import { longestRelease } from "./rules.ts";
import { OpenSearchSpec } from "./spec.ts";

export const opensearch = defineApp({
  kind: "OpenSearch",
  plural: "opensearches",
  release: "opensearch-",
  longestRelease,
  catalog: {
    title: "OpenSearch",
    category: "PaaS",
    tags: ["database"],
    summary: "Managed OpenSearch",
    fieldOrder: [
      "replicas",
      "resources",
      "resourcesPreset",
      "size",
      "storageClass",
      "external",
      "topologySpreadPolicy",
      "version",
      "images",
      "nodeRoles",
      "users",
      "dashboards",
    ],
  },
  spec: OpenSearchSpec,
  needs,
  render,
  monitors,
  expose,
  storage: claims,
});
