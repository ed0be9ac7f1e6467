/** The gateway of a tenant's domain, for itself and for tenants below it. Only the platform makes one, by the Tenant's switch. */
import { defineApp } from "../../sdk/define-app.ts";
import { leftovers, render } from "./render.ts";
import { GatewaySpec } from "./spec.ts";

export const gateway = defineApp({
  group: "internal.cozystack.io",
  kind: "Gateway",
  plural: "gateways",
  release: "",
  module: true,
  catalog: { title: "Gateway", category: "Administration", summary: "Gateway of the tenant's domain" },
  spec: GatewaySpec,
  render,
  leftovers,
});
