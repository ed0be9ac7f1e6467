/**
 * The labels, annotations and finalizer of security groups, and how their parts are compared.
 */
import type { SecurityGroup } from "../contracts/sdn-cozystack-io.ts";

export type Group = ReturnType<typeof SecurityGroup>;
type Spec = NonNullable<Group["spec"]>;
export type Reference = NonNullable<Spec["attachments"]>[number];
export type IngressRule = NonNullable<Spec["ingress"]>[number];
export type EgressRule = NonNullable<Spec["egress"]>[number];

/** Membership: on the pods of a group, with the group's name appended. The value is empty. */
export const MEMBERSHIP = "securitygroup.sdn.cozystack.io/";
/** On the policy of a group. */
export const MARKER = "sdn.cozystack.io/securitygroup";
/** On the policy of a group: its attachments as JSON, as upstream keeps them. */
export const ATTACHMENTS = "sdn.cozystack.io/attachments";
/** On a group, until no pod carries its label any more. */
export const FINALIZER = "sdn.cozystack.io/securitygroup-membership";

const GROUP = "apps.cozystack.io/application.group";
const KIND = "apps.cozystack.io/application.kind";
const NAME = "apps.cozystack.io/application.name";

/** The field manager of policies and membership labels. */
export const networkManager = "cozystack-securitygroups";

type Labels = Readonly<Record<string, string>>;

/** The labels of the pods of an application. */
export function applicationLabels({ apiGroup = "apps.cozystack.io", kind, name }: Reference): Labels {
  return { [GROUP]: apiGroup, [KIND]: kind, [NAME]: name };
}

export function membershipLabel(group: string): Labels {
  return { [`${MEMBERSHIP}${group}`]: "" };
}

/** The groups that labels make a pod a member of. */
export function membershipsIn(labels: Labels = {}): readonly string[] {
  return Object.keys(labels)
    .filter((label) => label.startsWith(MEMBERSHIP))
    .map((label) => label.slice(MEMBERSHIP.length));
}

/** An application of a namespace as one text. */
export function applicationKey(namespace: string, { apiGroup = "apps.cozystack.io", kind, name }: Reference): string {
  return `${namespace}/${apiGroup}/${kind}/${name}`;
}

/** The application that a pod's labels name; undefined without them. */
export function applicationOf(labels: Labels = {}): Reference | undefined {
  const { [GROUP]: apiGroup, [KIND]: kind, [NAME]: name = "" } = labels;
  return apiGroup === undefined || kind === undefined || name === "" ? undefined : { apiGroup, kind, name };
}

export function formatReference({ apiGroup = "apps.cozystack.io", kind, name }: Reference): string {
  return apiGroup === "apps.cozystack.io" ? `${kind} ${name}` : `${kind}.${apiGroup} ${name}`;
}
