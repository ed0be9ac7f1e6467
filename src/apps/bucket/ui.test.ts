import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { valueAt } from "../../kube/json.ts";
import { classes, driverSecret, infoOf } from "./fixture.ts";
import { bucket } from "./index.ts";

const demo = (given: RenderGiven = {}) =>
  renderApp(bucket, { ...given, existing: [...classes(), ...(given.existing ?? [])] });

const endpoints = [
  { why: "of the last user who has one, by name", users: { alice: "https://a:1", bob: "http://b:2" }, endpoint: "b:2" },
  { why: "of the only one who has one", users: { alice: "https://a:1" }, endpoint: "a:1" },
  { why: "the tenant's, where nobody has one", users: {}, endpoint: "s3.foo.example.org" },
] as const;

for (const { why, users, endpoint } of endpoints) {
  test(`the page looks for buckets at the address ${why}`, () => {
    const existing = Object.entries(users).map(([user, address]) => driverSecret(user, infoOf(user, address)));
    const page = demo({ spec: { users: { carol: {}, bob: {}, alice: {} } }, existing }).object(
      "Deployment",
      "bucket-demo-ui",
    );
    const container = valueAt(page, "spec", "template", "spec", "containers");
    assert.deepEqual(Array.isArray(container) ? valueAt(container[0], "env") : undefined, [
      { name: "ENDPOINT", value: endpoint },
      { name: "SKIP_SSL_VERIFICATION", value: "true" },
    ]);
  });
}

const nginx = {
  "nginx.ingress.kubernetes.io/proxy-body-size": "0",
  "nginx.ingress.kubernetes.io/proxy-read-timeout": "99999",
  "nginx.ingress.kubernetes.io/proxy-send-timeout": "99999",
};
const hosts = ["bucket-demo.foo.example.org"];

const certificates = [
  {
    why: "by HTTP challenge from the default issuer",
    cluster: {},
    annotations: {
      ...nginx,
      "cert-manager.io/cluster-issuer": "letsencrypt-prod",
      "acme.cert-manager.io/http01-ingress-ingressclassname": "tenant-root",
    },
    tls: [{ hosts, secretName: "bucket-demo-ui-tls" }],
  },
  {
    why: "by DNS challenge from another issuer",
    cluster: { solver: "dns01", "issuer-name": "own" },
    annotations: { ...nginx, "cert-manager.io/cluster-issuer": "own" },
    tls: [{ hosts, secretName: "bucket-demo-ui-tls" }],
  },
  {
    why: "the wildcard's, which the controller has",
    cluster: { solver: "dns01", "wildcard-secret-name": "wildcard" },
    annotations: nginx,
    tls: [{ hosts }],
  },
] as const;

for (const { why, cluster, annotations, tls } of certificates) {
  test(`the page's certificate: ${why}`, () => {
    const ingress = demo({ cluster }).object("Ingress", "bucket-demo-ui");
    assert.deepEqual(valueAt(ingress, "metadata", "annotations"), annotations);
    assert.deepEqual(valueAt(ingress, "spec", "tls"), tls);
    assert.equal(valueAt(ingress, "spec", "ingressClassName"), "tenant-root");
  });
}

test("a tenant with a gateway gets a route instead of an ingress", () => {
  const rendered = demo({ values: { gateway: "tenant-foo" } });
  assert.equal(rendered.object("Ingress", "bucket-demo-ui"), undefined);
  assert.deepEqual(valueAt(rendered.object("HTTPRoute", "bucket-demo-ui"), "spec"), {
    parentRefs: [{ group: "gateway.networking.k8s.io", kind: "Gateway", name: "cozystack", namespace: "tenant-foo" }],
    hostnames: hosts,
    rules: [{ backendRefs: [{ name: "bucket-demo-ui", port: 8080 }] }],
  });
});
