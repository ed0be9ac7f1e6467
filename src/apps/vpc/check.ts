/**
 * What the rules refuse, for documents that no API server has seen.
 */
import { isIP, isIPv4 } from "node:net";
import { isPrefix } from "../../sdk/addresses.ts";
import { refuse } from "../../sdk/errors.ts";
import { peerId, vpcId } from "./ids.ts";
import { noNetwork, noRoute, sameName, samePeer } from "./rules.ts";
import type { Input } from "./spec.ts";

function isNetwork(cidr: string): boolean {
  const [network = "", length = ""] = cidr.split("/");
  return isIPv4(network) && Number(length) <= 32;
}

/** Where an entry is that was there before. */
const repeated = (entries: readonly string[]): number => entries.findIndex((entry, at) => entries.indexOf(entry) < at);

function refuseEntry(field: string, message: string, remedy: string): never {
  return refuse({ code: "InvalidValue", field, message, remedy });
}

/** Refuses what the rules refuse, and a peering with itself. */
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
