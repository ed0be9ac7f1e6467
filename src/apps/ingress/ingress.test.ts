import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Service } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { ingress } from "./index.ts";

const root = { namespace: "tenant-root", ancestors: [] };
const demo = (given: RenderGiven = {}) => renderApp(ingress, { name: "ingress", ...given });
const host = (given: RenderGiven = {}) => demo({ place: root, ...given });
type Rendered = ReturnType<typeof demo>;
const controller = (rendered: Rendered) =>
  valueAt(rendered.object("HelmRelease", "ingress-nginx-system"), "spec", "values", "ingress-nginx", "controller");

test("a release of the chart, what scrapes it, and who sees it: no class or certificate of its own", () => {
  const rendered = demo();
  assert.deepEqual(
    rendered.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    [
      "HelmRelease/ingress-nginx-system",
      "VMPodScrape/nginx-ingress-controller",
      "VMPodScrape/nginx-ingress-controller-detailed",
      "WorkloadMonitor/ingress",
      "Role/ingress-dashboard-resources",
      "RoleBinding/ingress-dashboard-resources",
    ],
  );
  const subjects = JSON.stringify(valueAt(rendered.object("RoleBinding", "ingress-dashboard-resources"), "subjects"));
  assert.ok(subjects.includes("tenant-foo-admin") && !subjects.includes("-use"));
});

test("class, controller and names are the namespace's, so that tenants below find them by what they inherit", () => {
  const rendered = demo({ place: { namespace: "tenant-foo-bar", ancestors: ["tenant-root", "tenant-foo"] } });
  assert.partialDeepStrictEqual(controller(rendered), {
    ingressClass: "tenant-foo-bar",
    ingressClassResource: { name: "tenant-foo-bar", controllerValue: "k8s.io/ingress-nginx-tenant-foo-bar" },
  });
  const values = valueAt(rendered.object("HelmRelease", "ingress-nginx-system"), "spec", "values");
  assert.equal(valueAt(values, "ingress-nginx", "fullnameOverride"), "foo-bar-ingress");
  const rules = valueAt(rendered.object("Role", "ingress-dashboard-resources"), "rules");
  assert.deepEqual(valueAt(rules, "0", "resourceNames"), undefined);
  assert.ok(JSON.stringify(rules).includes('"foo-bar-ingress-controller"'));
});

const platform = {
  "expose-external-ips": " 203.0.113.1,\t203.0.113.2 ",
  "load-balancer-class": "metallb",
  "proxy-protocol": "true",
  "wildcard-issue": "true",
  "wildcard-secret-name": "wild",
  "root-host": "example.org",
};

test("settings of the platform's ingress do not reach a tenant's", () => {
  const rendered = demo({ cluster: platform });
  assert.deepEqual(valueAt(controller(rendered), "service"), {
    type: "LoadBalancer",
    externalTrafficPolicy: "Local",
  });
  assert.equal(valueAt(controller(rendered), "config"), undefined);
  assert.equal(rendered.object("Certificate", "cozystack-wildcard"), undefined);
});

const services = [
  { why: "nothing said", cluster: {}, becomes: { type: "LoadBalancer", externalTrafficPolicy: "Local" } },
  {
    why: "a class (feature 153)",
    cluster: { "load-balancer-class": "metallb" },
    becomes: { type: "LoadBalancer", externalTrafficPolicy: "Local", loadBalancerClass: "metallb" },
  },
  {
    why: "addresses, without the class",
    cluster: platform,
    becomes: {
      externalIPs: ["203.0.113.1", "203.0.113.2"],
      type: "ClusterIP",
      externalTrafficPolicy: "Cluster",
    },
  },
] as const;

for (const { why, cluster, becomes } of services) {
  test(`the platform's Service: ${why}`, () => {
    assert.deepEqual(valueAt(controller(host({ cluster })), "service"), becomes);
  });
}

test("another namespace may be the platform's", () => {
  const cluster = { "expose-ingress": "tenant-foo", "load-balancer-class": "metallb" };
  assert.equal(valueAt(controller(demo({ cluster })), "service", "loadBalancerClass"), "metallb");
  assert.equal(valueAt(controller(host({ cluster })), "service", "loadBalancerClass"), undefined);
});

