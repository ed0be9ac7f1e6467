import assert from "node:assert/strict";
import { test } from "node:test";
import { TLSRoute } from "../../contracts/gateway-networking-k8s-io.ts";
import type { KubeObject } from "../../kube/object.ts";
import { childApexes, claimedHostnames, claimsOn, lostBy } from "./claims.ts";
import { gateway, inheriting, namespace, route } from "./fixture.ts";
import type { Route } from "./names.ts";

const claimed = (routes: readonly Route[], namespaces: readonly KubeObject[] = [], of = gateway()) =>
  claimedHostnames(of, claimsOn(of, { namespaces, routes })).within;

const places = [
  { why: "its own namespace", where: "tenant-foo", labels: {}, served: true },
  { why: "one that it names", where: "cozy-system", labels: {}, served: true },
  { why: "one that inherits it", where: "tenant-foo-bar", labels: inheriting, served: true },
  { why: "one that does not", where: "tenant-other", labels: {}, served: false },
  {
    why: "one with another",
    where: "tenant-x",
    labels: { "namespace.cozystack.io/gateway": "tenant-x" },
    served: false,
  },
] as const;

for (const { why, where, labels, served } of places) {
  test(`routes from ${why} are ${served ? "" : "not "}served`, () => {
    const of = gateway({ attachedNamespaces: ["cozy-system", ""] });
    const found = claimed([route(where, "r", ["A.org"])], [namespace(where, labels)], of);
    assert.deepEqual(found, served ? ["a.org"] : []);
  });
}

const refs = [
  { why: "this gateway", ref: { name: "cozystack" }, meant: true },
  { why: "this gateway in full", ref: { name: "cozystack", namespace: "tenant-foo", kind: "Gateway" }, meant: true },
  { why: "the core group", ref: { name: "cozystack", group: "" }, meant: true },
  { why: "another name", ref: { name: "other" }, meant: false },
  { why: "another namespace", ref: { name: "cozystack", namespace: "tenant-root" }, meant: false },
  { why: "a Service", ref: { name: "cozystack", kind: "Service", group: "" }, meant: false },
  { why: "another group", ref: { name: "cozystack", group: "example.org" }, meant: false },
] as const;

for (const { why, ref, meant } of refs) {
  test(`a route that names ${why} is ${meant ? "" : "not "}meant for it`, () => {
    assert.deepEqual(claimed([route("tenant-foo", "r", ["a.org"], [ref])]), meant ? ["a.org"] : []);
  });
}

test("routes of both kinds ask for names, and only where each has a certificate of its own", () => {
  const tls = TLSRoute("t", {
    namespace: "tenant-foo",
    spec: { hostnames: ["t.org"], parentRefs: [{ name: "cozystack" }], rules: [] },
  });
  assert.deepEqual(claimed([tls, route("tenant-foo", "r", ["a.org"])]), ["a.org", "t.org"]);
  assert.deepEqual(claimed([tls], [], gateway({ certMode: "dns01" })), []);
});

test("of several routes with one name the platform's is served, else the first namespace's; the listener exists anyhow", () => {
  const of = gateway({ attachedNamespaces: ["cozy-system", "a-ns"] });
  const routes = [
    route("tenant-foo", "b", ["x.org"]),
    route("tenant-foo", "a", ["x.org"]),
    route("a-ns", "z", ["x.org", "only.org"]),
  ];
  const lost = (all: readonly Route[]) => {
    const claims = claimsOn(of, { namespaces: [], routes: all });
    return claims.map((claim) => `${claim.route.metadata.name}:${lostBy(claim, claims).map(({ to }) => to)}`);
  };
  assert.deepEqual(lost(routes), ["b:a-ns", "a:a-ns", "z:"]);
  assert.deepEqual(lost([...routes, route("cozy-system", "p", ["x.org"])]), [
    "b:cozy-system",
    "a:cozy-system",
    "z:cozy-system",
    "p:",
  ]);
  assert.deepEqual(lost(routes.slice(0, 2)), ["b:", "a:"], "of one namespace nobody loses");
});

test("domains of tenants that inherit the gateway: sorted, each once, its own not among them", () => {
  const host = (name: string, apex: string) => namespace(name, { ...inheriting, "namespace.cozystack.io/host": apex });
  const all = [
    host("tenant-foo", "org"),
    host("tenant-foo-b", "z.org"),
    host("tenant-foo-c", "a.org"),
    host("tenant-foo-d", "a.org"),
    host("tenant-foo-e", "org"),
    host("tenant-foo-f", ""),
    host("tenant-foo-h", "outside.example.com"),
    namespace("tenant-g", { "namespace.cozystack.io/host": "g.org" }),
  ];
  assert.deepEqual(childApexes(gateway(), all), ["a.org", "z.org"]);
});
