/**
 * What routes are told: whether the gateway takes them, entry by entry. Entries of others are left alone.
 */
import { type Claim, isMeant, isUnserved, lostBy } from "./claims.ts";
import { CONTROLLER_NAME, placeOf, type Route, type TenantGatewayObject } from "./names.ts";

type Parent = NonNullable<Route["status"]>["parents"][number];

const sameRef = (one: Parent["parentRef"], other: Parent["parentRef"]): boolean =>
  one.name === other.name &&
  (one.namespace ?? "") === (other.namespace ?? "") &&
  (one.sectionName ?? "") === (other.sectionName ?? "") &&
  (one.port ?? 0) === (other.port ?? 0);

function verdictOf(gateway: TenantGatewayObject, claim: Claim, claims: readonly Claim[]) {
  const [lost] = lostBy(claim, claims);
  if (lost !== undefined) {
    const message = `${lost.hostname} is served by a route in namespace ${lost.to}`;
    return { status: "False", reason: "HostnameConflict", message } as const;
  }
  if (isUnserved(gateway, claim)) {
    const message = `the gateway serves names within ${gateway.spec?.apex ?? ""} only`;
    return { status: "False", reason: "NoMatchingListenerHostname", message } as const;
  }
  return { status: "True", reason: "Accepted", message: "The gateway serves this route" } as const;
}

function entry(gateway: TenantGatewayObject, claim: Claim, claims: readonly Claim[], now: string): Parent {
  const { route, parentRef } = claim;
  const verdict = verdictOf(gateway, claim, claims);
  const before = route.status?.parents
    .find((one) => one.controllerName === CONTROLLER_NAME && sameRef(one.parentRef, parentRef))
    ?.conditions.find(({ type }) => type === "Accepted");
  return {
    controllerName: CONTROLLER_NAME,
    parentRef,
    conditions: [
      {
        type: "Accepted",
        ...verdict,
        observedGeneration: route.metadata.generation ?? 0,
        lastTransitionTime: before?.status === verdict.status ? before.lastTransitionTime : now,
      },
    ],
  };
}

/**
 * The entries of a route's status as they are to be; undefined where they are. Entries about this gateway go that no reference
 * stands for any more.
 */
export function parentsOf(
  route: Route,
  gateway: TenantGatewayObject,
  claims: readonly Claim[],
  now: string,
): readonly Parent[] | undefined {
  const live = route.status?.parents ?? [];
  const isOurs = ({ controllerName, parentRef }: Parent) =>
    controllerName === CONTROLLER_NAME && isMeant(parentRef, placeOf(route), gateway);
  const own = claims.filter((claim) => claim.route === route).map((claim) => entry(gateway, claim, claims, now));
  const kept = live.filter((parent) => !isOurs(parent));
  const was = live.filter(isOurs);
  return JSON.stringify(was.map(canonicalParent)) === JSON.stringify(own.map(canonicalParent))
    ? undefined
    : [...kept, ...own];
}

/** What of an entry counts, in an order of its own. */
function canonicalParent({ parentRef, conditions }: Parent): unknown {
  const { name, namespace, sectionName, port } = parentRef;
  const said = conditions.map(({ type, status, reason, message, observedGeneration }) => [
    ...[type, status, reason, message],
    observedGeneration,
  ]);
  return [name, namespace ?? null, sectionName ?? null, port ?? null, said];
}
