/**
 * Whom the policies about tenants' namespaces judge: everybody but the cluster itself, the platform and administrators.
 */
import { celText } from "./policy.ts";

const accounts = "system:serviceaccounts:";

/** Kubernetes' components, and the accounts of controllers and operators: all that are in no tenant's namespace. */
const cluster = [
  `request.userInfo.username.startsWith(${celText("system:kube-")})`,
  `request.userInfo.groups.exists(group, group == ${celText("system:masters")} || group == ${celText("system:nodes")} || (group.startsWith(${celText(accounts)}) && !group.startsWith(${celText(`${accounts}tenant-`)})))`,
].join(" || ");

/**
 * CEL: whether the caller is one of those. Whoever may create namespaces is an administrator: no list of names or groups to
 * keep, and nobody who is one in another way is held up.
 */
const trusted = `${cluster} || authorizer.group('').resource('namespaces').check('create').allowed()`;

/** A match condition: the caller is a person or an account of a tenant. */
export const byTenants = { name: "by-tenants", expression: `!(${trusted})` } as const;

/** A match condition: it is in the namespace of a tenant. Match conditions do not see the Namespace, only its name. */
export const inTenants = {
  name: "in-tenants",
  expression: "request.namespace.startsWith('tenant-')",
} as const;
