import assert from "node:assert/strict";
import { test } from "node:test";
import { rootCertificates } from "node:tls";
import { authenticationCases } from "../../../test/support/authentication-cases.ts";
import { instanceTypes } from "../../../test/support/machines.ts";
import { renderApp } from "../../../test/support/render.ts";
import { Secret } from "../../contracts/core.ts";
import { Refusal } from "../../sdk/errors.ts";
import { faultOf } from "./authentication.ts";
import { kubernetes } from "./index.ts";

const issuer = { url: "https://id.example.org", ca: rootCertificates[0] ?? "" };
for (const { why, config, fault } of authenticationCases(issuer)) {
  test(`an authentication configuration: ${fault === undefined ? "takes" : "refuses"} ${why}`, () => {
    assert.equal(faultOf(config, 35)?.path, fault, faultOf(config, 35)?.message);
  });
}

const text = (more: object) =>
  JSON.stringify({ apiVersion: "apiserver.config.k8s.io/v1beta1", kind: "AuthenticationConfiguration", ...more });
const secret = (config: string) => Secret("mine", { data: { "config.yaml": Buffer.from(config).toString("base64") } });

test("what a version of Kubernetes does not know yet is refused for it", () => {
  const anonymous = text({ anonymous: { enabled: false } });
  assert.deepEqual(
    [31, 32].map((minor) => faultOf(anonymous, minor)?.path),
    ["anonymous", undefined],
  );
  const ga = anonymous.replace("v1beta1", "v1");
  assert.deepEqual(
    [33, 34].map((minor) => faultOf(ga, minor)?.path),
    ["apiVersion", undefined],
  );
});

function refusal(customConfig: object, existing: readonly ReturnType<typeof Secret>[] = []): Refusal {
  try {
    const spec = { oidc: { mode: "CustomConfig", customConfig } };
    renderApp(kubernetes, { spec, existing: [...instanceTypes, ...existing] });
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  return assert.fail("nothing is refused");
}

test("a configuration that no API server could read never reaches a control plane (feature 103)", () => {
  const { field, message } = refusal({ config: text({ jwts: [] }) });
  assert.equal(field, "spec.oidc.customConfig.config");
  assert.match(message, /has a field that there is not: jwts$/);
});

test("nor one in a Secret, of which nothing is quoted", () => {
  const { field, message } = refusal({ secretRef: { name: "mine" } }, [secret(text({ hunter2: "hunter3" }))]);
  assert.equal(field, "spec.oidc.customConfig.secretRef");
  assert.doesNotMatch(message, /hunter/);
  assert.match(refusal({ secretRef: { name: "mine" } }, [secret("")]).message, /config\.yaml/);
});

test("a Secret to come is waited for by the control plane's pods", () => {
  const spec = { oidc: { mode: "CustomConfig", customConfig: { secretRef: { name: "mine" } } } };
  const { objects } = renderApp(kubernetes, { spec, existing: instanceTypes });
  assert.ok(JSON.stringify(objects.find(({ kind }) => kind === "KamajiControlPlane")).includes('"secretName":"mine"'));
});
