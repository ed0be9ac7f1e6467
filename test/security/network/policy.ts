/**
 * Whether network policies let one thing reach another, as Cilium decides: NetworkPolicies, CiliumNetworkPolicies and
 * CiliumClusterwideNetworkPolicies together. In each direction an endpoint that no policy selects is open; one that some policy
 * selects is open only where a rule allows and no rule denies.
 */
import { BlockList, isIPv6 } from "node:net";
import { isRecord, valueAt } from "../../../src/kube/json.ts";
import type { KubeObject } from "../../../src/kube/object.ts";

export type Labels = Readonly<Record<string, string>>;

export interface PodPeer {
  readonly is: "pod";
  readonly namespace: string;
  readonly namespaceLabels: Labels;
  readonly labels: Labels;
}

/** What is no pod: Cilium knows it as an entity, and what is outside the cluster by its address too. */
export interface EntityPeer {
  readonly is: "entity";
  readonly entity: "world" | "host" | "remote-node" | "kube-apiserver" | "ingress";
  readonly address?: string;
}

export type Peer = PodPeer | EntityPeer;

export interface Port {
  readonly port: number;
  readonly protocol: "TCP" | "UDP" | "SCTP";
}

type Direction = "ingress" | "egress";
type Fields = Readonly<Record<string, unknown>>;

const NAMESPACE = "io.kubernetes.pod.namespace";
const NAMESPACE_LABELS = "io.cilium.k8s.namespace.labels.";

const list = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const bare = (key: string): string => key.replace(/^(k8s|any):/, "");

/** What Cilium's selectors see of a pod. */
function identity({ namespace, namespaceLabels, labels }: PodPeer): Labels {
  const inherited = Object.entries(namespaceLabels).map(([key, value]) => [`${NAMESPACE_LABELS}${key}`, value]);
  return { ...labels, ...Object.fromEntries(inherited), [NAMESPACE]: namespace };
}

/** Kubernetes' label selectors; an empty one matches everything. */
function selects(selector: Fields, labels: Labels): boolean {
  const wanted = isRecord(selector["matchLabels"]) ? Object.entries(selector["matchLabels"]) : [];
  if (!wanted.every(([key, value]) => labels[bare(key)] === value)) return false;
  return list(selector["matchExpressions"]).every((expression) => {
    const value = labels[bare(String(expression["key"]))];
    const values = texts(expression["values"]);
    switch (expression["operator"]) {
      case "In":
        return value !== undefined && values.includes(value);
      case "NotIn":
        return value === undefined || !values.includes(value);
      case "Exists":
        return value !== undefined;
      case "DoesNotExist":
        return value === undefined;
      default:
        throw new Error(`unknown operator ${String(expression["operator"])}`);
    }
  });
}

/** A namespaced policy's selectors mean its own namespace, unless they speak of namespaces themselves. */
function scoped(selector: Fields, namespace: string | undefined): Fields {
  if (namespace === undefined) return selector;
  const matchLabels = isRecord(selector["matchLabels"]) ? selector["matchLabels"] : {};
  const keys = [...Object.keys(matchLabels), ...list(selector["matchExpressions"]).map(({ key }) => String(key))];
  if (keys.map(bare).some((key) => key === NAMESPACE || key.startsWith(NAMESPACE_LABELS))) return selector;
  return { ...selector, matchLabels: { ...matchLabels, [NAMESPACE]: namespace } };
}

const inCluster = new Set(["host", "remote-node", "kube-apiserver", "ingress"]);

function isEntity(peer: Peer, entity: string): boolean {
  if (entity === "all") return true;
  if (entity === "cluster") return peer.is === "pod" || inCluster.has(peer.entity);
  if (peer.is === "pod") return false;
  // The API server is on a node, or outside.
  return peer.entity === entity || (entity === "remote-node" && peer.entity === "kube-apiserver");
}

function inBlock(address: string, cidr: string, except: readonly string[]): boolean {
  const block = (text: string): BlockList => {
    const [network = "", prefix = isIPv6(text) ? "128" : "32"] = text.split("/");
    const found = new BlockList();
    found.addSubnet(network, Number(prefix), isIPv6(network) ? "ipv6" : "ipv4");
    return found;
  };
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  return block(cidr).check(address, family) && !except.some((each) => block(each).check(address, family));
}

/** Blocks of addresses mean what is outside: pods have identities. */
function inBlocks(peer: Peer, cidrs: readonly string[], sets: readonly Fields[]): boolean {
  if (peer.is === "pod" || peer.entity !== "world" || peer.address === undefined) return false;
  const { address } = peer;
  return (
    cidrs.some((cidr) => inBlock(address, cidr, [])) ||
    sets.some((set) => inBlock(address, String(set["cidr"]), texts(set["except"])))
  );
}

function onPort(rule: Fields, { port, protocol }: Port): boolean {
  if (rule["toPorts"] === undefined) return true;
  return list(rule["toPorts"]).some((group) =>
    list(group["ports"]).some((one) => {
      const wanted = String(one["protocol"] ?? "ANY");
      const first = Number(one["port"]);
      const last = Number(one["endPort"] ?? first);
      return (wanted === "ANY" || wanted === protocol) && (first === 0 || (first <= port && port <= last));
    }),
  );
}

