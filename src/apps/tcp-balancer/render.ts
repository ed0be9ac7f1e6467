/** From a TCPBalancer specification to its objects. */
import type { Monitor, RenderInput } from "../../sdk/app.ts";
import { haproxy, haproxyNeed, haproxyService } from "../../sdk/haproxy.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { resources } from "../../sdk/resources.ts";
import { config, controlPlanePorts, forwardsControlPlane } from "./config.ts";
import type { Input, Spec } from "./spec.ts";

const instance = (release: string) => ({ "app.kubernetes.io/instance": release });

export function needs({ release }: Input) {
  return { live: haproxyNeed(release) };
}

export function render(input: RenderInput<Spec, ReturnType<typeof needs>>): readonly Rendered[] {
  const { release, spec, context, needs: known } = input;
  return [
    ...haproxy({
      release,
      replicas: spec.replicas,
      resources: resources(spec, context),
      ports: { http: 8080, https: 8443, ...(forwardsControlPlane(spec) ? controlPlanePorts : {}) },
      files: { "haproxy.cfg": config(spec) },
      podLabels: instance(release),
      live: known.live,
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
