/** HAProxy that hands TCP connections on to fixed endpoints. */
import { defineApp } from "../../sdk/define-app.ts";
import { monitors, needs, render } from "./render.ts";
import { TCPBalancerSpec } from "./spec.ts";

export const tcpBalancer = defineApp({
  kind: "TCPBalancer",
  plural: "tcpbalancers",
  release: "tcp-balancer-",
  catalog: {
    title: "TCP Balancer",
    titlePlural: "TCP Balancer",
    category: "NaaS",
    tags: ["network"],
    summary: "Load balancer for TCP",
    fieldOrder: [
      "replicas",
      "resources",
      "resourcesPreset",
      "external",
      "httpAndHttps.mode",
      "httpAndHttps.targetPorts.http",
      "httpAndHttps.targetPorts.https",
      "httpAndHttps.endpoints",
      "whitelistHTTP",
      "whitelist",
    ],
  },
  spec: TCPBalancerSpec,
  needs,
  render,
  monitors,
});
