import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { gateway, inheriting } from "./fixture.ts";
import { roomFor } from "./listeners.ts";
import { certificateName, hostPart, type TenantGatewayObject } from "./names.ts";
import { certificatesOf, GatewayProblem, gatewayOf, issuerOf, redirectOf } from "./objects.ts";
import { statusOf } from "./status.ts";

const none = { hostnames: [], children: [] };
const listenersOf = (of: TenantGatewayObject, served: { hostnames: string[]; children: string[] } = none) =>
  gatewayOf(of, served).spec.listeners.map(({ name, hostname = "-", protocol, tls }) =>
    [name, protocol, hostname, tls?.certificateRefs?.[0]?.name ?? tls?.mode ?? "-"].join(" "),
  );

test("one certificate by DNS: the domain, what is below it, and domains of tenants that inherit the gateway", () => {
  const of = gateway({ certMode: "dns01", dns01: { cloudflare: { apiTokenSecretRef: { name: "s", key: "k" } } } });
  const served = { hostnames: [], children: ["bar.org"] };
  assert.deepEqual(listenersOf(of, served), [
    "http HTTP - -",
    "https HTTPS *.org cozystack-gateway-tls",
    "https-apex HTTPS org cozystack-gateway-tls",
    `https-child-${hostPart("bar.org")} HTTPS *.bar.org cozystack-gateway-tls`,
  ]);
  assert.deepEqual(
    certificatesOf(of, served).map(({ metadata, ...rest }) => [metadata.name, valueAt(rest, "spec", "dnsNames")]),
    [["cozystack-gateway-tls", ["org", "*.org", "bar.org", "*.bar.org"]]],
  );
});

test("a certificate of each name: listeners sorted by name, each with its own Secret", () => {
  const served = { hostnames: ["a.org", "b.org"], children: ["bar.org"] };
  assert.deepEqual(listenersOf(gateway(), served), [
    "http HTTP - -",
    `https-${hostPart("a.org")} HTTPS a.org ${certificateName("cozystack", "a.org")}`,
    `https-${hostPart("b.org")} HTTPS b.org ${certificateName("cozystack", "b.org")}`,
  ]);
  assert.deepEqual(
    certificatesOf(gateway(), served).map(({ metadata }) => metadata.name),
    ["a.org", "b.org"].map((name) => certificateName("cozystack", name)),
  );
});

test("a certificate that exists: no issuer and no other certificates; without its name nothing can be made", () => {
  const of = gateway({ certMode: "existingSecret", wildcardSecretRef: { name: "wild" } });
  assert.deepEqual(listenersOf(of), ["http HTTP - -", "https HTTPS *.org wild", "https-apex HTTPS org wild"]);
  assert.equal(issuerOf(of), undefined);
  assert.deepEqual(certificatesOf(of, { hostnames: ["a.org"], children: [] }), []);
  assert.throws(() => gatewayOf(gateway({ certMode: "existingSecret" }), none), GatewayProblem);
});

test("services that are not decrypted have listeners in every way of having certificates", () => {
  const tlsPassthroughServices = ["api", "vm-exportproxy"];
  for (const spec of [{}, { certMode: "existingSecret" as const, wildcardSecretRef: { name: "w" } }]) {
    assert.deepEqual(listenersOf(gateway({ ...spec, tlsPassthroughServices })).slice(-2), [
      "tls-api TLS api.org Passthrough",
      "tls-vm-exportproxy TLS vm-exportproxy.org Passthrough",
    ]);
  }
});

test("nothing is served unencrypted but redirects and proofs; all others take the same routes of the same namespaces", () => {
  const of = gateway({ tlsPassthroughServices: ["api"] });
  const [http, ...others] = gatewayOf(of, { hostnames: ["a.org"], children: [] }).spec.listeners;
  assert.deepEqual(http?.allowedRoutes?.namespaces?.selector, {
    matchExpressions: [
      { key: "kubernetes.io/metadata.name", operator: "In", values: ["tenant-foo", "cozy-cert-manager"] },
    ],
  });
  assert.equal(new Set(others.map(({ allowedRoutes }) => JSON.stringify(allowedRoutes))).size, 1);
  assert.deepEqual(others[0]?.allowedRoutes?.namespaces?.selector, { matchLabels: inheriting });
  assert.deepEqual(
    others[0]?.allowedRoutes?.kinds?.map(({ kind }) => kind),
    ["HTTPRoute", "TLSRoute"],
  );
});

