import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Secret } from "../../contracts/core.ts";
import { Refusal } from "../../sdk/errors.ts";
import { vpn } from "./index.ts";

const text = (value: string) => Buffer.from(value).toString("base64");
const pair = Secret("vpn-demo-vpn-tls", {
  data: { "ca.crt": text("CA"), "tls.crt": text("CRT"), "tls.key": text("KEY") },
});
/** With a certificate that is there already: making one takes its time. */
const demo = (given: RenderGiven = {}) => renderApp(vpn, { ...given, existing: [pair] });

const refused = [
  { why: "a negative number of replicas", given: { spec: { replicas: -1 } }, field: "spec.replicas", says: /0/ },
  { why: "a user's name with a space", given: { spec: { users: { "a b": {} } } }, field: "spec.users", says: /a b/ },
  { why: "a user named ..", given: { spec: { users: { "..": {} } } }, field: "spec.users", says: /\.\./ },
  {
    why: "a host with a port",
    given: { spec: { host: "1.2.3.4:80", users: { a: {} } } },
    field: "spec.host",
    says: /./,
  },
  {
    why: "a host that is no address after all",
    given: { spec: { host: "1:2", users: { a: {} } } },
    field: "spec.host",
    says: /port/,
  },
  { why: "a host that is a URL", given: { spec: { host: "a/b?c" } }, field: "spec.host", says: /./ },
  {
    why: "an address that does not exist",
    given: { spec: { externalIPs: ["1.2.3.4", "300.1.1.1"] } },
    field: "spec.externalIPs[1]",
    says: /no address/,
  },
  {
    why: "users without any host to connect to",
    given: { spec: { users: { a: {} } }, values: { host: "" } },
    field: "_namespace.host",
    says: /host/,
  },
] as const;

for (const { why, given: input, field, says } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo(input),
      (error) => error instanceof Refusal && error.field === field && says.test(error.message),
    );
  });
}
