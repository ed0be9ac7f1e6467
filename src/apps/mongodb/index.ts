/** MongoDB, run by Percona's operator. */
import { defineApp } from "../../sdk/define-app.ts";
import { claims, expose, monitors, needs, render } from "./render.ts";
import { longestRelease } from "./rules.ts";
import { MongoDBSpec } from "./spec.ts";

export const mongodb = defineApp({
  kind: "MongoDB",
  plural: "mongodbs",
  release: "mongodb-",
  longestRelease,
  catalog: {
    title: "MongoDB",
    category: "PaaS",
    tags: ["database"],
    summary: "Managed MongoDB",
    fieldOrder: [
      "replicas",
      "resources",
      "resourcesPreset",
      "size",
      "storageClass",
      "external",
      "version",
      "sharding",
      "shardingConfig",
      "users",
      "databases",
      "backup",
      "bootstrap",
    ],
  },
  spec: MongoDBSpec,
  needs,
  render,
  monitors,
  expose,
  storage: claims,
});
