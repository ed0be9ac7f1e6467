/**
 * What the rules of a group come to: a rule that changes nothing is said to. Pure.
 */
import { type EgressRule, formatReference, type Group, type IngressRule, type Reference } from "./names.ts";
import { isEmptyRule, type Policy } from "./policy.ts";

/** What a namespace's own policies allow every pod of it anyway, by the policy that does. */
export interface Baseline {
  readonly ingress: Allowed;
  readonly egress: Allowed;
}
interface Allowed {
  /** All pods of the same namespace. */
  readonly inside?: string;
  /** Everything outside the cluster. */
  readonly outside?: string;
  /** Everything that runs in the cluster. */
  readonly cluster?: string;
}

/** What rules refer to, as it is now. */
export interface Facts {
  readonly baseline: Baseline;
  /** Pods that are members of the group. */
  readonly members: number;
  /** Members of another group; undefined where there is no such group. */
  membersOf(group: string): number | undefined;
  /** Pods of an application; undefined where there is no such application. */
  podsOf(application: Reference): number | undefined;
}

export interface Effect {
  /** Such as `spec.ingress[0]`. */
  readonly rule: string;
  readonly effective: boolean;
  readonly reason: "Adds" | "EmptyRule" | "NoMembers" | "NoPeers" | "AllowedAlready" | "NamesNeedDnsRule";
  readonly message?: string;
}

export interface Dangling {
  readonly field: string;
  readonly message: string;
}

/** What policies for all pods of a namespace allow without a condition on ports. */
export function baselineOf(policies: readonly Policy[]): Baseline {
  const ingress: { inside?: string; outside?: string; cluster?: string } = {};
  const egress: typeof ingress = {};
  const note = (into: typeof ingress, name: string, isAll: boolean, entities: readonly string[]): void => {
    if (isAll) into.inside ??= name;
    if (entities.some((entity) => entity === "world" || entity === "all")) into.outside ??= name;
    if (entities.some((entity) => entity === "cluster" || entity === "all")) into.cluster ??= name;
  };
  const isEverything = (selectors: readonly object[] = []): boolean =>
    selectors.some((selector) => Object.keys(selector).length === 0);
  for (const { metadata, spec } of policies) {
    if (spec?.endpointSelector === undefined || Object.keys(spec.endpointSelector).length > 0) continue;
    for (const { toPorts, fromEndpoints, fromEntities = [] } of spec.ingress ?? []) {
      if (toPorts === undefined) note(ingress, metadata.name, isEverything(fromEndpoints), fromEntities);
    }
    for (const { toPorts, toEndpoints, toEntities = [] } of spec.egress ?? []) {
      if (toPorts === undefined) note(egress, metadata.name, isEverything(toEndpoints), toEntities);
    }
  }
  return { ingress, egress };
}

/** What each rule comes to, in order. */
export function effectsOf(group: Group, facts: Facts): readonly Effect[] {
  const { ingress = [], egress = [] } = group.spec ?? {};
  return [
    ...ingress.map((rule, at) => effectOf(`spec.ingress[${at}]`, rule, facts, fromOf(rule, facts.baseline.ingress))),
    ...egress.map((rule, at) => effectOf(`spec.egress[${at}]`, rule, facts, toOf(rule, facts.baseline.egress))),
  ];
}

interface Peers {
  readonly applications: readonly Reference[];
  readonly groups: readonly string[];
  /** Peers that are not pods of the namespace. */
  readonly others: boolean;
  readonly names: boolean;
  /** Policies that allow all of it anyway, one for each sort of peer; undefined for a sort that none allows. */
  readonly allowedBy: readonly (string | undefined)[];
}

function fromOf({ fromApp = [], fromSG = [], fromCIDR = [] }: IngressRule, allowed: Allowed): Peers {
  const inside = fromApp.length + fromSG.length > 0;
  const outside = fromCIDR.length > 0;
  return {
    applications: fromApp,
    groups: fromSG,
    others: outside,
    names: false,
    allowedBy: [
      ...(inside ? [allowed.inside ?? allowed.cluster] : []),
      ...(outside ? [allowed.outside] : []),
      // Ports alone: from anywhere.
      ...(inside || outside ? [] : [allowed.outside, allowed.cluster]),
    ],
  };
}

function toOf({ toApp = [], toSG = [], toCIDR = [], toFQDNs = [] }: EgressRule, allowed: Allowed): Peers {
  const inside = toApp.length + toSG.length > 0;
  const outside = toCIDR.length + toFQDNs.length > 0;
  return {
    applications: toApp,
    groups: toSG,
    others: outside,
    names: toFQDNs.length > 0,
    allowedBy: [
      ...(inside ? [allowed.inside ?? allowed.cluster] : []),
      ...(outside ? [allowed.outside] : []),
      ...(inside || outside ? [] : [allowed.inside ?? allowed.cluster, allowed.outside]),
    ],
  };
}

function effectOf(rule: string, given: IngressRule | EgressRule, facts: Facts, peers: Peers): Effect {
  const none = (reason: Effect["reason"], message: string): Effect => ({ rule, effective: false, reason, message });
  if (isEmptyRule(given)) return none("EmptyRule", "it names neither peers nor ports and allows nothing");
  const by = [...new Set(peers.allowedBy)];
  if (by.every((name) => name !== undefined)) {
    return none("AllowedAlready", `the tenant's own ${by.join(" and ")} allows all of it, so the rule changes nothing`);
  }
  if (facts.members === 0) return none("NoMembers", "the group has no members yet");
  const found = [
    ...peers.applications.map((application) => facts.podsOf(application) ?? 0),
    ...peers.groups.map((name) => facts.membersOf(name) ?? 0),
  ];
  if (!peers.others && found.length > 0 && found.every((pods) => pods === 0)) {
    return none("NoPeers", "none of its peers has a pod yet");
  }
  if (peers.names) {
    const message =
      "names stay without addresses unless a policy leads the members' DNS queries through Cilium (rules.dns)";
    return none("NamesNeedDnsRule", message);
  }
  return { rule, effective: true, reason: "Adds" };
}

/** References that lead nowhere, with the field they stand in. */
export function danglingOf(group: Group, facts: Facts): readonly Dangling[] {
  const { attachments = [], ingress = [], egress = [] } = group.spec ?? {};
  const applications = (field: string, list: readonly Reference[] = []): readonly Dangling[] =>
    list.flatMap((reference, at) =>
      facts.podsOf(reference) === undefined
        ? [{ field: `${field}[${at}]`, message: `there is no ${formatReference(reference)}` }]
        : [],
    );
  const groups = (field: string, list: readonly string[] = []): readonly Dangling[] =>
    list.flatMap((name, at) =>
      facts.membersOf(name) === undefined
        ? [{ field: `${field}[${at}]`, message: `there is no SecurityGroup ${name}` }]
        : [],
    );
  return [
    ...applications("spec.attachments", attachments),
    ...ingress.flatMap((rule, at) => [
      ...applications(`spec.ingress[${at}].fromApp`, rule.fromApp),
      ...groups(`spec.ingress[${at}].fromSG`, rule.fromSG),
    ]),
    ...egress.flatMap((rule, at) => [
      ...applications(`spec.egress[${at}].toApp`, rule.toApp),
      ...groups(`spec.egress[${at}].toSG`, rule.toSG),
    ]),
  ];
}
