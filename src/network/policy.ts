/**
 * From a SecurityGroup to its CiliumNetworkPolicy (api-sdn.md). Pure.
 *
 * Cilium takes only one sort of peer in a rule (labels, addresses or names), and only one form of a name in an entry: what a
 * group puts together becomes rules beside each other, which allows the same.
 */
import { isIP } from "node:net";
import { CiliumNetworkPolicy } from "../contracts/cilium-io.ts";
import { SecurityGroup } from "../contracts/sdn-cozystack-io.ts";
import { apiVersionOf } from "../kube/object.ts";
import { digestOf } from "../reconcile/digest.ts";
import {
  ATTACHMENTS,
  applicationLabels,
  type EgressRule,
  type Group,
  type IngressRule,
  MARKER,
  membershipLabel,
  type Reference,
} from "./names.ts";

export type Policy = ReturnType<typeof CiliumNetworkPolicy>;
type Rules = NonNullable<Policy["spec"]>;
type Ingress = NonNullable<Rules["ingress"]>[number];
type Egress = NonNullable<Rules["egress"]>[number];
type Ports = NonNullable<Ingress["toPorts"]>;

/** Digest of all that we want of the policy, so that what a group no longer says is seen to be too much. */
export const PROJECTED = "internal.cozystack.io/projected";

/** What is only about the group's object itself. */
const OWN_ANNOTATIONS =
  /^(kubectl\.kubernetes\.io\/last-applied-configuration$|internal\.cozystack\.io\/|platform\.cozystack\.io\/)/;

/** The policy of a group: of the same name, owned by it. */
export function policyOf(group: Group): Policy {
  const { name, namespace, uid = "", labels = {}, annotations = {} } = group.metadata;
  const { attachments = [], ingress = [], egress = [] } = group.spec ?? {};
  const kept = Object.entries(annotations).filter(([key]) => !OWN_ANNOTATIONS.test(key));
  const outgoing = egress.flatMap(egressRules);
  const policy = CiliumNetworkPolicy(name, {
    ...(namespace === undefined ? {} : { namespace }),
    labels: { ...labels, [MARKER]: "true" },
    annotations: {
      ...Object.fromEntries(kept),
      ...(attachments.length === 0 ? {} : { [ATTACHMENTS]: JSON.stringify(attachments.map(filledIn)) }),
    },
    metadata: {
      ownerReferences: [
        {
          apiVersion: apiVersionOf(SecurityGroup),
          kind: SecurityGroup.kind,
          name,
          uid,
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      endpointSelector: { matchLabels: membershipLabel(name) },
      // Always there, as Cilium's definition demands one section; an empty one denies nothing.
      ingress: ingress.flatMap(ingressRules),
      ...(outgoing.length === 0 ? {} : { egress: outgoing }),
    },
  });
  const projected = { ...policy.metadata.annotations, [PROJECTED]: digestOf(policy) };
  return { ...policy, metadata: { ...policy.metadata, annotations: projected } };
}

function filledIn({ apiGroup = "apps.cozystack.io", kind, name }: Reference): Reference {
  return { apiGroup, kind, name };
}

/** The applications first, then the groups. */
function endpoints(applications: readonly Reference[] = [], groups: readonly string[] = []) {
  return [...applications.map(applicationLabels), ...groups.map(membershipLabel)].map((matchLabels) => ({
    matchLabels,
  }));
}

function prefix(address: string): string {
  const version = isIP(address);
  if (version === 0) return address;
  return `${address}/${version === 4 ? 32 : 128}`;
}

/** Entries without a port say nothing; none left means all ports. */
function portsOf(toPorts: IngressRule["toPorts"]): { readonly toPorts?: Ports } {
  const rules = (toPorts ?? []).flatMap(({ ports = [] }) =>
    ports.length === 0
      ? []
      : [
          {
            ports: ports.map(({ port = "", protocol = "" }) => ({
              port: port === "" ? "0" : port,
              ...(protocol === "" ? {} : { protocol: protocolOf(protocol) }),
            })),
          },
        ],
  );
  return rules.length === 0 ? {} : { toPorts: rules };
}

function protocolOf(given: string): "TCP" | "UDP" | "SCTP" | "ANY" {
  const name = given.toUpperCase();
  return name === "TCP" || name === "UDP" || name === "SCTP" ? name : "ANY";
}

/** Whether a rule says nothing at all: it would allow nothing, and nothing is made of it. */
export function isEmptyRule(rule: IngressRule | EgressRule): boolean {
  const { toPorts, ...peers } = rule;
  const named = Object.values(peers).some((list) => Array.isArray(list) && list.length > 0);
  return !named && portsOf(toPorts).toPorts === undefined;
}

function ingressRules(rule: IngressRule): readonly Ingress[] {
  if (isEmptyRule(rule)) return [];
  const ports = portsOf(rule.toPorts);
  const fromEndpoints = endpoints(rule.fromApp, rule.fromSG);
  const fromCIDR = (rule.fromCIDR ?? []).map(prefix);
  const rules: readonly Ingress[] = [
    ...(fromEndpoints.length === 0 ? [] : [{ fromEndpoints, ...ports }]),
    ...(fromCIDR.length === 0 ? [] : [{ fromCIDR, ...ports }]),
  ];
  return rules.length === 0 ? [ports] : rules;
}

function egressRules(rule: EgressRule): readonly Egress[] {
  if (isEmptyRule(rule)) return [];
  const ports = portsOf(rule.toPorts);
  const toEndpoints = endpoints(rule.toApp, rule.toSG);
  const toCIDR = (rule.toCIDR ?? []).map(prefix);
  const toFQDNs = (rule.toFQDNs ?? []).flatMap(({ matchName = "", matchPattern = "" }) => [
    ...(matchName === "" ? [] : [{ matchName }]),
    ...(matchPattern === "" ? [] : [{ matchPattern }]),
  ]);
  const rules: readonly Egress[] = [
    ...(toEndpoints.length === 0 ? [] : [{ toEndpoints, ...ports }]),
    ...(toCIDR.length === 0 ? [] : [{ toCIDR, ...ports }]),
    ...(toFQDNs.length === 0 ? [] : [{ toFQDNs, ...ports }]),
  ];
  if (rules.length > 0) return rules;
  // Ports alone would open every destination of the cluster, other tenants' pods included: it stays what a tenant reaches.
  return [
    { toEndpoints: [{}], ...ports },
    { toEntities: ["world"], ...ports },
  ];
}
