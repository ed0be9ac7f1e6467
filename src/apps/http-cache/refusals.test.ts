import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Refusal } from "../../sdk/errors.ts";
import { httpCache } from "./index.ts";

const demo = (given: RenderGiven = {}) => renderApp(httpCache, given);

const refused = [
  {
    why: "a negative number of HAProxy pods",
    spec: { haproxy: { replicas: -1 } },
    field: "spec.haproxy.replicas",
    says: /0/,
  },
  {
    why: "a negative number of nginx servers",
    spec: { nginx: { replicas: -1 } },
    field: "spec.nginx.replicas",
    says: /0/,
  },
  {
    why: "more nginx servers than there are numbers for",
    spec: { nginx: { replicas: 101 } },
    field: "spec.nginx.replicas",
    says: /100/,
  },
  {
    why: "an endpoint of two directives",
    spec: { endpoints: ["a; user root"] },
    field: "spec.endpoints[0]",
    says: /./,
  },
  { why: "an endpoint of two lines", spec: { endpoints: ["a", "b\nserver c"] }, field: "spec.endpoints[1]", says: /./ },
  { why: "a socket", spec: { endpoints: ["unix:/run/x"] }, field: "spec.endpoints[0]", says: /./ },
  { why: "a port that is none", spec: { endpoints: ["a:65536"] }, field: "spec.endpoints[0]", says: /./ },
  {
    why: "brackets around something else",
    spec: { endpoints: ["[1:2]:80"] },
    field: "spec.endpoints[0]",
    says: /IPv6/,
  },
  {
    why: "a whitelist with something else than addresses",
    spec: { whitelist: ["1.2.3.400"] },
    field: "spec.whitelist[0]",
    says: /no address/,
  },
  {
    why: "a preset that does not exist",
    spec: { nginx: { resourcesPreset: "t9.nano" } },
    field: "spec.nginx.resourcesPreset",
    says: /t1\.nano/,
  },
] as const;

for (const { why, spec, field, says } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo({ spec }),
      (error) => error instanceof Refusal && error.field === field && says.test(error.message),
    );
  });
}
