import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { gateway } from "./index.ts";

const demo = (given: RenderGiven = {}) => renderApp(gateway, { name: "gateway", ...given });
const spec = (given: RenderGiven = {}) => valueAt(demo(given).object("TenantGateway", "cozystack"), "spec");
const at = (cluster: NonNullable<RenderGiven["cluster"]>, ...path: readonly string[]) =>
  valueAt(spec({ cluster }), ...path);

test("one object, without labels of anybody's but ours, and nothing that tenants see", () => {
  const { objects } = demo();
  assert.deepEqual(
    objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    ["TenantGateway/cozystack"],
  );
  assert.deepEqual(spec(), {
    apex: "foo.example.org",
    certMode: "http01",
    gatewayClassName: "cilium",
    issuerName: "letsencrypt-prod",
    tlsPassthroughServices: ["api", "vm-exportproxy", "cdi-uploadproxy"],
  });
});

test("it is served outside the group that users order from", () => {
  assert.equal(gateway.group, "internal.cozystack.io");
  assert.equal(gateway.module, true);
});

test("class and services are those asked for", () => {
  const own = { gatewayClassName: "other", tlsPassthroughServices: ["db"] };
  assert.partialDeepStrictEqual(spec({ spec: own }), own);
  assert.deepEqual(valueAt(spec({ spec: { tlsPassthroughServices: [] } }), "tlsPassthroughServices"), []);
});

const attached = [
  { text: undefined, becomes: undefined },
  { text: "", becomes: undefined },
  { text: " , ", becomes: undefined },
  { text: "cozy-system, default ,,tenant-a", becomes: ["cozy-system", "default", "tenant-a"] },
] as const;

for (const { text, becomes } of attached) {
  test(`attached namespaces: ${JSON.stringify(text)}`, () => {
    const cluster = text === undefined ? {} : { "gateway-attached-namespaces": text };
    assert.deepEqual(at(cluster, "attachedNamespaces"), becomes);
  });
}

test("a wildcard certificate counts before every solver, and nothing else is asked of the platform then", () => {
  const cluster = { "wildcard-secret-name": "wild", solver: "tls-alpn", "issuer-name": "corp" };
  assert.equal(at(cluster, "certMode"), "existingSecret");
  assert.deepEqual(at(cluster, "wildcardSecretRef"), { name: "wild" });
  assert.equal(at(cluster, "issuerName"), undefined);
  assert.equal(at({ ...cluster, solver: "dns01" }, "dns01"), undefined);
});

test("empty settings count as absent", () => {
  const cluster = { solver: "", "issuer-name": "", "wildcard-secret-name": "" };
  assert.deepEqual(spec({ cluster }), spec());
  assert.deepEqual(at({ solver: "dns01", "dns01-provider": "" }, "dns01", "provider"), "cloudflare");
});

const providers = [
  {
    why: "Cloudflare by default",
    cluster: {},
    becomes: {
      provider: "cloudflare",
      cloudflare: { apiTokenSecretRef: { name: "cloudflare-api-token-secret", key: "api-token" } },
    },
  },
  {
    why: "Cloudflare with a Secret of its own",
    cluster: { "dns01-cloudflare-secret-name": "cf", "dns01-cloudflare-secret-key": "token" },
    becomes: { provider: "cloudflare", cloudflare: { apiTokenSecretRef: { name: "cf", key: "token" } } },
  },
  {
    why: "Route 53",
    cluster: {
      "dns01-provider": "route53",
      "dns01-route53-region": "eu-west-1",
      "dns01-route53-access-key-id": "AK",
      "dns01-route53-secret-name": "r53",
    },
    becomes: {
      provider: "route53",
      route53: {
        region: "eu-west-1",
        accessKeyID: "AK",
        secretAccessKeySecretRef: { name: "r53", key: "secret-access-key" },
      },
    },
  },
  {
    why: "DigitalOcean",
    cluster: { "dns01-provider": "digitalocean" },
    becomes: {
      provider: "digitalocean",
      digitalocean: { tokenSecretRef: { name: "digitalocean-api-token-secret", key: "access-token" } },
    },
  },
  {
    why: "a name server",
    cluster: {
      "dns01-provider": "rfc2136",
      "dns01-rfc2136-nameserver": "192.0.2.1:53",
      "dns01-rfc2136-tsig-key-name": "k",
      "dns01-rfc2136-secret-name": "tsig",
    },
    becomes: {
      provider: "rfc2136",
      rfc2136: {
        nameserver: "192.0.2.1:53",
        tsigKeyName: "k",
        tsigAlgorithm: "HMACSHA256",
        tsigSecretSecretRef: { name: "tsig", key: "tsig-secret-key" },
      },
    },
  },
] as const;

for (const { why, cluster, becomes } of providers) {
  test(`proof by DNS: ${why}`, () => {
    const dns = { ...cluster, solver: "dns01", "issuer-name": "letsencrypt-stage" };
    assert.deepEqual(at(dns, "dns01"), becomes);
    assert.equal(at(dns, "certMode"), "dns01");
    assert.equal(at(dns, "issuerName"), "letsencrypt-stage");
    assert.equal(at({ ...cluster, solver: "http01" }, "dns01"), undefined);
  });
}

test("a gateway that goes leaves no account of its issuer", () => {
  const [account, ...others] = demo().instance.leftovers;
  assert.equal(account?.kind.kind, "Secret");
  assert.deepEqual(account?.names, ["cozystack-acme-account"]);
  assert.deepEqual(others, []);
});

const refused: readonly { why: string; given: RenderGiven; field: string }[] = [
  { why: "a tenant without a domain", given: { values: { host: "" } }, field: "_namespace.host" },
  {
    why: "a tenant without a domain, wildcard or not",
    given: { values: { host: "" }, cluster: { "wildcard-secret-name": "wild" } },
    field: "_namespace.host",
  },
  { why: "an unknown solver", given: { cluster: { solver: "tls-alpn" } }, field: "_cluster.solver" },
  { why: "an unknown issuer", given: { cluster: { "issuer-name": "corp" } }, field: "_cluster.issuer-name" },
  {
    why: "an unknown provider",
    given: { cluster: { solver: "dns01", "dns01-provider": "gandi" } },
    field: "_cluster.dns01-provider",
  },
  {
    why: "Route 53 without a region",
    given: { cluster: { solver: "dns01", "dns01-provider": "route53" } },
    field: "_cluster.dns01-route53-region",
  },
  {
    why: "a name server without an address",
    given: { cluster: { solver: "dns01", "dns01-provider": "rfc2136" } },
    field: "_cluster.dns01-rfc2136-nameserver",
  },
  {
    why: "a service whose name is no part of a domain",
    given: { spec: { tlsPassthroughServices: ["a.b"] } },
    field: "spec.tlsPassthroughServices",
  },
  { why: "a class without a name", given: { spec: { gatewayClassName: "" } }, field: "spec.gatewayClassName" },
];

for (const { why, given, field } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo(given),
      (error) => error instanceof Refusal && error.field.startsWith(field),
    );
  });
}

test("an unknown provider is no matter while certificates come another way", () => {
  assert.doesNotThrow(() => demo({ cluster: { "dns01-provider": "gandi" } }));
});