const configs = [
  { why: "nothing", spec: {}, becomes: undefined },
  {
    why: "a whitelist",
    spec: { whitelist: ["1.2.3.4/32", "10.0.0.0/8"] },
    becomes: { "whitelist-source-range": "1.2.3.4/32,10.0.0.0/8" },
  },
  {
    why: "the PROXY protocol, whose three keys are all",
    spec: { proxyProtocol: true },
    becomes: { "use-proxy-protocol": "true", "real-ip-header": "proxy_protocol", "enable-real-ip": "true" },
  },
] as const;

for (const { why, spec, becomes } of configs) {
  test(`configuration: ${why}`, () => assert.deepEqual(valueAt(controller(demo({ spec })), "config"), becomes));
}

test("configuration: Cloudflare's 22 ranges and its header", () => {
  const config = valueAt(controller(demo({ spec: { cloudflareProxy: true } })), "config");
  const ranges = String(valueAt(config, "set_real_ip_from")).split(",");
  assert.equal(ranges.length, 22);
  assert.deepEqual([ranges[0], ranges.at(-1)], ["173.245.48.0/20", "2c0f:f248::/32"]);
  assert.equal(valueAt(config, "use-forwarded-headers"), "true");
  assert.match(String(valueAt(config, "server-snippet")), /real_ip_header CF-Connecting-IP;/);
  assert.equal(valueAt(config, "use-proxy-protocol"), undefined);
});

test("the PROXY protocol of the platform, as text or flag, is the platform's ingress's alone", () => {
  for (const on of ["true", true]) {
    const cluster = { "proxy-protocol": on };
    assert.equal(valueAt(controller(host({ cluster })), "config", "use-proxy-protocol"), "true");
    assert.equal(valueAt(controller(demo({ cluster })), "config"), undefined);
  }
  assert.equal(valueAt(controller(host({ cluster: { "proxy-protocol": "false" } })), "config"), undefined);
});

test("the default certificate is the copy in its own namespace; without a name there is none", () => {
  assert.equal(valueAt(controller(demo()), "extraArgs"), undefined);
  const cluster = { "wildcard-secret-name": "wild" };
  const argument = (rendered: Rendered) => valueAt(controller(rendered), "extraArgs", "default-ssl-certificate");
  assert.equal(argument(demo({ cluster })), "tenant-foo/wild");
  assert.equal(argument(host({ cluster })), "tenant-root/wild");
});

test("only tenant-root's looks at all Ingresses as they are written", () => {
  assert.deepEqual(valueAt(controller(demo()), "admissionWebhooks"), { enabled: false });
  assert.equal(valueAt(controller(host()), "admissionWebhooks"), undefined);
  const elsewhere = demo({ cluster: { "expose-ingress": "tenant-foo" } });
  assert.deepEqual(valueAt(controller(elsewhere), "admissionWebhooks"), { enabled: false });
});

const wildcard = { "wildcard-issue": "true", "wildcard-secret-name": "wild", "root-host": "example.org" };
const issuers = [
  { why: "no name", cluster: wildcard, name: "letsencrypt-prod" },
  { why: "an empty name", cluster: { ...wildcard, "issuer-name": "" }, name: "letsencrypt-prod" },
  { why: "a name", cluster: { ...wildcard, "issuer-name": "corp" }, name: "corp" },
] as const;

for (const { why, cluster, name } of issuers) {
  test(`the wildcard certificate where the platform publishes itself, the issuer having ${why} (feature 128)`, () => {
    assert.deepEqual(valueAt(host({ cluster }).object("Certificate", "cozystack-wildcard"), "spec"), {
      secretName: "wild",
      issuerRef: { kind: "ClusterIssuer", name },
      dnsNames: ["example.org", "*.example.org"],
    });
  });
}

test("without being asked for there is no wildcard certificate", () => {
  const cluster = { ...wildcard, "wildcard-issue": "false" };
  assert.equal(host({ cluster }).object("Certificate", "cozystack-wildcard"), undefined);
});

test("resources are the preset's with what is given, and the label of presets is not set", () => {
  const rendered = demo({ spec: { resourcesPreset: "c1.small", resources: { cpu: "3" } } });
  assert.deepEqual(valueAt(controller(rendered), "resources", "limits"), {
    cpu: "3",
    "ephemeral-storage": "2Gi",
    memory: "1Gi",
  });
  assert.equal(
    valueAt(
      rendered.object("WorkloadMonitor", "ingress"),
      "metadata",
      "labels",
      "workloads.cozystack.io/resource-preset",
    ),
    undefined,
  );
});

