/** PostgreSQL, run by the operator CloudNativePG. */
import { defineApp } from "../../sdk/define-app.ts";
import { podLabels } from "./cluster.ts";
import { claims, externalService, needs, render } from "./render.ts";
import { longestRelease } from "./rules.ts";
import { PostgresSpec } from "./spec.ts";
import { credentialsSecret } from "./users.ts";

export const postgres = defineApp({
  kind: "Postgres",
  plural: "postgreses",
  release: "postgres-",
  longestRelease,
  catalog: {
    title: "PostgreSQL",
    category: "PaaS",
    tags: ["database"],
    summary: "Relational database with replicas, users and backups",
    fieldOrder: [
      "replicas",
      "resources",
      "resourcesPreset",
      "size",
      "storageClass",
      "external",
      "version",
      "tls",
      "postgresql",
      "quorum",
      "users",
      "databases",
      "backup",
      "bootstrap",
    ],
  },
  spec: PostgresSpec,
  needs,
  render,
  monitors: ({ release, spec }) => [
    {
      name: release,
      replicas: spec.replicas,
      minReplicas: 1,
      selector: podLabels(release),
      preset: spec.resourcesPreset,
    },
  ],
  expose: ({ release }) => ({
    services: [`${release}-r`, `${release}-ro`, `${release}-rw`, externalService(release)],
    secrets: [credentialsSecret(release)],
    monitors: [release],
    labelled: { secrets: { "internal.cozystack.io/tenant-ca": "true" } },
  }),
  storage: claims,
});
