/** RabbitMQ, run by its own two operators: one for the cluster, one for users and virtual hosts in it. */
import { defineApp } from "../../sdk/define-app.ts";
import { claims, expose, monitors, needs, render } from "./render.ts";
import { longestRelease } from "./rules.ts";
import { RabbitMQSpec } from "./spec.ts";

export const rabbitmq = defineApp({
  kind: "RabbitMQ",
  plural: "rabbitmqs",
  release: "rabbitmq-",
  longestRelease,
  catalog: {
    title: "RabbitMQ",
    category: "PaaS",
    tags: ["messaging"],
    summary: "Managed RabbitMQ service",
    fieldOrder: [
      "replicas",
      "resources",
      "resourcesPreset",
      "size",
      "storageClass",
      "external",
      "version",
      "users",
      "vhosts",
    ],
  },
  spec: RabbitMQSpec,
  needs,
  render,
  monitors,
  expose,
  storage: claims,
});
