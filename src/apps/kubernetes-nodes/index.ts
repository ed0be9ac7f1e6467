/** A pool of worker machines of a Kubernetes cluster, ordered apart from it. */
import { defineApp } from "../../sdk/define-app.ts";
import { expose, monitors, needs, references, render } from "./render.ts";
import { KubernetesNodesSpec } from "./spec.ts";

export const kubernetesNodes = defineApp({
  kind: "KubernetesNodes",
  plural: "kubernetesnodeses",
  release: "kubernetes-nodes-",
  catalog: {
    title: "Kubernetes Nodes",
    titlePlural: "Kubernetes Nodes",
    category: "IaaS",
    weight: 41,
    tags: ["compute"],
    summary: "Worker nodes of a managed Kubernetes cluster",
    fieldOrder: [
      "cluster",
      "storageClass",
      "minReplicas",
      "maxReplicas",
      "instanceType",
      "diskSize",
      "roles",
      "resources",
      "gpus",
      "kubelet",
      "logSerialConsole",
      "maxUnhealthy",
      "nodeStartupTimeout",
      "readyUnknownTimeout",
      "readyFalseTimeout",
      "maxNodeProvisionTime",
      "version",
      "talos",
      "images",
    ],
  },
  spec: KubernetesNodesSpec,
  needs,
  render,
  monitors,
  expose,
  references,
});
