/**
 * Where vpc differs from upstream on purpose.
 */
import { isIP, isIPv4 } from "node:net";
import { valueAt } from "../../../src/kube/json.ts";
import type { Deviation } from "../deviation.ts";
import { hasNoPrefix } from "../values.ts";

const entries = (values: unknown, field: string): readonly unknown[] => {
  const list = valueAt(values, field);
  return Array.isArray(list) ? list : [];
};
const texts = (values: unknown, field: string, key: string) =>
  entries(values, field).map((entry) => String(valueAt(entry, key) ?? ""));

const isTwice = (list: readonly string[]) => new Set(list).size < list.length;
const peersOf = (values: unknown) =>
  entries(values, "peers").map((peer) => `${valueAt(peer, "tenantNamespace")}/${valueAt(peer, "vpcName")}`);

export const vpc: readonly Deviation[] = [
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) =>
      isTwice(texts(values, "subnets", "name")) ||
      texts(values, "subnets", "name").some((name) => !/^[A-Za-z0-9]([-._A-Za-z0-9]{0,61}[A-Za-z0-9])?$/.test(name)),
    test: "refuses subnets of one name",
    reason: "Subnets of one name, or with names that no label can have, are refused; upstream's release failed.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values) =>
      texts(values, "subnets", "cidr").some((cidr) => cidr !== "" && !isIPv4(cidr.replace(/\/[0-9]+$/, ""))) ||
      hasNoPrefix(texts(values, "routes", "cidr")) ||
      texts(values, "routes", "nextHopIP").some((hop) => isIP(hop) === 0),
    test: "refuses a subnet whose addresses are none",
    reason: "Addresses that are none are refused; upstream left that to Kube-OVN, where nobody in the tenant sees it.",
  },
  {
    class: "fault",
    cases: "unseen",
    outcome: "refuses",
    when: (values, { release }) =>
      isTwice(peersOf(values)) ||
      peersOf(values).some(
        (peer) =>
          !/^[-a-z0-9]+\/[-a-z0-9]+$/.test(peer) || peer === release.namespace + release.name.replace(/^[a-z]+-/, "/"),
      ),
    test: "refuses a peering with itself",
    reason:
      "Peers that are listed twice, whose names no object can have, or that are the application itself are refused; upstream's release failed, or its routers had a link to themselves.",
  },
];
