/**
 * What tenants and our own server may do with kinds that definitions bring, and which of their objects may be made. The
 * program's own kinds have the same in roles and policies that are installed once; these follow the definitions.
 */
import { ClusterRole, ClusterRoleBinding } from "../../contracts/rbac.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { App } from "../../sdk/app.ts";
import { appsGroup } from "../../sdk/define-app.ts";
import { releaseLimit } from "../../sdk/names.ts";
import { adoptionGroup, callerIn } from "../../sdk/policies/callers.ts";
import { applications, celList, celText, policy } from "../../sdk/policies/policy.ts";
import { SYSTEM } from "../base-objects.ts";

/** The account of the server of the users' views. */
const API_ACCOUNT = "cozystack-api";
const API_ROLE = `${API_ACCOUNT}:external-applications`;
const ADMIN_ROLE = "cozy:tenant:admin:external-applications";
const POLICY = "cozystack-external-applications";

/** A definition as far as access goes. */
export interface ServedKind {
  readonly app: App;
  /** Its definition is being deleted. */
  readonly leaving: boolean;
}

/** Part of the message with which an application of a kind that is going is refused. */
export const LEAVING = "its definition is being deleted";

/** Everything to keep, in no order. With no kind left nothing is left of the policy. */
export function accessObjects(kinds: readonly ServedKind[]): readonly KubeObject[] {
  const plurals = kinds.map(({ app }) => app.plural).sort();
  // As with the program's own, modules of a tenant are for its super-admins.
  const ordered = kinds
    .filter(({ app }) => !app.module)
    .map(({ app }) => app.plural)
    .sort();
  const rule = (resources: readonly string[], verbs: readonly string[]) =>
    resources.length === 0 ? [] : [{ apiGroups: [appsGroup], resources, verbs }];
  return [
    ClusterRole(ADMIN_ROLE, {
      labels: {
        "rbac.cozystack.io/aggregate-to-tenant-admin": "true",
        "rbac.cozystack.io/aggregate-to-tenant-super-admin": "true",
      },
      rules: rule(ordered, ["create", "update", "patch", "delete"]),
    }),
    ClusterRole(API_ROLE, { rules: rule(plurals, ["get", "list", "watch"]) }),
    ClusterRoleBinding(API_ROLE, {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: API_ROLE },
      subjects: [{ kind: "ServiceAccount", name: API_ACCOUNT, namespace: SYSTEM }],
    }),
    ...(kinds.length === 0 ? [] : namePolicy(kinds)),
  ];
}

/** What is to go when no kind is left. */
export const policyName = POLICY;

function namePolicy(kinds: readonly ServedKind[]): readonly KubeObject[] {
  const table = (value: (kind: ServedKind) => string | undefined): string => {
    const entries = kinds.flatMap((kind) => {
      const text = value(kind);
      return text === undefined ? [] : [`${celText(kind.app.plural)}: ${celText(text)}`];
    });
    // An empty map has no type.
    return `{${[...entries, `'': ''`].join(", ")}}`;
  };
  const resource = "request.resource.resource";
  const leaving = kinds.filter((kind) => kind.leaving).map(({ app }) => app.plural);
  const notTakenOver = `(${callerIn([adoptionGroup])})`;
  const { policy: made, binding } = policy(POLICY, {
    matchConstraints: { resourceRules: [applications(["CREATE"], kinds.map(({ app }) => app.plural).sort())] },
    variables: [
      { name: "prefixes", expression: table(({ app }) => app.release) },
      { name: "modules", expression: table(({ app }) => (app.module ? app.kind.toLowerCase() : undefined)) },
      { name: "prefix", expression: `${resource} in variables.prefixes ? variables.prefixes[${resource}] : ''` },
      { name: "size", expression: "size(object.metadata.name) + size(variables.prefix)" },
    ],
    validations: [
      {
        expression: leaving.length === 0 ? "true" : `!(${resource} in ${celList(leaving)})`,
        message: `no ${appsGroup} object of this kind can be made any more: ${LEAVING}`,
        reason: "Forbidden",
      },
      {
        expression: `${notTakenOver} || variables.size <= ${releaseLimit}`,
        message: "metadata.name: the name is too long",
        messageExpression: `'metadata.name: with the prefix ' + variables.prefix + ' the name has ' + string(variables.size) + ' characters, at most ${releaseLimit} are possible; choose a shorter name'`,
        reason: "Invalid",
      },
      {
        expression: `${notTakenOver} || !(${resource} in variables.modules) || object.metadata.name == variables.modules[${resource}]`,
        message: "metadata.name: this module has a fixed name",
        messageExpression: `'metadata.name: ' + object.metadata.name + ': a tenant has one ' + request.kind.kind + ', and its name is ' + variables.modules[${resource}]`,
        reason: "Invalid",
      },
    ],
  });
  return [made, binding];
}
