import { test } from "node:test";
import { type RuleRow, ruleChecker } from "../../../test/support/rules.ts";
import { vpn } from "./index.ts";

const rows: readonly RuleRow[] = [
  { why: "nothing said", spec: {} },
  {
    why: "users, a host and addresses",
    spec: {
      users: { "a.b": {}, _c: { password: "x" } },
      host: "a.example.org",
      externalIPs: ["192.0.2.1", "2001:db8::1"],
    },
  },
  { why: "an address as host", spec: { host: "2001:db8::1" } },
  { why: "a user's name with a space", spec: { users: { "a b": {} } }, refused: /spec\.users/ },
  { why: "a host with a port", spec: { host: "1.2.3.4:5" }, refused: /neither a host's name/ },
  { why: "a host that is a URL", spec: { host: "a/b" }, refused: /spec\.host/ },
  { why: "an address that does not exist", spec: { externalIPs: ["300.1.1.1"] }, refused: /no address/ },
  { why: "a prefix as address", spec: { externalIPs: ["10.0.0.0/8"] }, refused: /externalIPs/ },
];

const check = await ruleChecker(vpn);

for (const row of rows)
  test(`the server ${row.refused === undefined ? "accepts" : "refuses"}: ${row.why}`, () => check(row));
