/**
 * How people reach Grafana and Alerta from outside.
 */
import { clusterFlag, clusterText } from "../../sdk/context.ts";
import { gatewayRoute } from "../../sdk/gateway-route.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { issuerAnnotations, isWildcard } from "../../sdk/web-certificate.ts";
import type { Input } from "./spec.ts";

/** Whether the platform's Gateway serves hosts, rather than the tenant's ingress controller. */
export const throughGateway = ({ context }: Input): boolean => clusterFlag(context.cluster, "gateway-enabled");

interface Entrance {
  readonly host: string;
  /** Secret with the host's certificate, made by the issuer. */
  readonly certificate: string;
  readonly pathType: "Prefix" | "ImplementationSpecific";
  readonly service: { readonly name: string; readonly port: { readonly name: string } | { readonly number: number } };
}

/** Annotations and spec of an Ingress. */
export function ingressOf(input: Input, { host, certificate, pathType, service }: Entrance) {
  return {
    annotations: issuerAnnotations(input.context),
    spec: {
      ingressClassName: input.context.namespace.ingress,
      tls: [{ hosts: [host], ...(isWildcard(input.context) ? {} : { secretName: certificate }) }],
      rules: [{ host, http: { paths: [{ path: "/", pathType, backend: { service } }] } }],
    },
  };
}

/** The route `name` to a port of a Service. */
export function route(input: Input, name: string, host: string, service: { name: string; port: number }): Rendered {
  const gateway = clusterText(input.context.cluster, "expose-ingress") || "tenant-root";
  return gatewayRoute(name, { host, service, gateway });
}
