/**
 * The way in through a Gateway: a route of one host to one Service.
 */
import { HTTPRoute } from "../contracts/gateway-networking-k8s-io.ts";
import type { Rendered } from "./manifest.ts";

/** Name of every tenant's Gateway: routes name it, with the namespace that they inherit. */
export const gatewayName = "cozystack";

export interface GatewayRoute {
  readonly host: string;
  readonly service: { readonly name: string; readonly port: number };
  /** Namespace of the Gateway. */
  readonly gateway: string;
}

/** The HTTPRoute `name`, on whichever of the Gateway's listeners serves the host. */
export function gatewayRoute(name: string, { host, service, gateway }: GatewayRoute): Rendered {
  return HTTPRoute(name, {
    spec: {
      parentRefs: [{ group: HTTPRoute.group, kind: "Gateway", name: gatewayName, namespace: gateway }],
      hostnames: [host],
      rules: [{ backendRefs: [service] }],
    },
  });
}