for (const [replicas, least] of [
  [0, 1],
  [1, 1],
  [2, 2],
  [5, 3],
] as const) {
  test(`of ${replicas} controllers ${least} must be there`, () => {
    const rendered = demo({ spec: { replicas } });
    assert.equal(valueAt(controller(rendered), "replicaCount"), replicas);
    assert.deepEqual(valueAt(rendered.object("WorkloadMonitor", "ingress"), "spec"), {
      kind: "ingress",
      type: "controller",
      version: "0.0.0",
      replicas,
      minReplicas: least,
      selector: {
        "app.kubernetes.io/component": "controller",
        "app.kubernetes.io/instance": "ingress-nginx-system",
        "app.kubernetes.io/name": "ingress-nginx",
      },
    });
  });
}

const balancer = (loadBalancerClass?: string, type: "LoadBalancer" | "ClusterIP" = "LoadBalancer") =>
  Service("root-ingress-controller", {
    namespace: "tenant-root",
    spec: { type, ...(loadBalancerClass === undefined ? {} : { loadBalancerClass }) },
  });

const classes: readonly { why: string; given: RenderGiven; refused: boolean }[] = [
  { why: "set later", given: { existing: [balancer()], cluster: { "load-balancer-class": "x" } }, refused: true },
  { why: "changed", given: { existing: [balancer("y")], cluster: { "load-balancer-class": "x" } }, refused: true },
  { why: "cleared", given: { existing: [balancer("y")] }, refused: true },
  { why: "the same", given: { existing: [balancer("x")], cluster: { "load-balancer-class": "x" } }, refused: false },
  { why: "none, and none before", given: { existing: [balancer()] }, refused: false },
  { why: "set before there is a Service", given: { cluster: { "load-balancer-class": "x" } }, refused: false },
  {
    why: "set when it becomes a load balancer",
    given: { existing: [balancer(undefined, "ClusterIP")], cluster: { "load-balancer-class": "x" } },
    refused: false,
  },
  { why: "no matter with addresses", given: { existing: [balancer("y")], cluster: platform }, refused: false },
];

for (const { why, given, refused } of classes) {
  test(`the class of the load balancer: ${why} is ${refused ? "refused" : "rendered"}`, () => {
    if (refused)
      assert.throws(
        () => host(given),
        (error) => error instanceof Refusal && error.code === "ImmutableField",
      );
    else assert.doesNotThrow(() => host(given));
  });
}

test("the class of a tenant's load balancer is nobody's business", () => {
  const existing = [Service("foo-ingress-controller", { spec: { type: "LoadBalancer", loadBalancerClass: "y" } })];
  assert.doesNotThrow(() => demo({ existing }));
});

const refusals: readonly { why: string; given: RenderGiven; field: string }[] = [
  { why: "another name", given: { name: "ingress-two" }, field: "metadata.name" },
  {
    why: "Cloudflare and the PROXY protocol",
    given: { spec: { cloudflareProxy: true, proxyProtocol: true } },
    field: "spec.cloudflareProxy",
  },
  {
    why: "Cloudflare with the platform's PROXY protocol",
    given: { place: root, spec: { cloudflareProxy: true }, cluster: { "proxy-protocol": "true" } },
    field: "spec.cloudflareProxy",
  },
  {
    why: "the PROXY protocol of the platform's ingress set there",
    given: { place: root, spec: { proxyProtocol: true } },
    field: "spec.proxyProtocol",
  },
  {
    why: "a wildcard certificate without a name for its Secret",
    given: { place: root, cluster: { ...wildcard, "wildcard-secret-name": "" } },
    field: "_cluster.wildcard-secret-name",
  },
  {
    why: "a wildcard certificate without a host",
    given: { place: root, cluster: { ...wildcard, "root-host": "" } },
    field: "_cluster.root-host",
  },
  { why: "a negative number of controllers", given: { spec: { replicas: -1 } }, field: "spec.replicas" },
  { why: "a whitelist of what is no address", given: { spec: { whitelist: ["all"] } }, field: "spec.whitelist" },
  { why: "a preset that does not exist", given: { spec: { resourcesPreset: "huge" } }, field: "spec.resourcesPreset" },
];

for (const { why, given, field } of refusals) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo(given),
      (error) => error instanceof Refusal && error.field.startsWith(field),
    );
  });
}

test("what the platform's wildcard lacks is no matter to a tenant", () => {
  assert.doesNotThrow(() => demo({ cluster: { "wildcard-issue": "true" } }));
});
