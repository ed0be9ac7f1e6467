/** An Outline server: Shadowsocks with a key for each user. */
import { defineApp } from "../../sdk/define-app.ts";
import { expose, monitors, needs, render } from "./render.ts";
import { VPNSpec } from "./spec.ts";

export const vpn = defineApp({
  kind: "VPN",
  plural: "vpns",
  release: "vpn-",
  catalog: {
    title: "VPN",
    titlePlural: "VPN",
    category: "NaaS",
    tags: ["network"],
    summary: "Managed VPN",
    fieldOrder: ["replicas", "resources", "resourcesPreset", "external", "host", "users", "externalIPs"],
  },
  spec: VPNSpec,
  needs,
  render,
  monitors,
  expose,
});
