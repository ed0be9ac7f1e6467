import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { vpc } from "./index.ts";

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  {
    why: "subnets, peers and routes",
    spec: {
      subnets: [{ name: "a", cidr: "172.16.0.0/24" }, { name: "B.c", cidr: "" }, { name: "d" }],
      peers: [{ vpcName: "x", tenantNamespace: "tenant-y" }],
      routes: [{ cidr: "10.0.0.0/8", nextHopIP: "172.16.0.1" }],
    },
  },
  {
    why: "subnets of one name",
    spec: { subnets: [{ name: "a" }, { name: "a" }] },
    refused: /two subnets have the same/,
  },
  { why: "a subnet without a name", spec: { subnets: [{ cidr: "10.0.0.0/8" }] }, refused: /name: Required/ },
  { why: "no network", spec: { subnets: [{ name: "a", cidr: "10.0.0.0/99" }] }, refused: /no IPv4 prefix/ },
  {
    why: "a peer twice",
    spec: { peers: [1, 2].map(() => ({ vpcName: "a", tenantNamespace: "b" })) },
    refused: /a peer is listed twice/,
  },
  { why: "a peer without a name", spec: { peers: [{ tenantNamespace: "b" }] }, refused: /vpcName: Required/ },
  {
    why: "a route over nothing",
    spec: { routes: [{ cidr: "10.0.0.0/8", nextHopIP: "1.2.3" }] },
    refused: /a route leads/,
  },
];

const check = await ruleChecker(vpc);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));
