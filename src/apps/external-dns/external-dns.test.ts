import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Secret } from "../../contracts/core.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { externalDns } from "./index.ts";

type Rendered = ReturnType<typeof renderApp>;
const demo = (spec: object, given: RenderGiven = {}): Rendered => renderApp(externalDns, { ...given, spec });
const release = (rendered: Rendered) => rendered.object("HelmRelease", "demo-system");
const values = (spec: object, given: RenderGiven = {}) =>
  valueAt(release(demo(spec, given)), "spec", "values", "external-dns");
const secret = (spec: object, given: RenderGiven = {}) =>
  valueAt(demo(spec, given).object("Secret", "demo-credentials"), "stringData");

/** What the Secret holds of the provider. */
function secrets(spec: object): unknown {
  const data = secret(spec);
  if (!isRecord(data)) return undefined;
  const { "fingerprint-key": key, ...rest } = data;
  assert.match(String(key), /^[A-Za-z0-9]{32}$/);
  return rest;
}

test("without credentials: a release without labels of tenants' shards, and who may see it", () => {
  const rendered = demo({ provider: "inmemory" });
  assert.deepEqual(
    rendered.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    ["HelmRelease/demo-system", "Role/demo-dashboard-resources", "RoleBinding/demo-dashboard-resources"],
  );
  const labels = valueAt(release(rendered), "metadata", "labels");
  assert.equal(valueAt(labels, "app.kubernetes.io/instance"), "demo-system");
  assert.equal(valueAt(labels, "sharding.fluxcd.io/key"), undefined);
  assert.equal(valueAt(release(rendered), "spec", "valuesFrom"), undefined);
  assert.deepEqual(valueAt(release(rendered), "spec", "values", "external-dns"), {
    namespaced: true,
    txtOwnerId: "tenant-foo",
    policy: "upsert-only",
    provider: { name: "inmemory" },
    sources: ["ingress", "service"],
    resources: {
      limits: { cpu: "250m", "ephemeral-storage": "2Gi", memory: "128Mi" },
      requests: { cpu: "0.025", "ephemeral-storage": "53687091", memory: "134217728" },
    },
  });
  assert.deepEqual(valueAt(rendered.object("Role", "demo-dashboard-resources"), "rules"), [
    {
      apiGroups: ["helm.toolkit.fluxcd.io"],
      resources: ["helmreleases"],
      resourceNames: ["demo"],
      verbs: ["get", "list", "watch"],
    },
  ]);
});

test("what is asked for is in the values; what is empty is not", () => {
  const all = { policy: "sync", domainFilters: ["a.org"], annotationPrefix: "x/", extraArgs: ["--interval=30s"] };
  assert.partialDeepStrictEqual(values({ provider: "inmemory", ...all }), all);
  const gateway = values({ provider: "inmemory", gatewayAPI: true });
  assert.deepEqual(valueAt(gateway, "sources"), ["ingress", "service", "gateway-httproute", "gateway-tlsroute"]);
  const none = values({ provider: "inmemory", domainFilters: [], annotationPrefix: "", extraArgs: [] });
  assert.deepEqual(none, values({ provider: "inmemory" }));
});

