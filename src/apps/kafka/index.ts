/** Kafka with ZooKeeper, run by Strimzi. */
import { defineApp } from "../../sdk/define-app.ts";
import { claims, expose, monitors, needs, render } from "./render.ts";
import { longestRelease } from "./rules.ts";
import { KafkaSpec } from "./spec.ts";

export const kafka = defineApp({
  kind: "Kafka",
  plural: "kafkas",
  release: "kafka-",
  longestRelease,
  catalog: {
    title: "Kafka",
    category: "PaaS",
    tags: ["messaging"],
    summary: "Event streams with topics, kept on volumes",
    fieldOrder: ["external", "tls", "topics", "kafka", "zookeeper"],
  },
  spec: KafkaSpec,
  needs,
  render,
  monitors,
  expose,
  storage: claims,
});
