/** Redis with Sentinel, run by the Redis operator of Spotahome. */
import { defineApp } from "../../sdk/define-app.ts";
import { authSecret, claims, monitors, needs, render } from "./render.ts";
import { RedisSpec } from "./spec.ts";

export const redis = defineApp({
  kind: "Redis",
  plural: "redises",
  release: "redis-",
  // The operator's StatefulSet is rfr-<release>, and pods of one with more than 52 characters cannot be made.
  longestRelease: 48,
  catalog: {
    title: "Redis",
    category: "PaaS",
    tags: ["cache"],
    summary: "In-memory data store with automatic failover",
    fieldOrder: [
      "replicas",
      "resources",
      "resourcesPreset",
      "size",
      "storageClass",
      "external",
      "version",
      "authEnabled",
    ],
  },
  spec: RedisSpec,
  needs,
  render,
  monitors,
  expose: ({ release }) => ({
    services: [`rfs-${release}`, `rfrm-${release}`, `rfrs-${release}`, `${release}-external-lb`],
    secrets: [authSecret(release)],
    monitors: [`${release}-redis`, `${release}-sentinel`],
  }),
  storage: claims,
});