const cases: readonly {
  why: string;
  spec: object;
  secrets?: Readonly<Record<string, string>>;
  args?: readonly string[];
  block?: object;
}[] = [
  { why: "Cloudflare without anything", spec: { provider: "cloudflare" } },
  {
    why: "Cloudflare by a token, which counts before a key",
    spec: { provider: "cloudflare", cloudflare: { apiToken: "tok", apiKey: "k", apiEmail: "e" } },
    secrets: { CF_API_TOKEN: "tok" },
  },
  {
    why: "Cloudflare by a key",
    spec: { provider: "cloudflare", cloudflare: { apiKey: "k", apiEmail: "e@example.org" } },
    secrets: { CF_API_KEY: "k", CF_API_EMAIL: "e@example.org" },
  },
  { why: "Cloudflare by half a key", spec: { provider: "cloudflare", cloudflare: { apiKey: "k" } } },
  {
    why: "Cloudflare that carries the traffic",
    spec: { provider: "cloudflare", cloudflare: { apiToken: "t", proxied: true }, extraArgs: ["--a"] },
    secrets: { CF_API_TOKEN: "t" },
    args: ["--a", "--cloudflare-proxied"],
    block: { cloudflare: { proxied: true } },
  },
  {
    why: "AWS",
    spec: {
      provider: "aws",
      aws: { accessKeyId: "AK", secretAccessKey: "SK", region: "eu-west-1", zoneType: "public" },
    },
    secrets: { AWS_ACCESS_KEY_ID: "AK", AWS_SECRET_ACCESS_KEY: "SK", AWS_DEFAULT_REGION: "eu-west-1" },
    args: ["--aws-zone-type=public"],
    block: { aws: { zoneType: "public" } },
  },
  {
    why: "AWS by the machine's own role",
    spec: { provider: "aws", aws: { region: "eu-west-1" } },
    secrets: { AWS_DEFAULT_REGION: "eu-west-1" },
  },
  {
    why: "DigitalOcean",
    spec: { provider: "digitalocean", digitalocean: { token: "dt" } },
    secrets: { DO_TOKEN: "dt" },
  },
  { why: "Linode", spec: { provider: "linode", linode: { token: "lt" } }, secrets: { LINODE_TOKEN: "lt" } },
  {
    why: "OVH, all four once one is set",
    spec: { provider: "ovh", ovh: { endpoint: "ovh-eu" } },
    secrets: { OVH_ENDPOINT: "ovh-eu", OVH_APPLICATION_KEY: "", OVH_APPLICATION_SECRET: "", OVH_CONSUMER_KEY: "" },
  },
  { why: "OVH without anything", spec: { provider: "ovh" } },
  {
    why: "Exoscale",
    spec: { provider: "exoscale", exoscale: { apiKey: "ek", apiSecret: "es" } },
    secrets: { EXOSCALE_API_KEY: "ek", EXOSCALE_API_SECRET: "es" },
  },
  {
    why: "GoDaddy, whose arguments name variables",
    spec: { provider: "godaddy", godaddy: { apiKey: "gk", apiSecret: "gs" } },
    secrets: { GODADDY_API_KEY: "gk", GODADDY_API_SECRET: "gs" },
    args: ["--godaddy-api-key=$(GODADDY_API_KEY)", "--godaddy-api-secret=$(GODADDY_API_SECRET)"],
  },
  { why: "GoDaddy without anything", spec: { provider: "godaddy" } },
  {
    why: "another provider's settings count for nothing",
    spec: { provider: "linode", digitalocean: { token: "dt" }, cloudflare: { proxied: true } },
  },
];

for (const { why, spec, secrets: kept, args, block = {} } of cases) {
  test(`what is reached how: ${why}`, () => {
    assert.deepEqual(secrets(spec), kept);
    const found = values(spec);
    const variables = Object.keys(kept ?? {}).map((key) => ({
      name: key,
      valueFrom: { secretKeyRef: { name: "demo-credentials", key } },
    }));
    assert.deepEqual(valueAt(found, "env"), kept === undefined ? undefined : variables);
    assert.deepEqual(valueAt(found, "extraArgs"), args);
    for (const provider of ["cloudflare", "aws", "azure", "google"])
      assert.deepEqual(valueAt(found, provider), valueAt(block, provider), provider);
  });
}

test("what is reached how: Azure by a file", () => {
  const azure = { tenantId: "t", subscriptionId: "s", resourceGroup: "g", aadClientId: "c", aadClientSecret: "x" };
  const content = valueAt(secrets({ provider: "azure", azure }), "azure.json");
  assert.deepEqual(JSON.parse(String(content)), azure);
  const found = values({ provider: "azure", azure });
  assert.deepEqual(valueAt(found, "extraVolumes"), [
    {
      name: "credentials",
      secret: { secretName: "demo-credentials", items: [{ key: "azure.json", path: "azure.json" }] },
    },
  ]);
  assert.deepEqual(valueAt(found, "extraVolumeMounts"), [
    { name: "credentials", mountPath: "/etc/kubernetes", readOnly: true },
  ]);
  assert.equal(valueAt(found, "azure"), undefined);
  assert.equal(secrets({ provider: "azure" }), undefined);
});

