/** The object store of a tenant and of those below it: SeaweedFS, made by its own chart through Flux, with a PostgreSQL. */
import { defineApp } from "../../sdk/define-app.ts";
import { longestInnerRelease } from "../../sdk/inner-release.ts";
import { claims, expose, monitors, needs, render } from "./render.ts";
import { SeaweedFSSpec } from "./spec.ts";

export const seaweedfs = defineApp({
  kind: "SeaweedFS",
  plural: "seaweedfses",
  release: "",
  module: true,
  longestRelease: longestInnerRelease,
  catalog: {
    title: "SeaweedFS",
    category: "Administration",
    summary: "Object store of the tenant",
    fieldOrder: ["host", "topology", "replicationFactor", "db", "master", "filer", "volume", "s3"],
  },
  spec: SeaweedFSSpec,
  needs,
  render,
  monitors,
  expose,
  storage: claims,
});
