/**
 * Which host names routes ask a gateway for, and whose a name is that several ask for.
 */
import type { KubeObject } from "../../kube/object.ts";
import { GATEWAY_LABEL, HOST_LABEL, type ParentRef, placeOf, type Route, type TenantGatewayObject } from "./names.ts";

/** A route that attaches to the gateway by one of its references. */
export interface Claim {
  readonly route: Route;
  readonly parentRef: ParentRef;
}

/** Namespaces, with their labels, and all routes of the cluster. */
export interface Surroundings {
  readonly namespaces: readonly KubeObject[];
  readonly routes: readonly Route[];
}

/** The namespaces whose routes the gateway serves. */
export function servedNamespaces(gateway: TenantGatewayObject, namespaces: readonly KubeObject[]): ReadonlySet<string> {
  const own = placeOf(gateway);
  const inheriting = namespaces.filter(({ metadata }) => metadata.labels?.[GATEWAY_LABEL] === own);
  return new Set([own, ...attachedNamespaces(gateway), ...inheriting.map(({ metadata }) => metadata.name)]);
}

/** Namespaces besides tenants' that the gateway serves, as far as they are named. */
export function attachedNamespaces({ spec }: TenantGatewayObject): readonly string[] {
  return (spec?.attachedNamespaces ?? []).filter((name) => name !== "");
}

/** Whether a reference of a route in `namespace` means this gateway. */
export function isMeant(ref: ParentRef, namespace: string, gateway: TenantGatewayObject): boolean {
  const { group = "gateway.networking.k8s.io", kind = "Gateway" } = ref;
  return (
    (group === "" || group === "gateway.networking.k8s.io") &&
    kind === "Gateway" &&
    ref.name === gateway.metadata.name &&
    (ref.namespace ?? namespace) === placeOf(gateway)
  );
}

/** What routes ask for, where each name gets a certificate of its own; nothing where one certificate serves all. */
export function claimsOn(gateway: TenantGatewayObject, { namespaces, routes }: Surroundings): readonly Claim[] {
  if ((gateway.spec?.certMode ?? "http01") !== "http01") return [];
  const served = servedNamespaces(gateway, namespaces);
  return routes
    .filter((route) => served.has(placeOf(route)) && route.metadata.deletionTimestamp === undefined)
    .flatMap((route) => {
      const refs = (route.spec?.parentRefs ?? []).filter((ref) => isMeant(ref, placeOf(route), gateway));
      return refs.map((parentRef) => ({ route, parentRef }));
    });
}

const hostnamesOf = ({ route }: Claim): readonly string[] =>
  (route.spec?.hostnames ?? []).map((name) => name.toLowerCase());

/** Whether the gateway may serve the name: no Gateway of a tenant listens to names outside the tenant's domain. */
export function isWithin(hostname: string, { spec }: TenantGatewayObject): boolean {
  const apex = (spec?.apex ?? "").toLowerCase();
  return apex !== "" && (hostname === apex || hostname.endsWith(`.${apex}`));
}

/** Every name that is asked for, sorted: those within the domain, and those outside, which are not served. */
export function claimedHostnames(
  gateway: TenantGatewayObject,
  claims: readonly Claim[],
): { readonly within: readonly string[]; readonly outside: readonly string[] } {
  const all = [...new Set(claims.flatMap(hostnamesOf))].sort();
  return {
    within: all.filter((hostname) => isWithin(hostname, gateway)),
    outside: all.filter((hostname) => !isWithin(hostname, gateway)),
  };
}

/** Whether the gateway serves none of the names that the claim's route asks for. */
export function isUnserved(gateway: TenantGatewayObject, claim: Claim): boolean {
  const hostnames = hostnamesOf(claim);
  return hostnames.length > 0 && hostnames.every((hostname) => !isWithin(hostname, gateway));
}

/** The platform's own routes go before those of tenants; else the first namespace, and in it the first route. */
function before(one: Route, other: Route): number {
  const rank = (route: Route) => [placeOf(route).startsWith("cozy-") ? "0" : "1", placeOf(route), route.metadata.name];
  const [a, b] = [rank(one).join("\n"), rank(other).join("\n")];
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Names that a claim does not get, and in which other namespace the route is that does. */
export function lostBy(claim: Claim, claims: readonly Claim[]): readonly { hostname: string; to: string }[] {
  return hostnamesOf(claim).flatMap((hostname) => {
    const all = claims.filter((each) => hostnamesOf(each).includes(hostname)).map(({ route }) => route);
    const [winner] = all.toSorted(before);
    const isLost = winner !== undefined && placeOf(winner) !== placeOf(claim.route);
    return isLost ? [{ hostname, to: placeOf(winner) }] : [];
  });
}

/** Domains below its own of tenants that use the gateway as theirs, sorted. */
export function childApexes(gateway: TenantGatewayObject, namespaces: readonly KubeObject[]): readonly string[] {
  const own = placeOf(gateway);
  const apexes = namespaces
    .filter(({ metadata }) => metadata.name !== own && metadata.labels?.[GATEWAY_LABEL] === own)
    .map(({ metadata }) => metadata.labels?.[HOST_LABEL] ?? "")
    .filter((apex) => apex !== gateway.spec?.apex && isWithin(apex.toLowerCase(), gateway));
  return [...new Set(apexes)].sort();
}
