/** The tenant's ingress controllers, made by their own chart through Flux. Tenants below without their own use them too. */
import { defineApp } from "../../sdk/define-app.ts";
import { expose, monitors, needs, render } from "./render.ts";
import { IngressSpec } from "./spec.ts";

export const ingress = defineApp({
  kind: "Ingress",
  plural: "ingresses",
  release: "",
  module: true,
  catalog: {
    title: "Ingress",
    category: "Administration",
    summary: "Ingress controller of the tenant",
    fieldOrder: ["replicas", "whitelist", "cloudflareProxy", "proxyProtocol", "resources", "resourcesPreset"],
  },
  spec: IngressSpec,
  needs,
  render,
  monitors,
  expose,
});
