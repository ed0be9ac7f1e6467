/**
 * The Service of a machine: a name inside the cluster, or an address outside of it.
 */
import { Service } from "../../contracts/core.ts";
import type { AppInput } from "../../sdk/app.ts";
import { chartLabels, chartSelector } from "../../sdk/chart-labels.ts";
import { loadBalancerNodePorts } from "../../sdk/cluster.ts";
import { changing, type Rendered } from "../../sdk/manifest.ts";
import type { Spec } from "./spec.ts";
import { chart } from "./versions.ts";

type Input = AppInput<Spec>;

/** Kubernetes wants a port where none is meant: with a whole address, or without an address, any port reaches the machine. */
const anyPort = 65535;

function externalPorts({ externalMethod, externalPorts: ports }: Spec) {
  if (externalMethod === "WholeIP" && ports.length === 0) return [{ port: anyPort }];
  return ports.map((port) => ({ name: `port-${port}`, port, targetPort: port }));
}

function annotations({ externalMethod, externalAllowICMP }: Spec): Readonly<Record<string, string>> {
  if (externalMethod === "WholeIP") return { "networking.cozystack.io/wholeIP": "true" };
  return {
    "networking.cozystack.io/wholeIP": "false",
    "networking.cozystack.io/allowICMP": String(externalAllowICMP),
  };
}

/** Type and address cannot change in place: the Service is made anew, and with it the external address. */
export function service({ release, spec, context }: Input): Rendered {
  const labels = { "apps.cozystack.io/user-service": "true", ...chartLabels(chart, release, context) };
  const selector = chartSelector(chart, release);
  const object = spec.external
    ? Service(release, {
        // The proxy that gives a machine a whole address takes the place of the cluster's own.
        labels: { ...labels, "service.kubernetes.io/service-proxy-name": "cozy-proxy" },
        annotations: annotations(spec),
        spec: {
          type: "LoadBalancer",
          externalTrafficPolicy: "Local",
          ...(loadBalancerNodePorts(context) ? {} : { allocateLoadBalancerNodePorts: false }),
          ports: externalPorts(spec),
          selector,
        },
      })
    : Service(release, {
        labels,
        spec: { type: "ClusterIP", clusterIP: "None", ports: [{ port: anyPort }], selector },
      });
  return changing(object, { replaceOn: ["/spec/type"] });
}
