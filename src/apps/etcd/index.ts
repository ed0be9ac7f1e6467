/**
 * etcd, where control planes of tenants' Kubernetes clusters keep their objects. Deleting it deletes them: there is no
 * `reclaimPolicy`, since volumes of a former cluster are of no use to the next.
 */
import { defineApp } from "../../sdk/define-app.ts";
import { claims, expose, monitors, render } from "./render.ts";
import { EtcdSpec } from "./spec.ts";

export const etcd = defineApp({
  kind: "Etcd",
  plural: "etcds",
  release: "",
  module: true,
  catalog: {
    title: "Etcd",
    category: "Administration",
    summary: "Storage for the tenant's Kubernetes clusters",
    fieldOrder: ["version", "size", "storageClass", "replicas", "resources"],
  },
  spec: EtcdSpec,
  render,
  monitors,
  expose,
  storage: claims,
});
