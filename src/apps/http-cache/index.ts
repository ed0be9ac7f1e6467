/** A cache for HTTP: HAProxy before nginx servers with a volume each, before the origins. */
import { defineApp } from "../../sdk/define-app.ts";
import { claims, monitors, needs, render } from "./render.ts";
import { longestRelease } from "./rules.ts";
import { HTTPCacheSpec } from "./spec.ts";

export const httpCache = defineApp({
  kind: "HTTPCache",
  plural: "httpcaches",
  release: "http-cache-",
  longestRelease,
  catalog: {
    title: "HTTP Cache",
    titlePlural: "HTTP Cache",
    category: "NaaS",
    tags: ["cache", "network"],
    summary: "Caching proxy for HTTP",
    fieldOrder: [
      "size",
      "storageClass",
      "external",
      "endpoints",
      "haproxy.replicas",
      "haproxy.resources",
      "haproxy.resourcesPreset",
      "nginx.replicas",
      "nginx.resources",
      "nginx.resourcesPreset",
    ],
  },
  spec: HTTPCacheSpec,
  needs,
  render,
  monitors,
  storage: claims,
});
