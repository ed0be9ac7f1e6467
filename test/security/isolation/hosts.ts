/** Hosts that Ingresses, Gateways and routes in a tenant's namespace may name. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { CustomResourceDefinition, Namespace } from "../../../src/kube/core-kinds.ts";
import { defineKind } from "../../../src/kube/define-kind.ts";
import type { AnyKind, KubeObject } from "../../../src/kube/object.ts";
import { ownDomain } from "../../../src/sdk/policies/ingress-hosts.ts";
import { eventually } from "../../support/eventually.ts";
import { places } from "../support/cluster.ts";
import { admin, dryRun, loose, namespace, refusedBy } from "./people.ts";

/** Serves a kind that nobody plays, with whatever fields. */
async function serveLoosely({ group, version, kind, plural }: AnyKind): Promise<void> {
  const name = `${plural}.${group}`;
  if ((await admin.get(CustomResourceDefinition, name)) !== undefined) return;
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } } as const;
  await admin.create(
    CustomResourceDefinition,
    CustomResourceDefinition(name, {
      annotations: { "api-approved.kubernetes.io": "unapproved, for a test" },
      spec: {
        group,
        scope: "Namespaced",
        names: { kind, plural },
        versions: [{ name: version, served: true, storage: true, schema }],
      },
    }),
  );
  const any = defineKind<KubeObject>({ group, version, kind, plural, namespaced: true });
  await eventually(`${kind} is served`, () =>
    admin.list(any).then(
      () => true,
      () => false,
    ),
  );
}

