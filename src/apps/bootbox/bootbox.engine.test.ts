import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { bootBox } from "./index.ts";

const node1 = {
  hostname: "node1",
  arch: "x86_64",
  ip: { address: "10.0.0.11", gateway: "10.0.0.1", netmask: "255.255.255.0" },
  leaseTime: 86400,
  uefi: true,
};
const machines = (...given: object[]) => ({ machines: given.map((one) => ({ ...node1, ...one })) });

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  {
    why: "machines",
    spec: machines({ mac: ["00:25:90:AA:bb:01"], nameServers: ["1.1.1.1", "dns.example.org"] }, { hostname: "b" }),
  },
  {
    why: "a machine without UEFI said",
    spec: { machines: [{ ...node1, uefi: undefined }] },
    refused: /uefi: Required/,
  },
  { why: "a hardware address that is none", spec: machines({ mac: ["aa:bb"] }), refused: /mac/ },
  {
    why: "a mask that is none",
    spec: machines({ ip: { ...node1.ip, netmask: "255.255.255.256" } }),
    refused: /must be addresses/,
  },
  { why: "a name server with a port", spec: machines({ nameServers: ["1.2.3.4:53"] }), refused: /nameServers/ },
  { why: "two addresses in one", spec: { whitelist: ["1.2.3.4,0.0.0.0/0"] }, refused: /whitelist/ },
];

const check = await ruleChecker(bootBox);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));