/** What rules of Cilium can name a peer by. `toFQDNs` and `toServices` name what is outside by other means: never a pod here. */
const peerFields: Readonly<Record<Direction, readonly string[]>> = {
  ingress: ["fromEndpoints", "fromEntities", "fromCIDR", "fromCIDRSet"],
  egress: ["toEndpoints", "toEntities", "toCIDR", "toCIDRSet", "toFQDNs", "toServices"],
};

function ciliumRuleMeets(rule: Fields, direction: Direction, peer: Peer, namespace: string | undefined): boolean {
  const [endpoints = "", entities = "", cidr = "", cidrSet = ""] = peerFields[direction];
  const named = peerFields[direction].filter((field) => rule[field] !== undefined);
  // A rule of ports alone means everything; an empty rule nothing.
  if (named.length === 0) return rule["toPorts"] !== undefined;
  return (
    (peer.is === "pod" &&
      list(rule[endpoints]).some((selector) => selects(scoped(selector, namespace), identity(peer)))) ||
    texts(rule[entities]).some((entity) => isEntity(peer, entity)) ||
    inBlocks(peer, texts(rule[cidr]), list(rule[cidrSet]))
  );
}

interface Verdict {
  readonly selected: boolean;
  readonly allows: boolean;
  readonly denies: boolean;
}
const silent: Verdict = { selected: false, allows: false, denies: false };

function ciliumVerdict(policy: KubeObject, direction: Direction, pod: PodPeer, peer: Peer, port: Port): Verdict {
  const { namespace } = policy.metadata;
  const spec = valueAt(policy, "spec");
  const specs = [...(isRecord(spec) ? [spec] : []), ...list(valueAt(policy, "specs"))];
  return specs
    .filter((one) => isRecord(one["endpointSelector"]))
    .filter((one) =>
      selects(scoped(isRecord(one["endpointSelector"]) ? one["endpointSelector"] : {}, namespace), identity(pod)),
    )
    .map((one): Verdict => {
      const meets = (rules: unknown) =>
        list(rules).some((rule) => ciliumRuleMeets(rule, direction, peer, namespace) && onPort(rule, port));
      const denied = one[`${direction}Deny`];
      const closes = valueAt(one, "enableDefaultDeny", direction) !== false;
      return {
        // An empty list of rules says nothing about its direction.
        selected: closes && (list(one[direction]).length > 0 || list(denied).length > 0),
        allows: meets(one[direction]),
        denies: meets(denied),
      };
    })
    .reduce(both, silent);
}

function kubernetesVerdict(policy: KubeObject, direction: Direction, pod: PodPeer, peer: Peer, port: Port): Verdict {
  const spec = valueAt(policy, "spec");
  if (!isRecord(spec) || policy.metadata.namespace !== pod.namespace) return silent;
  if (!selects(isRecord(spec["podSelector"]) ? spec["podSelector"] : {}, pod.labels)) return silent;
  const given = texts(spec["policyTypes"]).map((type) => type.toLowerCase());
  const types = given.length > 0 ? given : ["ingress", ...(spec["egress"] === undefined ? [] : ["egress"])];
  if (!types.includes(direction)) return silent;
  const side = direction === "ingress" ? "from" : "to";
  const allows = list(spec[direction]).some((rule) => {
    const peers = rule[side] === undefined ? undefined : list(rule[side]);
    const ports = rule["ports"] === undefined ? {} : { toPorts: [{ ports: list(rule["ports"]).map(tcpUnlessSaid) }] };
    return (
      (peers === undefined || peers.some((one) => kubernetesPeer(one, peer, pod.namespace))) && onPort(ports, port)
    );
  });
  return { selected: true, allows, denies: false };
}

const tcpUnlessSaid = (port: Fields): Fields => ({ protocol: "TCP", ...port, port: port["port"] ?? 0 });

function kubernetesPeer(wanted: Fields, peer: Peer, namespace: string): boolean {
  const { ipBlock, namespaceSelector, podSelector } = wanted;
  if (isRecord(ipBlock)) return inBlocks(peer, [], [ipBlock]);
  if (peer.is !== "pod") return false;
  const there = isRecord(namespaceSelector)
    ? selects(namespaceSelector, { "kubernetes.io/metadata.name": peer.namespace, ...peer.namespaceLabels })
    : peer.namespace === namespace;
  return there && (!isRecord(podSelector) || selects(podSelector, peer.labels));
}

const both = (a: Verdict, b: Verdict): Verdict => ({
  selected: a.selected || b.selected,
  allows: a.allows || b.allows,
  denies: a.denies || b.denies,
});

/** Whether the policies let `pod` talk to `peer` in this direction. */
function open(policies: readonly KubeObject[], direction: Direction, pod: PodPeer, peer: Peer, port: Port): boolean {
  const verdict = policies
    .map((policy) => {
      if (policy.kind === "NetworkPolicy") return kubernetesVerdict(policy, direction, pod, peer, port);
      if (policy.kind === "CiliumNetworkPolicy" || policy.kind === "CiliumClusterwideNetworkPolicy")
        return ciliumVerdict(policy, direction, pod, peer, port);
      return silent;
    })
    .reduce(both, silent);
  return !verdict.denies && (verdict.allows || !verdict.selected);
}

/** Whether a connection from one to the other comes about: it must be let out there and let in here. */
export function reaches(policies: readonly KubeObject[], from: Peer, to: Peer, port: Port): boolean {
  const out = from.is !== "pod" || open(policies, "egress", from, to, port);
  const into = to.is !== "pod" || open(policies, "ingress", to, from, port);
  return out && into;
}
