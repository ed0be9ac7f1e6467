/**
 * Where info differs from upstream on purpose.
 */
import type { Deviation } from "../deviation.ts";

export const info: readonly Deviation[] = [
  {
    class: "fault",
    cases: "all",
    object: "rbac.authorization.k8s.io/v1/RoleBinding/info-dashboard-resources",
    at: "/subjects/0",
    reason:
      "Without single sign-on the tenant's own account may read its token; upstream binds an account that does not exist, " +
      "since it puts the prefix tenant- twice.",
  },
];
