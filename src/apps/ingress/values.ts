/** Values of the chart that makes the controllers. */
import { clusterText } from "../../sdk/context.ts";
import { resources } from "../../sdk/resources.ts";
import { externalIPs, isHost, speaksProxy, tenantPart } from "./place.ts";
import type { Input } from "./spec.ts";

/** Where Cloudflare connects from, as it publishes it. */
const cloudflare = [
  "173.245.48.0/20",
  "103.21.244.0/22",
  "103.22.200.0/22",
  "103.31.4.0/22",
  "141.101.64.0/18",
  "108.162.192.0/18",
  "190.93.240.0/20",
  "188.114.96.0/20",
  "197.234.240.0/22",
  "198.41.128.0/17",
  "162.158.0.0/15",
  "104.16.0.0/13",
  "104.24.0.0/14",
  "172.64.0.0/13",
  "131.0.72.0/22",
  "2400:cb00::/32",
  "2606:4700::/32",
  "2803:f800::/32",
  "2405:b500::/32",
  "2405:8100::/32",
  "2a06:98c0::/29",
  "2c0f:f248::/32",
];

/** How the controllers read connections; without anything to say, nothing. */
function config(input: Input): Readonly<Record<string, string>> {
  const { whitelist, cloudflareProxy } = input.spec;
  return {
    ...(whitelist.length === 0 ? {} : { "whitelist-source-range": whitelist.join(",") }),
    ...(cloudflareProxy
      ? {
          set_real_ip_from: cloudflare.join(","),
          "use-forwarded-headers": "true",
          "server-snippet": "real_ip_header CF-Connecting-IP;",
        }
      : {}),
    // Headers are not believed then: whoever connects past the load balancer could write any.
    ...(speaksProxy(input.spec, input)
      ? { "use-proxy-protocol": "true", "real-ip-header": "proxy_protocol", "enable-real-ip": "true" }
      : {}),
  };
}

function service(input: Input): object {
  const { cluster } = input.context;
  const addresses = isHost(input) ? externalIPs(cluster) : [];
  if (addresses.length > 0) return { externalIPs: addresses, type: "ClusterIP", externalTrafficPolicy: "Cluster" };
  const balancer = isHost(input) ? clusterText(cluster, "load-balancer-class") : "";
  return {
    type: "LoadBalancer",
    externalTrafficPolicy: "Local",
    ...(balancer === "" ? {} : { loadBalancerClass: balancer }),
  };
}

export function values(input: Input): object {
  const { namespace, spec, context } = input;
  const certificate = clusterText(context.cluster, "wildcard-secret-name");
  const settings = config(input);
  const controller = {
    replicaCount: spec.replicas,
    ingressClass: namespace,
    ingressClassResource: { name: namespace, controllerValue: `k8s.io/ingress-nginx-${namespace}` },
    // Every tenant has a copy of the certificate in its own namespace.
    ...(certificate === "" ? {} : { extraArgs: { "default-ssl-certificate": `${namespace}/${certificate}` } }),
    // One controller of the cluster looks at all Ingresses as they are written.
    ...(namespace === "tenant-root" ? {} : { admissionWebhooks: { enabled: false } }),
    resources: resources(spec, context),
    podLabels: { "cozystack.io/service": "ingress", "policy.cozystack.io/allow-to-apiserver": "true" },
    service: service(input),
    ...(Object.keys(settings).length === 0 ? {} : { config: settings }),
  };
  return { "ingress-nginx": { fullnameOverride: `${tenantPart(namespace)}-ingress`, controller } };
}
