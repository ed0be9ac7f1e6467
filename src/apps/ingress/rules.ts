/**
 * What is refused beyond the types of fields: as CEL for the API server, and again for documents it has not seen.
 */
import type { ServiceObject } from "../../contracts/core.ts";
import { clusterFlag, clusterText } from "../../sdk/context.ts";
import { refuse } from "../../sdk/errors.ts";
import { type PlacedRule, rule } from "../../sdk/spec.ts";
import { externalIPs, isHost, speaksProxy, type Where } from "./place.ts";

const message = "cloudflareProxy and proxyProtocol exclude each other: both say where a client's address is taken from";

export const rules: readonly PlacedRule[] = [
  rule({ field: "cloudflareProxy", rule: "!(self.cloudflareProxy && self.proxyProtocol)", message }),
];

/** Refuses contradictions, and what only the platform may set. `service`: the controllers' Service as it is. */
export function check(
  spec: { readonly cloudflareProxy: boolean; readonly proxyProtocol: boolean },
  where: Where,
  service: ServiceObject | undefined,
): void {
  if (isHost(where) && spec.proxyProtocol) {
    refuse({
      code: "InvalidValue",
      field: "spec.proxyProtocol",
      message: "whether the platform's own ingress speaks the PROXY protocol is a setting of the platform",
      remedy: "Switch it off here; an administrator sets it in the platform's configuration.",
    });
  }
  if (spec.cloudflareProxy && speaksProxy(spec, where)) {
    refuse({
      code: "InvalidValue",
      field: "spec.cloudflareProxy",
      message,
      remedy: "Switch one of them off.",
    });
  }
  if (isHost(where)) checkHost(where, service);
}

function checkHost({ context: { cluster } }: Where, service: ServiceObject | undefined): void {
  const wanted = clusterText(cluster, "load-balancer-class");
  const current = service?.spec?.loadBalancerClass ?? "";
  if (externalIPs(cluster).length === 0 && service?.spec?.type === "LoadBalancer" && current !== wanted) {
    refuse({
      code: "ImmutableField",
      field: "_cluster.load-balancer-class",
      message: `the Service of the ingress has the load balancer class ${JSON.stringify(current)}, and it cannot become ${JSON.stringify(wanted)}`,
      remedy: "An administrator sets the class back, or deletes the Service so that it is made anew.",
    });
  }
  if (!clusterFlag(cluster, "wildcard-issue")) return;
  for (const key of ["wildcard-secret-name", "root-host"]) {
    if (clusterText(cluster, key) !== "") continue;
    refuse({
      code: "InvalidPlatform",
      field: `_cluster.${key}`,
      message: "is empty, and a wildcard certificate is to be issued",
      remedy: "An administrator sets it in the platform's configuration, or switches the wildcard certificate off.",
    });
  }
}
