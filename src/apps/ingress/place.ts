/** Where an ingress controller stands: the platform's own, by which it publishes itself, or one of a tenant. */
import { type AppContext, type ClusterValues, clusterFlag, clusterText } from "../../sdk/context.ts";

export interface Where {
  readonly namespace: string;
  readonly context: Pick<AppContext, "cluster">;
}

/** Whether the platform publishes itself by this one. Settings of the platform's ingress concern no other. */
export function isHost({ namespace, context: { cluster } }: Where): boolean {
  return namespace === (clusterText(cluster, "expose-ingress") || "tenant-root");
}

/** Addresses of machines at which the platform is reached without a load balancer. */
export function externalIPs(cluster: ClusterValues): readonly string[] {
  return clusterText(cluster, "expose-external-ips")
    .replaceAll(/\s/g, "")
    .split(",")
    .filter((address) => address !== "");
}

/** Whether clients' addresses come by the PROXY protocol. */
export function speaksProxy(spec: { readonly proxyProtocol: boolean }, where: Where): boolean {
  return spec.proxyProtocol || (isHost(where) && clusterFlag(where.context.cluster, "proxy-protocol"));
}

/** The tenant's name as its controllers' names have it. */
export const tenantPart = (namespace: string): string => namespace.slice("tenant-".length);

/** Name of the controllers' Deployment and Service. */
export const controllerName = (namespace: string): string => `${tenantPart(namespace)}-ingress-controller`;
