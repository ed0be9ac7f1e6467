/**
 * Making live volumes larger where the object that made them cannot: a StatefulSet's claim templates never change.
 */
import type { StatefulSet } from "../contracts/apps.ts";
import { PersistentVolumeClaim, type PersistentVolumeClaimObject } from "../contracts/core.ts";
import { valueAt } from "../kube/json.ts";
import { patchExisting, type Rendered } from "./manifest.ts";
import { compareQuantities, parseQuantity, quantityOf } from "./quantity.ts";

/** What a live claim asks for; undefined while there is none. It may be more than was said: file systems need room. */
export function claimSize(claim: PersistentVolumeClaimObject | undefined): string | number | undefined {
  const storage = valueAt(claim, "spec", "resources", "requests", "storage");
  return typeof storage === "string" || typeof storage === "number" ? storage : undefined;
}

/** The size with which a running set makes the claims of one of its templates; undefined while there is no such set. */
export function templateSize(set: StatefulSet | undefined, template: string): string | number | undefined {
  const found = set?.spec.volumeClaimTemplates?.find(({ metadata }) => metadata.name === template);
  return found?.spec.resources?.requests?.["storage"];
}

/**
 * Whether the live claim is smaller than `size`, the value of `field`, and can grow: Kubernetes lets only a bound one. One
 * that is not will be looked at again when it is.
 */
export function isToGrow(
  claim: PersistentVolumeClaimObject | undefined,
  size: string | number,
  field: string,
): claim is PersistentVolumeClaimObject {
  const live = claimSize(claim);
  if (live === undefined || (claim?.status?.phase ?? "Bound") !== "Bound") return false;
  const current = parseQuantity(live);
  return current !== undefined && compareQuantities(quantityOf(size, field), current) > 0;
}

/** The claims of `size` that are still smaller, to be patched. */
export function growClaims(
  claims: readonly PersistentVolumeClaimObject[],
  size: string | number,
  field: string,
): readonly Rendered[] {
  return claims
    .filter((claim) => isToGrow(claim, size, field))
    .map(({ metadata: { name } }) =>
      patchExisting(PersistentVolumeClaim(name, { spec: { resources: { requests: { storage: String(size) } } } })),
    );
}
