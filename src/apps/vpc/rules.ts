/**
 * What is refused beyond the types of fields, as CEL for the API server. check.ts refuses the same.
 */
import { type PlacedRule, rule } from "../../sdk/spec.ts";

export const noNetwork = "a subnet's cidr is no IPv4 prefix such as 172.16.0.0/24";
export const sameName = "two subnets have the same name";
export const noRoute = "a route leads from a prefix such as 10.0.0.0/8 to an address such as 172.16.0.1";
export const samePeer = "a peer is listed twice";

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