test("what is reached how: Google by the account's key in a file", () => {
  const google = { project: "p1", serviceAccountKey: '{"type":"service_account"}' };
  const found = values({ provider: "google", google });
  assert.deepEqual(secrets({ provider: "google", google }), { "credentials.json": google.serviceAccountKey });
  assert.deepEqual(valueAt(found, "env"), [
    { name: "GOOGLE_APPLICATION_CREDENTIALS", value: "/etc/google/credentials.json" },
  ]);
  assert.deepEqual(valueAt(found, "extraArgs"), ["--google-project=p1"]);
  assert.equal(valueAt(found, "google"), undefined);
  assert.equal(secrets({ provider: "google", google: { project: "p1" } }), undefined, "by the machine's own account");
  assert.deepEqual(valueAt(values({ provider: "google" }), "extraArgs"), undefined);
});

const base64 = (text: string) => Buffer.from(text).toString("base64");
const annotation = (spec: object, given: RenderGiven = {}) =>
  valueAt(values(spec, given), "podAnnotations", "cozystack.io/credentials");

test("the program starts anew with other credentials, and with nothing else", () => {
  const existing = [
    Secret("demo-credentials", { data: { "fingerprint-key": base64("kept"), DO_TOKEN: base64("old") } }),
  ];
  const by = (token: string, more: object = {}) =>
    annotation({ provider: "digitalocean", digitalocean: { token }, ...more }, { existing });
  assert.match(String(by("a")), /^[0-9a-f]{16}$/);
  assert.equal(by("a"), by("a", { policy: "sync" }));
  assert.notEqual(by("a"), by("b"));
  assert.equal(
    valueAt(secret({ provider: "digitalocean", digitalocean: { token: "a" } }, { existing }), "fingerprint-key"),
    "kept",
  );
  const another = [Secret("demo-credentials", { data: { "fingerprint-key": base64("other") } })];
  assert.notEqual(
    annotation({ provider: "digitalocean", digitalocean: { token: "a" } }, { existing: another }),
    by("a"),
    "without the Secret nobody can tell what it stands for",
  );
  assert.equal(annotation({ provider: "inmemory" }), undefined);
});

test("two in one namespace share nothing", () => {
  const spec = { provider: "linode", linode: { token: "x" } };
  const names = (name: string) => demo(spec, { name }).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
  assert.deepEqual(
    names("one").filter((one) => names("two").includes(one)),
    [],
  );
});

const refused = [
  { why: "no provider", spec: {}, field: "spec.provider" },
  { why: "an unknown provider", spec: { provider: "gandi" }, field: "spec.provider" },
  { why: "an unknown policy", spec: { provider: "aws", policy: "all" }, field: "spec.policy" },
  { why: "a project that is none", spec: { provider: "google", google: { project: "$(KEY)" } }, field: "spec.google" },
  { why: "a type of zones that is none", spec: { provider: "aws", aws: { zoneType: "a\nb" } }, field: "spec.aws" },
  { why: "a token that is a number", spec: { provider: "linode", linode: { token: 5 } }, field: "spec.linode" },
] as const;

for (const { why, spec, field } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo(spec),
      (error) => error instanceof Refusal && error.field.startsWith(field),
    );
  });
}

test("a name leaves room for the inner release's", () => {
  assert.equal(`${"x".repeat(externalDns.longestName)}-system`.length, 53);
});

const word = fc.stringMatching(/^[A-Za-z0-9]{12,20}$/);
const spec = fc.oneof(
  word.map((apiToken) => ({ given: { provider: "cloudflare", cloudflare: { apiToken } }, hidden: [apiToken] })),
  fc.tuple(word, word).map(([accessKeyId, secretAccessKey]) => ({
    given: { provider: "aws", aws: { accessKeyId, secretAccessKey } },
    hidden: [accessKeyId, secretAccessKey],
  })),
  word.map((aadClientSecret) => ({
    given: { provider: "azure", azure: { aadClientSecret } },
    hidden: [aadClientSecret],
  })),
  word.map((key) => ({ given: { provider: "google", google: { serviceAccountKey: key } }, hidden: [key] })),
  fc.tuple(word, word).map(([apiKey, apiSecret]) => ({
    given: { provider: "godaddy", godaddy: { apiKey, apiSecret } },
    hidden: [apiKey, apiSecret],
  })),
);

test("property: credentials are in the Secret alone", () => {
  fc.assert(
    fc.property(spec, ({ given, hidden }) => {
      const rendered = demo(given);
      const others = JSON.stringify(rendered.objects.filter(({ kind }) => kind !== "Secret"));
      for (const text of hidden) assert.ok(!others.includes(text), text);
      assert.deepEqual(rendered.objects, demo(given).objects);
    }),
    { numRuns: 100 },
  );
});
