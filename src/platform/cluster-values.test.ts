import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { isRecord } from "../kube/json.ts";
import { clusterValues, PlatformValuesInvalid } from "./cluster-values.ts";
import { mergeValues, type PlatformPackageSpec, packageSpecOf, type Values } from "./platform-values.ts";

const platform = (values: Values, variant = "isp-full"): PlatformPackageSpec => ({
  variant,
  components: { platform: { values } },
});

test("without a Package the built-in defaults hold", () => {
  const values = clusterValues(undefined);
  assert.equal(values["root-host"], "example.org");
  assert.equal(values["bundle-name"], "isp-full");
  assert.equal(values["cluster-domain"], "cozy.local");
  assert.equal(values["oidc-enabled"], "false");
  assert.equal(values["kube-root-ca"], "");
  assert.deepEqual(values["scheduling"], { globalAppTopologySpreadConstraints: "" });
  assert.ok(!("branding" in values), "an empty branding map is not published");
});

const parity = new URL("../../../shared/parity/", import.meta.url);
test("the defaults equal what an installation with default values publishes", {
  skip: existsSync(parity) ? false : "no parity data",
}, () => {
  const ours = Object.entries(clusterValues(undefined, { rootCertificate: "CABUNDLE" }));
  const seen = new Map<string, string>();
  for (const name of readdirSync(new URL("tenant/", parity))) {
    const parsed: unknown = JSON.parse(readFileSync(new URL(`tenant/${name}`, parity), "utf8"));
    if (!isRecord(parsed) || parsed["case"] !== "defaults" || !isRecord(parsed["cluster"])) continue;
    for (const [key, value] of Object.entries(parsed["cluster"])) seen.set(key, JSON.stringify(value));
  }
  assert.deepEqual(new Map(ours.map(([key, value]) => [key, JSON.stringify(value)])), seen);
});

const rows: readonly { why: string; spec: PlatformPackageSpec; key: string; is: unknown }[] = [
  { why: "host", spec: platform({ publishing: { host: "cloud.test" } }), key: "root-host", is: "cloud.test" },
  { why: "the variant picks the bundle", spec: platform({}, "isp-hosted"), key: "bundle-name", is: "isp-hosted" },
  {
    why: "lists are joined by commas",
    spec: platform({ publishing: { externalIPs: ["10.0.0.1", "10.0.0.2"] } }),
    key: "expose-external-ips",
    is: "10.0.0.1,10.0.0.2",
  },
  {
    why: "a list replaces, it is not merged",
    spec: platform({ publishing: { exposedServices: ["api"] } }),
    key: "expose-services",
    is: "api",
  },
  {
    why: "numbers become text",
    spec: platform({ resources: { cpuAllocationRatio: 4 } }),
    key: "cpu-allocation-ratio",
    is: "4",
  },
  {
    why: "flags become text",
    spec: platform({ authentication: { oidc: { enabled: true } } }),
    key: "oidc-enabled",
    is: "true",
  },
  {
    why: "null removes a default, as in Helm",
    spec: platform({ networking: { clusterDomain: null } }),
    key: "cluster-domain",
    is: "",
  },
  {
    why: "monitoring off",
    spec: platform({ monitoring: { rootEnabled: false } }),
    key: "monitoring-enabled",
    is: "false",
  },
  {
    why: "null is not off for monitoring",
    spec: platform({ monitoring: { rootEnabled: null } }),
    key: "monitoring-enabled",
    is: "true",
  },
  {
    why: "branding is passed through",
    spec: platform({ branding: { brandName: "X" } }),
    key: "branding",
    is: { brandName: "X" },
  },
  {
    why: "a given Secret wins over issuing",
    spec: platform({
      publishing: { certificates: { solver: "dns01", wildcard: true, wildcardSecretName: "mine" } },
    }),
    key: "wildcard-secret-name",
    is: "mine",
  },
];
for (const { why, spec, key, is } of rows) {
  test(`_cluster: ${why}`, () => assert.deepEqual(clusterValues(spec)[key], is));
}

const wildcards: readonly {
  given: string;
  solver: string;
  wildcard: boolean;
  gateway: boolean;
  name: string;
  issue: string;
}[] = [
  { given: "own", solver: "http01", wildcard: true, gateway: true, name: "own", issue: "false" },
  { given: "", solver: "dns01", wildcard: true, gateway: false, name: "cozystack-wildcard-tls", issue: "true" },
  { given: "", solver: "http01", wildcard: true, gateway: false, name: "", issue: "false" },
  { given: "", solver: "dns01", wildcard: true, gateway: true, name: "", issue: "false" },
  { given: "", solver: "dns01", wildcard: false, gateway: false, name: "", issue: "false" },
];
for (const { given, solver, wildcard, gateway, name, issue } of wildcards) {
  test(`wildcard certificate: given=${given} ${solver} wildcard=${wildcard} gateway=${gateway} is issued: ${issue} (feature 128)`, () => {
    const values = clusterValues(
      platform({
        publishing: { certificates: { solver, wildcard, wildcardSecretName: given } },
        gateway: { enabled: gateway },
      }),
    );
    assert.equal(values["wildcard-secret-name"], name);
    assert.equal(values["wildcard-issue"], issue);
  });
}

test("the legacy ConfigMap overrides host always, the API endpoint only in isp-full-generic", () => {
  const legacy = { "root-host": "old.test", "api-server-endpoint": "https://old:6443" };
  assert.equal(clusterValues(platform({ publishing: { host: "new.test" } }), { legacy })["root-host"], "old.test");
  assert.equal(clusterValues(platform({}), { legacy })["api-server-endpoint"], "");
  assert.equal(clusterValues(platform({}, "isp-full-generic"), { legacy })["api-server-endpoint"], "https://old:6443");
});

test("a value of the wrong type names its field", () => {
  assert.throws(
    () => clusterValues(platform({ publishing: { host: ["a"] } })),
    (error) => error instanceof PlatformValuesInvalid && error.field === "publishing.host",
  );
  assert.throws(
    () => clusterValues(platform({ publishing: { externalIPs: "10.0.0.1" } })),
    (error) => error instanceof PlatformValuesInvalid && error.field === "publishing.externalIPs",
  );
});

test("a Package read from the API gives variant and values, and nothing where its shape is foreign", () => {
  assert.deepEqual(packageSpecOf({ spec: { variant: "isp-full", components: { platform: { values: { a: 1 } } } } }), {
    variant: "isp-full",
    components: { platform: { values: { a: 1 } } },
  });
  assert.deepEqual(packageSpecOf({ spec: { components: { platform: { values: "text" } } } }), {});
  assert.equal(packageSpecOf(undefined), undefined);
});

test("merging never changes its inputs and does not follow inherited keys", () => {
  const base = { a: { b: 1 } };
  assert.deepEqual(mergeValues(base, { a: { c: 2 }, toString: { d: 3 } }), { a: { b: 1, c: 2 }, toString: { d: 3 } });
  assert.deepEqual(base, { a: { b: 1 } });
});