test("names for which no listener is left are left out, and the gateway says which", () => {
  const of = gateway({ tlsPassthroughServices: ["api"] });
  const hostnames = Array.from({ length: 70 }, (_, index) => `h${String(index).padStart(2, "0")}.org`);
  const wanted = gatewayOf(of, { hostnames, children: [] });
  assert.equal(wanted.spec.listeners.length, 64);
  assert.equal(wanted.spec.listeners.at(-1)?.name, "tls-api");
  const status = statusOf(
    of,
    wanted,
    undefined,
    hostnames.slice(roomFor(of)).map((hostname) => ({ hostname, reason: "TooManyListeners" as const })),
    "t",
  );
  assert.equal(status.listeners?.filter(({ reason }) => reason === "TooManyListeners").length, 8);
});

const providers = [
  { why: "http", spec: {}, solver: "http01" },
  {
    why: "Cloudflare by default",
    spec: { certMode: "dns01" as const, dns01: { cloudflare: { apiTokenSecretRef: { name: "s", key: "k" } } } },
    solver: { cloudflare: { apiTokenSecretRef: { name: "s", key: "k" } } },
  },
  {
    why: "Route 53 by the machine's own role",
    spec: {
      certMode: "dns01" as const,
      dns01: {
        provider: "route53",
        route53: { region: "r", accessKeyID: "", secretAccessKeySecretRef: { name: "", key: "k" } },
      },
    },
    solver: { route53: { region: "r" } },
  },
];

for (const { why, spec, solver } of providers) {
  test(`who issues certificates: ${why}`, () => {
    const acme = valueAt(issuerOf(gateway(spec)), "spec", "acme");
    assert.equal(valueAt(acme, "privateKeySecretRef", "name"), "cozystack-acme-account");
    assert.equal(valueAt(acme, "server"), "https://acme-v02.api.letsencrypt.org/directory");
    const solvers = valueAt(acme, "solvers");
    assert.ok(Array.isArray(solvers));
    if (solver === "http01") {
      const refs = valueAt(solvers[0], "http01", "gatewayHTTPRoute", "parentRefs");
      assert.partialDeepStrictEqual(refs, [{ name: "cozystack", namespace: "tenant-foo", sectionName: "http" }]);
    } else assert.deepEqual(valueAt(solvers[0], "dns01"), solver);
  });
}

test("the staging issuer, and providers without their settings", () => {
  const staged = issuerOf(gateway({ issuerName: "letsencrypt-stage" }));
  assert.match(String(valueAt(staged, "spec", "acme", "server")), /staging/);
  for (const provider of ["cloudflare", "route53", "digitalocean", "rfc2136"])
    assert.throws(() => issuerOf(gateway({ certMode: "dns01", dns01: { provider } })), GatewayProblem);
});

test("the redirect sends everybody to the encrypted address", () => {
  const spec = valueAt(redirectOf(gateway()), "spec");
  assert.equal(valueAt(spec, "hostnames"), undefined);
  assert.deepEqual(valueAt(spec, "rules"), [
    { filters: [{ type: "RequestRedirect", requestRedirect: { scheme: "https", statusCode: 301 } }] },
  ]);
});

test("everything made belongs to the tenant's gateway", () => {
  const of = gateway();
  const all: readonly (KubeObject | undefined)[] = [
    gatewayOf(of, none),
    issuerOf(of),
    redirectOf(of),
    ...certificatesOf(of, { hostnames: ["a.org"], children: [] }),
  ];
  for (const object of all) {
    assert.equal(object?.metadata.ownerReferences?.[0]?.uid, "uid-of-tenant-foo");
    assert.equal(object?.metadata.labels?.["cozystack.io/managed-by"], "cozystack-controller");
  }
});

test("property: names made of host names are labels, and differ when these do, whatever their letters' case", () => {
  const host = fc.domain();
  fc.assert(
    fc.property(host, host, (a, b) => {
      assert.match(hostPart(a), /^[a-z0-9-]+-[0-9a-f]{8}$/);
      assert.equal(hostPart(a), hostPart(a.toUpperCase()));
      if (a !== b) assert.notEqual(hostPart(a), hostPart(b));
    }),
  );
});
