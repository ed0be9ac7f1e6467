/**
 * A tenant below a budget starts nothing before its share of the budget is in force: between the creation of a namespace and
 * that of its quota nothing would bound it.
 */
import { celText, policy } from "./policy.ts";

/** Annotation of a Namespace: a budget above its tenant bounds it. */
export const quotaAbove = "internal.cozystack.io/quota-above";

const annotated = (key: string): string => `${celText(key)} in namespaceObject.metadata.annotations`;

/** `keys`: annotation of a Namespace whose share is in force. */
export function tenantShare(keys = "internal.cozystack.io/quota-keys") {
  return policy("cozystack-tenant-share", {
    matchConstraints: {
      resourceRules: [
        {
          apiGroups: [""],
          apiVersions: ["v1"],
          operations: ["CREATE"],
          resources: ["pods", "persistentvolumeclaims", "services"],
        },
      ],
    },
    validations: [
      {
        expression: `namespaceObject == null || !has(namespaceObject.metadata.annotations) || !(${annotated(quotaAbove)}) || ${annotated(keys)}`,
        message: "the tenant's share of the budget above it is being set up; try again in a moment",
        reason: "Forbidden",
      },
    ],
  });
}
