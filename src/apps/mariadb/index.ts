/** MariaDB, run by mariadb-operator. */
import { defineApp } from "../../sdk/define-app.ts";
import { claims, expose, monitors, needs, render } from "./render.ts";
import { longestRelease } from "./rules.ts";
import { MariaDBSpec } from "./spec.ts";

export const mariadb = defineApp({
  kind: "MariaDB",
  plural: "mariadbs",
  release: "mariadb-",
  longestRelease,
  catalog: {
    title: "MariaDB",
    category: "PaaS",
    tags: ["database"],
    summary: "Relational database with replicas, users and dumps",
    fieldOrder: [
      "replicas",
      "resources",
      "resourcesPreset",
      "size",
      "storageClass",
      "external",
      "version",
      "users",
      "databases",
      "backup",
    ],
  },
  spec: MariaDBSpec,
  needs,
  render,
  monitors,
  expose,
  storage: claims,
});
