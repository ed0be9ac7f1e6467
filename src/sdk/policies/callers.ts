/**
 * Whom the policies let do what tenants may not.
 */
import { celList } from "./policy.ts";

/** Administrators, and the platform's own controllers. */
export const platformGroups = ["system:masters", "system:serviceaccounts:cozy-system"] as const;

/** Who may say which DNS domain a tenant has: as upstream, certificate and delivery controllers besides the platform's. */
export const hostGroups = [
  ...platformGroups,
  "system:serviceaccounts:cozy-cert-manager",
  "system:serviceaccounts:cozy-fluxcd",
  "system:serviceaccounts:kube-system",
] as const;

/** The group of the account that takes over an existing installation: names that were legal there stay legal. */
export const adoptionGroup = "cozystack:adoption";

/** CEL: whether the caller is in one of `groups`. */
export function callerIn(groups: readonly string[]): string {
  return `request.userInfo.groups.exists(group, group in ${celList(groups)})`;
}
