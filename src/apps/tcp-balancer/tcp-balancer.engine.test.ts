import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { tcpBalancer } from "./index.ts";

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  {
    why: "hosts, addresses and prefixes",
    spec: {
      httpAndHttps: { endpoints: ["10.0.0.1", "a.example.org", "2001:db8::1"] },
      kubernetesAndTalos: { mode: "", endpoints: ["b"] },
      whitelist: ["1.2.3.4", "10.0.0.0/8", "2001:db8::/32", "::1"],
    },
  },
  { why: "another mode", spec: { httpAndHttps: { mode: "http" } }, refused: /mode.*"tcp-with-proxy"/ },
  { why: "an endpoint with a port", spec: { httpAndHttps: { endpoints: ["a:1"] } }, refused: /endpoints/ },
  { why: "an address with a port", spec: { httpAndHttps: { endpoints: ["1.2.3.4:80"] } }, refused: /neither a host's/ },
  { why: "an endpoint of two lines", spec: { httpAndHttps: { endpoints: ["a\nb"] } }, refused: /endpoints/ },
  {
    why: "a control plane's endpoint that is no address",
    spec: { kubernetesAndTalos: { endpoints: ["1:2"] } },
    refused: /neither a host's/,
  },
  {
    why: "an address that does not exist",
    spec: { whitelist: ["300.1.1.1"] },
    refused: /whitelist: an entry is no address/,
  },
  { why: "a name in the whitelist", spec: { whitelist: ["example.org"] }, refused: /whitelist/ },
  { why: "a port that is none", spec: { httpAndHttps: { targetPorts: { https: 65536 } } }, refused: /65535/ },
];

const check = await ruleChecker(tcpBalancer);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));
