/** NATS with JetStream, made by its own chart through Flux. */
import { defineApp } from "../../sdk/define-app.ts";
import { longestInnerRelease } from "../../sdk/inner-release.ts";
import { claims, expose, monitors, needs, render } from "./render.ts";
import { NATSSpec } from "./spec.ts";

export const nats = defineApp({
  kind: "NATS",
  plural: "natses",
  release: "nats-",
  longestRelease: longestInnerRelease,
  catalog: {
    title: "NATS",
    category: "PaaS",
    tags: ["messaging"],
    summary: "Message system with streams kept on volumes",
    fieldOrder: [
      "replicas",
      "resources",
      "resourcesPreset",
      "storageClass",
      "external",
      "tls",
      "users",
      "jetstream",
      "config",
    ],
  },
  spec: NATSSpec,
  needs,
  render,
  monitors,
  expose,
  storage: claims,
});