describe("hosts of Ingresses, whoever writes them", () => {
  const Ingress = loose("networking.k8s.io", "v1", "Ingress", "ingresses");
  const backend = { service: { name: "a", port: { number: 80 } } };
  const ingress = (where: string, host: string, tls: readonly string[] = []) => ({
    ...Ingress("tried", { namespace: where }),
    spec: {
      rules: [{ host, http: { paths: [{ path: "/", pathType: "Prefix", backend }] } }],
      ...(tls.length === 0 ? {} : { tls: [{ hosts: tls }] }),
    },
  });
  const domains = new Map<string, string>();
  before(async () => {
    const { items } = await admin.list(Namespace, { labelSelector: "namespace.cozystack.io/host" });
    for (const { metadata } of items) {
      domains.set(metadata.name, metadata.labels?.["namespace.cozystack.io/host"] ?? "");
    }
    const label = { "namespace.cozystack.io/host": "bought.example.com", [ownDomain]: "true" };
    await admin.create(Namespace, Namespace("tenant-bought", { labels: label }));
    await eventually("the tenant's own domain counts", () => {
      return admin.create(Ingress, ingress(places.own, "bought.example.com"), dryRun).then(
        () => false,
        () => true,
      );
    });
  });
  const domain = (place: keyof typeof places): string => domains.get(places[place]) ?? "";

  test("the domains nest as tenants do", () => {
    assert.ok(domain("own").endsWith(`.${domain("parent")}`) && domain("sibling").endsWith(`.${domain("parent")}`));
    assert.ok(domain("child").endsWith(`.${domain("own")}`));
  });

  const rows: readonly { why: string; place: keyof typeof places; host: () => string; refused: boolean }[] = [
    { why: "its own domain", place: "own", host: () => domain("own"), refused: false },
    { why: "below its own domain", place: "own", host: () => `harbor.${domain("own")}`, refused: false },
    { why: "a wildcard of its own", place: "own", host: () => `*.${domain("own")}`, refused: false },
    { why: "a domain of nobody's", place: "own", host: () => "shop.example.net", refused: false },
    { why: "a tenant below it", place: "own", host: () => `grafana.${domain("child")}`, refused: false },
    { why: "a sibling's", place: "own", host: () => domain("sibling"), refused: true },
    {
      why: "below a sibling's, in capitals",
      place: "own",
      host: () => `Harbor.${domain("sibling")}`.toLowerCase(),
      refused: true,
    },
    { why: "the parent's", place: "own", host: () => `grafana.${domain("parent")}`, refused: true },
    { why: "the platform's", place: "own", host: () => `dashboard.${domain("root")}`, refused: true },
    { why: "a wildcard of the parent's", place: "own", host: () => `*.${domain("parent")}`, refused: true },
    { why: "a domain that another tenant brought", place: "own", host: () => "www.bought.example.com", refused: true },
    { why: "a wildcard around it", place: "own", host: () => "*.example.com", refused: true },
    {
      why: "of a tenant below, by the one above",
      place: "parent",
      host: () => `harbor.${domain("own")}`,
      refused: false,
    },
    { why: "of the parent, by the one below", place: "child", host: () => `harbor.${domain("own")}`, refused: true },
    { why: "the platform's, by root", place: "root", host: () => `dashboard.${domain("root")}`, refused: false },
  ];
  for (const { why, place, host, refused } of rows) {
    test(`${place}: ${why}${refused ? " is refused" : ""}`, async () => {
      const routed = () => admin.create(Ingress, ingress(places[place], host()), dryRun);
      const certified = () =>
        admin.create(Ingress, ingress(places[place], "shop.example.net", ["other.example.net", host()]), dryRun);
      for (const act of [routed, certified]) {
        if (refused) await refusedBy(/is within the domain of another tenant/, act);
        else await act();
      }
    });
  }

  const gatewayApi = "gateway.networking.k8s.io";
  const route = (host: string) => ({ hostnames: [host], rules: [{ backendRefs: [{ name: "a", port: 80 }] }] });
  const routed = [
    {
      kind: loose(gatewayApi, "v1", "Gateway", "gateways"),
      spec: (host: string) => ({
        gatewayClassName: "cilium",
        listeners: [
          { name: "all", port: 80, protocol: "HTTP" },
          { name: "one", port: 443, protocol: "HTTPS", hostname: host },
        ],
      }),
    },
    { kind: loose(gatewayApi, "v1", "HTTPRoute", "httproutes"), spec: route },
    { kind: loose(gatewayApi, "v1alpha2", "TLSRoute", "tlsroutes"), spec: route },
  ] as const;
  for (const { kind, spec } of routed) {
    test(`${kind.kind}: hosts are within the tenant's own domain`, async () => {
      await serveLoosely(kind);
      const write = (host: string) => admin.create(kind, { ...kind("tried", { namespace }), spec: spec(host) }, dryRun);
      for (const host of [domain("own"), `a.${domain("own")}`, `*.${domain("own")}`, `A.${domain("own")}`])
        await write(host);
      for (const host of [domain("sibling"), `a.${domain("parent")}`, "shop.example.net", `x${domain("own")}`])
        await refusedBy(/hostnames must equal/, () => write(host));
    });
  }

  test("what was there before stays changeable, and an administrator may let more in", async () => {
    const host = `old.${domain("sibling")}`;
    const mark = { metadata: { annotations: { "platform.cozystack.io/hosts": `a.example.org,${host}` } } };
    await admin.mergePatch(Namespace, places.own, undefined, mark);
    await eventually("it counts", () =>
      admin.create(Ingress, ingress(places.own, host)).then(
        () => true,
        () => false,
      ),
    );
    await admin.mergePatch(Namespace, places.own, undefined, {
      metadata: { annotations: { "platform.cozystack.io/hosts": null } },
    });
    await eventually("it counts no more", () =>
      admin.create(Ingress, { ...ingress(places.own, host), metadata: { name: "second", namespace } }, dryRun).then(
        () => false,
        () => true,
      ),
    );
    await admin.mergePatch(Ingress, "tried", namespace, { metadata: { annotations: { changed: "1" } } });
    await refusedBy(/another tenant/, () =>
      admin.mergePatch(Ingress, "tried", namespace, { spec: ingress(places.own, domain("sibling")).spec }, dryRun),
    );
    await admin.delete(Ingress, "tried", namespace);
  });
});
