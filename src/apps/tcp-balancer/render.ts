/** From a TCPBalancer specification to its objects. */
import type { Monitor } from "../../sdk/app.ts";
import { haproxy, haproxyService } from "../../sdk/haproxy.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { resources } from "../../sdk/resources.ts";
import { config, controlPlanePorts, forwardsControlPlane } from "./config.ts";
import type { Input } from "./spec.ts";

const instance = (release: string) => ({ "app.kubernetes.io/instance": release });

export function render({ release, spec, context }: Input): readonly Rendered[] {
  return [
    ...haproxy({
      release,
      replicas: spec.replicas,
      resources: resources(spec, context),
      ports: { http: 8080, https: 8443, ...(forwardsControlPlane(spec) ? controlPlanePorts : {}) },
      files: { "haproxy.cfg": config(spec) },
      podLabels: instance(release),
    }),
    // All four whatever is forwarded, as running installations have them.
    haproxyService({
      release,
      external: spec.external,
      ports: { http: 80, https: 443, ...controlPlanePorts },
      context,
    }),
  ];
}

export function monitors({ release, spec }: Input): readonly Monitor[] {
  return [
    {
      name: release,
      kind: "tcp-balancer",
      type: "haproxy",
      replicas: spec.replicas,
      minReplicas: 1,
      selector: instance(release),
      preset: spec.resourcesPreset,
    },
  ];
}
