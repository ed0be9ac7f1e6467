/**
 * What is refused beyond the types of fields: as CEL for the API server, and again for documents it has not seen.
 */
import { isIP, isIPv4 } from "node:net";
import { isPrefix } from "../../sdk/addresses.ts";
import { refuse } from "../../sdk/errors.ts";
import { type PlacedRule, rule } from "../../sdk/spec.ts";
import { peerId, vpcId } from "./ids.ts";
import type { Input } from "./spec.ts";

const noNetwork = "a subnet's cidr is no IPv4 prefix such as 172.16.0.0/24";
const sameName = "two subnets have the same name";
const noRoute = "a route leads from a prefix such as 10.0.0.0/8 to an address such as 172.16.0.1";
const samePeer = "a peer is listed twice";

export const rules: readonly PlacedRule[] = [
  rule({ path: "subnets", rule: "self.all(s, self.exists_one(t, t.name == s.name))", message: sameName }),
  rule({
    path: "subnets.*",
    rule: "!has(self.cidr) || self.cidr == '' || isCIDR(self.cidr)",
    message: noNetwork,
  }),
  rule({
    path: "peers",
    rule: "self.all(p, self.exists_one(q, q.vpcName == p.vpcName && q.tenantNamespace == p.tenantNamespace))",
    message: samePeer,
  }),
  rule({
    path: "routes.*",
    rule: "(isCIDR(self.cidr) || isIP(self.cidr)) && isIP(self.nextHopIP)",
    message: noRoute,
  }),
];

function isNetwork(cidr: string): boolean {
  const [network = "", length = ""] = cidr.split("/");
  return isIPv4(network) && Number(length) <= 32;
}

/** Where an entry is that was there before. */
const repeated = (entries: readonly string[]): number => entries.findIndex((entry, at) => entries.indexOf(entry) < at);

function refuseEntry(field: string, message: string, remedy: string): never {
  return refuse({ code: "InvalidValue", field, message, remedy });
}

/** Refuses what {@link rules} refuse, and a peering with itself. */
export function check({ namespace, release, spec }: Input): void {
  const { subnets, peers, routes } = spec;
  const twice = repeated(subnets.map(({ name }) => name));
  if (twice >= 0) refuseEntry(`spec.subnets[${twice}].name`, sameName, "Rename one of them.");
  const bad = subnets.findIndex(({ cidr = "" }) => cidr !== "" && !isNetwork(cidr));
  if (bad >= 0) refuseEntry(`spec.subnets[${bad}].cidr`, noNetwork, "Correct it.");
  const ids = peers.map(peerId);
  const again = repeated(ids);
  if (again >= 0) refuseEntry(`spec.peers[${again}]`, samePeer, "Leave one of them out.");
  const self = ids.indexOf(vpcId(namespace, release));
  if (self >= 0) refuseEntry(`spec.peers[${self}]`, "this is no peer of itself", "Leave it out.");
  const route = routes.findIndex(({ cidr, nextHopIP }) => !isPrefix(cidr) || isIP(nextHopIP) === 0);
  if (route >= 0) refuseEntry(`spec.routes[${route}]`, noRoute, "Correct it.");
}
