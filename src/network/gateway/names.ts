/**
 * Names and labels of what is made of a tenant's gateway.
 */

import type { TenantGateway } from "../../contracts/gateway-cozystack-io.ts";
import type { Gateway, HTTPRoute, TLSRoute } from "../../contracts/gateway-networking-k8s-io.ts";
import type { OwnerReference } from "../../kube/object.ts";
import { sha256hex } from "../../sdk/hash.ts";

export type TenantGatewayObject = ReturnType<typeof TenantGateway>;
export type GatewayObject = ReturnType<typeof Gateway>;
export type Route = ReturnType<typeof HTTPRoute> | ReturnType<typeof TLSRoute>;
export type ParentRef = NonNullable<NonNullable<Route["spec"]>["parentRefs"]>[number];

/** On namespaces: whose gateway serves the routes in it. */
export const GATEWAY_LABEL = "namespace.cozystack.io/gateway";
/** On namespaces: their tenant's domain. */
export const HOST_LABEL = "namespace.cozystack.io/host";
/** On namespaces that the label was given to here, and not by a Tenant. */
export const ATTACHED_BY = "cozystack.io/gateway-attached-by";
/** Who says of a route whether it is accepted. */
export const CONTROLLER_NAME = "gateway.cozystack.io/tenantgateway-controller";
/** On a tenant's gateway, until no namespace is labelled for it any more. */
export const FINALIZER = "gateway.cozystack.io/attached-namespaces";

export const managedBy = { "cozystack.io/managed-by": "cozystack-controller" } as const;

/** The namespace; every gateway has one. */
export const placeOf = ({ metadata }: { readonly metadata: { readonly namespace?: string } }): string =>
  metadata.namespace ?? "";

/** First label and a hash of a host name, so that names made of it are short and differ. */
export function hostPart(hostname: string): string {
  const lower = hostname.toLowerCase();
  return `${lower.split(".")[0] ?? ""}-${sha256hex(lower).slice(0, 8)}`;
}

export const issuerName = (gateway: string): string => `${gateway}-gateway`;
export const wildcardName = (gateway: string): string => `${gateway}-gateway-tls`;
export const certificateName = (gateway: string, hostname: string): string => `${gateway}-${hostPart(hostname)}-tls`;
export const redirectName = (gateway: string): string => `${gateway}-http-redirect`;

/** The reference by which everything goes with the tenant's gateway. */
export function ownerOf({ apiVersion, kind, metadata }: TenantGatewayObject): OwnerReference {
  const { name, uid = "" } = metadata;
  return { apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true };
}
