/** Kubernetes clusters: control planes that Kamaji runs here, machines of KubeVirt with Talos Linux. */
import { defineApp } from "../../sdk/define-app.ts";
import { longestRelease } from "./names.ts";
import { claims, expose, leftovers, monitors, needs, render } from "./render.ts";
import { KubernetesSpec } from "./spec.ts";

export const kubernetes = defineApp({
  kind: "Kubernetes",
  plural: "kuberneteses",
  release: "kubernetes-",
  longestRelease,
  catalog: {
    title: "Kubernetes",
    titlePlural: "Kubernetes",
    category: "IaaS",
    weight: 40,
    tags: ["compute"],
    summary: "Managed Kubernetes service",
    fieldOrder: [
      "storageClass",
      "nodeGroups",
      "version",
      "host",
      "addons",
      "controlPlane",
      "images",
      "talos",
      "nodeHealthCheck",
      "maxNodeProvisionTime",
      "oidc",
    ],
  },
  spec: KubernetesSpec,
  needs,
  render,
  monitors,
  expose,
  storage: claims,
  leftovers,
});
