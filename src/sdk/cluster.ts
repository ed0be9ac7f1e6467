/**
 * What applications read from the installation-wide values.
 */
import { type AppContext, clusterText } from "./context.ts";

/** The DNS domain of Services, `cozy.local` unless configured. */
export function clusterDomain(context: Pick<AppContext, "cluster">): string {
  const domain = clusterText(context.cluster, "cluster-domain");
  return domain === "" ? "cozy.local" : domain;
}

/**
 * The value of `allocateLoadBalancerNodePorts` for Services of type LoadBalancer: false, unless the balancer `robotlb` is
 * enabled, which needs node ports.
 */
export function loadBalancerNodePorts(context: Pick<AppContext, "cluster">): boolean {
  return clusterText(context.cluster, "bundle-enable").split(",").includes("robotlb");
}
