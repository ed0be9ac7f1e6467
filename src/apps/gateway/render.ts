/** From a Gateway specification to its objects: one, of which our own controller makes the others. */
import { Secret } from "../../contracts/core.ts";
import { TenantGateway } from "../../contracts/gateway-cozystack-io.ts";
import type { Leftover } from "../../sdk/app.ts";
import { clusterText } from "../../sdk/context.ts";
import { refuse } from "../../sdk/errors.ts";
import { gatewayName } from "../../sdk/gateway-route.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { certificates } from "./certificates.ts";
import type { Input } from "./spec.ts";

export function render({ spec, context }: Input): readonly Rendered[] {
  const { host } = context.namespace;
  if (host === "") {
    refuse({
      code: "InvalidPlatform",
      field: "_namespace.host",
      message: "the tenant has no domain, and a gateway serves one",
      remedy: "Give the tenant a host, or switch its gateway off.",
    });
  }
  const attached = clusterText(context.cluster, "gateway-attached-namespaces")
    .split(",")
    .map((namespace) => namespace.trim())
    .filter((namespace) => namespace !== "");
  return [
    TenantGateway(gatewayName, {
      spec: {
        apex: host,
        gatewayClassName: spec.gatewayClassName,
        ...certificates(context.cluster),
        ...(attached.length === 0 ? {} : { attachedNamespaces: attached }),
        tlsPassthroughServices: spec.tlsPassthroughServices,
      },
    }),
  ];
}

/** The account by which certificates were asked for: cert-manager makes it and leaves it behind. */
export function leftovers(): readonly Leftover[] {
  return [{ kind: Secret, names: [`${gatewayName}-acme-account`] }];
}
