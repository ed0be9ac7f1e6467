/** Values of what serves HTTP in the cluster. */
import type { Input } from "../spec.ts";
import type { Values } from "./values.ts";

/** Node ports of machines that take requests in. */
export const ingressPorts = { http: 30_000, https: 30_001 } as const;

export function ingressNginx({ spec }: Input): Values {
  const { ingressNginx: given, certManager } = spec.addons;
  return {
    "ingress-nginx": {
      fullnameOverride: "ingress-nginx",
      controller: {
        kind: "DaemonSet",
        ...(given.exposeMethod === "Proxied"
          ? { service: { enabled: true, type: "NodePort", nodePorts: { ...ingressPorts } } }
          : {}),
        ...(certManager.enabled ? {} : { admissionWebhooks: { certManager: { enabled: false } } }),
      },
      nodeSelector: { "node-role.kubernetes.io/ingress-nginx": "" },
    },
  };
}

export const ouroboros = ({ spec }: Input): Values => ({
  ouroboros: {
    controller: {
      mode: "coredns-import",
      gatewayApi: { enabled: spec.addons.gatewayAPI.enabled },
      clusterDomain: "cluster.local",
    },
  },
});

export const cilium = ({ release, namespace, spec }: Input): Values => ({
  cilium: {
    k8sServiceHost: `${release}.${namespace}.svc`,
    k8sServicePort: 6443,
    routingMode: "tunnel",
    MTU: 1350,
    enableIPv4Masquerade: true,
    ipv4NativeRoutingCIDR: "",
    ...(spec.addons.gatewayAPI.enabled
      ? { gatewayAPI: { enabled: true, enableAlpn: true }, envoy: { enabled: true } }
      : {}),
  },
});

export const certManager = ({ spec }: Input): Values =>
  spec.addons.gatewayAPI.enabled
    ? {
        "cert-manager": {
          config: {
            apiVersion: "controller.config.cert-manager.io/v1alpha1",
            kind: "ControllerConfiguration",
            enableGatewayAPI: true,
          },
        },
      }
    : {};
