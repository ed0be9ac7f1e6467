import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { AppContext, ClusterValues, TenantPlace } from "../../sdk/context.ts";
import { Refusal } from "../../sdk/errors.ts";
import type { Answers } from "../../sdk/needs.ts";
import { info } from "./index.ts";

const NONE: Answers = {
  object: () => assert.fail("info looks nothing up"),
  list: () => assert.fail("info looks nothing up"),
  generated: () => assert.fail("info generates nothing"),
};

const foo: TenantPlace = { namespace: "tenant-foo", ancestors: ["tenant-root"] };

function render(cluster: ClusterValues, tenant = foo): ReadonlyMap<string, KubeObject> {
  const inherited = {
    host: "",
    etcd: "",
    ingress: "",
    gateway: "",
    monitoring: "",
    seaweedfs: "",
    schedulingClass: "",
  };
  const context: AppContext = { cluster, namespace: inherited, tenant, chartVersion: "0.0.0", apis: new Set() };
  const manifests = info.instance({ name: "info", namespace: tenant.namespace, spec: {} }, context).render(NONE);
  return new Map(manifests.map(({ object }) => [`${object.kind}/${object.metadata.name}`, object]));
}

const cases: readonly {
  why: string;
  cluster: ClusterValues;
  kubeconfig: boolean;
  readable: string;
  subjects: readonly string[];
}[] = [
  {
    why: "off",
    cluster: { "oidc-enabled": "false" },
    kubeconfig: true,
    readable: "tenant-foo",
    subjects: ["tenant-foo"],
  },
  {
    why: "no flag",
    cluster: { "root-host": "x.org" },
    kubeconfig: false,
    readable: "tenant-foo",
    subjects: ["tenant-foo"],
  },
  {
    why: "empty flag",
    cluster: { "oidc-enabled": "" },
    kubeconfig: false,
    readable: "tenant-foo",
    subjects: ["tenant-foo"],
  },
  {
    why: "on",
    cluster: { "oidc-enabled": "true" },
    kubeconfig: true,
    readable: "kubeconfig-tenant-foo",
    subjects: [
      "tenant-foo",
      "tenant-foo-admin",
      "tenant-foo-super-admin",
      "tenant-foo-use",
      "tenant-foo-view",
      "tenant-root",
      "tenant-root-admin",
      "tenant-root-super-admin",
      "tenant-root-use",
      "tenant-root-view",
    ],
  },
];
for (const { why, cluster, kubeconfig, readable, subjects } of cases) {
  test(`single sign-on ${why}: which Secret exists and who reads it`, () => {
    const objects = render(cluster);
    assert.equal(objects.has("Secret/kubeconfig-tenant-foo"), kubeconfig);
    const token = objects.get("Secret/tenant-foo");
    assert.equal(valueAt(token, "type"), "kubernetes.io/service-account-token");
    assert.deepEqual(token?.metadata.annotations, { "kubernetes.io/service-account.name": "tenant-foo" });
    assert.deepEqual(valueAt(objects.get("Role/info-dashboard-resources"), "rules"), [
      { apiGroups: [""], resources: ["secrets"], resourceNames: [readable], verbs: ["get", "list", "watch"] },
    ]);
    const bound = valueAt(objects.get("RoleBinding/info-dashboard-resources"), "subjects");
    assert.ok(Array.isArray(bound));
    assert.deepEqual(
      bound.map((subject) => valueAt(subject, "name")),
      subjects,
    );
  });
}

const endpoints: readonly { why: string; cluster: ClusterValues; server: string | null }[] = [
  { why: "none published", cluster: {}, server: null },
  { why: "the API server's", cluster: { "api-server-endpoint": "https://a" }, server: "https://a" },
  {
    why: "the management one wins",
    cluster: { "api-server-endpoint": "https://a", "management-kubeconfig-endpoint": "https://m" },
    server: "https://m",
  },
  {
    why: "an empty management one does not",
    cluster: { "api-server-endpoint": "https://a", "management-kubeconfig-endpoint": "" },
    server: "https://a",
  },
];
for (const { why, cluster, server } of endpoints) {
  test(`kubeconfig endpoint: ${why}`, () => {
    const objects = render({ "oidc-enabled": "true", "root-host": "x.org", "kube-root-ca": "Q0E=", ...cluster });
    const text = valueAt(objects.get("Secret/kubeconfig-tenant-foo"), "stringData", "kubeconfig");
    assert.ok(typeof text === "string");
    const config: unknown = parse(text);
    assert.deepEqual(valueAt(config, "clusters"), [
      { name: "cluster", cluster: { server, "certificate-authority-data": "Q0E=" } },
    ]);
    assert.equal(valueAt(config, "current-context"), "tenant-foo");
    assert.ok(text.includes("--oidc-issuer-url=https://keycloak.x.org/realms/cozy"));
  });
}

test("the token of the root tenant is bound to the root tenant's account", () => {
  const objects = render({ "oidc-enabled": "" }, { namespace: "tenant-root", ancestors: [] });
  assert.deepEqual(valueAt(objects.get("RoleBinding/info-dashboard-resources"), "subjects"), [
    { kind: "ServiceAccount", name: "tenant-root", namespace: "tenant-root" },
  ]);
});

test("without any values of the platform it is refused", () => {
  assert.throws(
    () => render({}),
    (error) => error instanceof Refusal && error.code === "InvalidPlatform",
  );
});
