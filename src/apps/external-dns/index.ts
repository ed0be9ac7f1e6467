/** ExternalDNS: DNS records of the tenant's Services, Ingresses and routes, by a chart of its own through Flux. */
import { defineApp } from "../../sdk/define-app.ts";
import { longestInnerRelease } from "../../sdk/inner-release.ts";
import { expose, needs, render } from "./render.ts";
import { ExternalDNSSpec } from "./spec.ts";

export const externalDns = defineApp({
  kind: "ExternalDNS",
  plural: "externaldns",
  release: "",
  longestRelease: longestInnerRelease,
  catalog: {
    title: "External DNS",
    category: "Networking",
    summary: "DNS records for the tenant's services",
    fieldOrder: [
      "provider",
      "domainFilters",
      "policy",
      "extraArgs",
      "gatewayAPI",
      "annotationPrefix",
      "cloudflare",
      "aws",
      "azure",
      "google",
      "digitalocean",
      "linode",
      "ovh",
      "exoscale",
      "godaddy",
      "resources",
      "resourcesPreset",
    ],
  },
  spec: ExternalDNSSpec,
  needs,
  render,
  expose,
});
