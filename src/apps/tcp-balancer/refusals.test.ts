import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Refusal } from "../../sdk/errors.ts";
import { tcpBalancer } from "./index.ts";

const demo = (given: RenderGiven = {}) => renderApp(tcpBalancer, given);

const refused = [
  { why: "another mode", spec: { httpAndHttps: { mode: "http" } }, field: "spec.httpAndHttps.mode", says: /tcp/ },
  {
    why: "another mode of a control plane",
    spec: { kubernetesAndTalos: { mode: "http" } },
    field: "spec.kubernetesAndTalos.mode",
    says: /tcp/,
  },
  { why: "a negative number of replicas", spec: { replicas: -1 }, field: "spec.replicas", says: /0/ },
  {
    why: "a port that is none",
    spec: { httpAndHttps: { targetPorts: { http: 70000 } } },
    field: "spec.httpAndHttps.targetPorts.http",
    says: /65535/,
  },
  {
    why: "an endpoint of two lines",
    spec: { httpAndHttps: { endpoints: ["a\nbind :1"] } },
    field: "spec.httpAndHttps.endpoints[0]",
    says: /./,
  },
  {
    why: "an endpoint with a port",
    spec: { httpAndHttps: { endpoints: ["a", "10.0.0.1:80"] } },
    field: "spec.httpAndHttps.endpoints[1]",
    says: /./,
  },
  {
    why: "an endpoint that is no address after all",
    spec: { httpAndHttps: { endpoints: ["1:2:3"] } },
    field: "spec.httpAndHttps.endpoints[0]",
    says: /host/,
  },
  {
    why: "an endpoint of a control plane with a port",
    spec: { kubernetesAndTalos: { endpoints: ["a:1"] } },
    field: "spec.kubernetesAndTalos.endpoints[0]",
    says: /./,
  },
  {
    why: "a whitelist with something else than addresses",
    spec: { whitelist: ["1.2.3.4", "fe80::1 all"] },
    field: "spec.whitelist[1]",
    says: /./,
  },
  {
    why: "a whitelist with an address that does not exist",
    spec: { whitelist: ["300.0.0.1"] },
    field: "spec.whitelist[0]",
    says: /no address/,
  },
  {
    why: "a whitelist with a prefix that is too long",
    spec: { whitelist: ["1.2.3.4/33"] },
    field: "spec.whitelist[0]",
    says: /prefix/,
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
