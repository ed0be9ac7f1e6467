import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { AppContext } from "../../sdk/context.ts";
import { Refusal } from "../../sdk/errors.ts";
import { APIS, answersOf, below, find, type Given, instance, names, render } from "./fixture.ts";
import { tenant } from "./index.ts";

test("tenant-root renders neither its Namespace nor its values, and has no ancestors", () => {
  const manifests = render({ name: "root" });
  assert.deepEqual(names(manifests, "Namespace"), []);
  assert.deepEqual(names(manifests, "Secret"), []);
  const account = { kind: "ServiceAccount", name: "tenant-root", namespace: "tenant-root" };
  assert.deepEqual(valueAt(find(manifests, "RoleBinding", "cozy:tenant"), "subjects"), [account, account]);
  const egress = valueAt(find(manifests, "CiliumClusterwideNetworkPolicy", "tenant-root-egress"), "spec", "egress");
  assert.ok(Array.isArray(egress));
  assert.equal(egress.length, 1, "no ancestors to reach");
  const ingress = valueAt(find(manifests, "CiliumClusterwideNetworkPolicy", "tenant-root-ingress"), "spec", "ingress");
  assert.ok(Array.isArray(ingress));
  assert.equal(ingress.length, 3);
});

test("at any depth every ancestor is reached, tenant-root included", () => {
  const manifests = render({ parent: below, name: "c" });
  const egress = valueAt(find(manifests, "CiliumClusterwideNetworkPolicy", "tenant-a-b-c-egress"), "spec", "egress");
  assert.ok(Array.isArray(egress));
  const NAMESPACE = "k8s:io.kubernetes.pod.namespace";
  const targets = (rule: unknown): unknown[] => {
    const endpoints = valueAt(rule, "toEndpoints");
    assert.ok(Array.isArray(endpoints));
    return endpoints.map((endpoint) => valueAt(endpoint, "matchLabels", NAMESPACE));
  };
  for (const rule of egress.slice(1)) assert.deepEqual(targets(rule), ["tenant-root", "tenant-a", "tenant-a-b"]);
  assert.equal(egress.length, 4);
});

const conditional: readonly { why: string; spec: object; policies: readonly string[] }[] = [
  { why: "none", spec: {}, policies: ["tenant-foo-egress", "tenant-foo-ingress"] },
  {
    why: "ingress",
    spec: { ingress: true },
    policies: ["tenant-foo-egress", "tenant-foo-ingress", "tenant-foo-ingress-ingress"],
  },
  {
    why: "etcd",
    spec: { etcd: true },
    policies: ["tenant-foo-egress", "tenant-foo-ingress", "tenant-foo-ingress-etcd"],
  },
  {
    why: "monitoring",
    spec: { monitoring: true },
    policies: ["tenant-foo-egress", "tenant-foo-ingress", "tenant-foo-egress-virt-handler"],
  },
];
for (const { why, spec, policies } of conditional) {
  test(`clusterwide policies with module: ${why}`, () => {
    assert.deepEqual(names(render({ spec }), "CiliumClusterwideNetworkPolicy"), policies);
  });
}

const quotas: readonly { why: string; quotas: object; cluster?: AppContext["cluster"]; hard: object }[] = [
  {
    why: "the pinned example",
    quotas: { "services.loadbalancers": 2, cpu: 20, storage: "5Gi", foobar: 3 },
    hard: {
      "limits.cpu": "20",
      "requests.cpu": "2",
      "limits.foobar": "3",
      "requests.foobar": "3",
      "services.loadbalancers": "2",
      "requests.storage": "5Gi",
    },
  },
  {
    why: "ratios of the platform",
    quotas: { cpu: "3", memory: "1Gi", "ephemeral-storage": "4Gi" },
    cluster: { "cpu-allocation-ratio": "4", "memory-allocation-ratio": 2, "ephemeral-storage-allocation-ratio": "8" },
    hard: {
      "limits.cpu": "3",
      "requests.cpu": "0.75",
      "limits.memory": "1Gi",
      "requests.memory": "536870912",
      "limits.ephemeral-storage": "4Gi",
      "requests.ephemeral-storage": "536870912",
    },
  },
  {
    why: "the platform's buffer, in whole objects and bytes",
    quotas: { cpu: "0.5", memory: "1001", pods: 5 },
    cluster: { "tenant-quota-buffer-percent": "130" },
    hard: {
      "limits.cpu": "650m",
      "requests.cpu": "65m",
      "limits.memory": "1301",
      "requests.memory": "1301",
      pods: "6",
    },
  },
  {
    why: "what is counted stays as it is",
    quotas: { pods: 5, secrets: "7", persistentvolumeclaims: 1, "count/x": 2 },
    hard: { pods: "5", secrets: "7", persistentvolumeclaims: "1", "limits.count/x": "2", "requests.count/x": "2" },
  },
];
for (const { why, quotas: resourceQuotas, cluster = {}, hard } of quotas) {
  test(`quota: ${why}`, () => {
    const manifests = render({ spec: { resourceQuotas }, cluster });
    assert.deepEqual(valueAt(find(manifests, "ResourceQuota", "tenant-quota"), "spec", "hard"), hard);
    find(manifests, "LimitRange", "tenant-range-limits");
  });
}
test("without quotas there is neither ResourceQuota nor LimitRange", () => {
  assert.deepEqual([...names(render({}), "ResourceQuota"), ...names(render({}), "LimitRange")], []);
});

test("a tenant below one that draws from a budget says so on its Namespace, others do not", () => {
  const parent = (annotations: Record<string, string>): KubeObject => ({
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "tenant-root", uid: "u1", annotations },
  });
  const marked = (existing: readonly KubeObject[]) =>
    find(render({ existing }), "Namespace", "tenant-foo").metadata.annotations?.["internal.cozystack.io/quota-above"];
  assert.equal(marked([parent({ "internal.cozystack.io/quota-keys": "limits.cpu" })]), "true");
  assert.equal(marked([parent({})]), undefined);
  assert.equal(marked([]), undefined);
});

const groups: readonly { why: string; oidc: AppContext["cluster"]; apis: readonly string[]; count: number }[] = [
  { why: "on and served", oidc: { "oidc-enabled": "true" }, apis: APIS, count: 4 },
  { why: "off", oidc: { "oidc-enabled": "false" }, apis: APIS, count: 0 },
  { why: "not served", oidc: { "oidc-enabled": "true" }, apis: [], count: 0 },
  { why: "no values at all", oidc: {}, apis: APIS, count: 0 },
];
for (const { why, oidc, apis, count } of groups) {
  test(`Keycloak groups: ${why}`, () => {
    const found = names(render({ cluster: oidc, apis }), "KeycloakRealmGroup");
    assert.deepEqual(
      found,
      ["view", "use", "admin", "super-admin"].map((level) => `tenant-foo-${level}`).slice(0, count),
    );
  });
}

test("the Namespace is owned by the parent's where that can be looked up, and comes first and goes last", () => {
  const parent: KubeObject = { apiVersion: "v1", kind: "Namespace", metadata: { name: "tenant-root", uid: "u1" } };
  const manifests = render({ existing: [parent] });
  assert.deepEqual(find(manifests, "Namespace", "tenant-foo").metadata.ownerReferences, [
    { apiVersion: "v1", kind: "Namespace", name: "tenant-root", uid: "u1", controller: true, blockOwnerDeletion: true },
  ]);
  assert.equal(find(render({}), "Namespace", "tenant-foo").metadata.ownerReferences, undefined);
  const waves = manifests.map(({ object, wave }) => ({ kind: object.kind, wave }));
  const own = waves.find(({ kind }) => kind === "Namespace")?.wave ?? Number.NaN;
  assert.ok(waves.every(({ kind, wave }) => kind === "Namespace" || wave > own));
});

const refused: readonly ({ why: string; code: string; field: string } & Given)[] = [
  { why: "a dash in the name", name: "a-b", code: "InvalidName", field: "metadata.name" },
  { why: "a leading digit", name: "1a", code: "InvalidName", field: "metadata.name" },
  { why: "upper case", name: "A", code: "InvalidName", field: "metadata.name" },
  {
    why: "a namespace that is no tenant's",
    parent: { namespace: "default", ancestors: [] },
    code: "NotATenant",
    field: "metadata.namespace",
  },
  {
    why: "a namespace of 64 characters",
    name: "b".repeat(20),
    parent: { namespace: `tenant-${"a".repeat(36)}`, ancestors: ["tenant-root"] },
    code: "NameTooLong",
    field: "metadata.name",
  },
  { why: "a host that no label can hold", spec: { host: "a b" }, code: "InvalidValue", field: "spec.host" },
  { why: "a host of 64 characters", spec: { host: "h".repeat(64) }, code: "NameTooLong", field: "spec.host" },
  {
    why: "a derived host that is too long",
    values: { host: "h".repeat(60) },
    code: "NameTooLong",
    field: "metadata.name",
  },
  {
    why: "a quota key named limits",
    spec: { resourceQuotas: { limits: 1 } },
    code: "InvalidValue",
    field: "spec.resourceQuotas.limits",
  },
  { why: "gateway: null, as upstream does", spec: { gateway: null }, code: "InvalidSpec", field: "spec.gateway" },
  {
    why: "a compute plane without its package",
    spec: { computeplane: true },
    code: "PackageMissing",
    field: "spec.computeplane",
  },
];
for (const { why, code, field, ...given } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => render(given),
      (error) => error instanceof Refusal && error.code === code && error.field === field,
    );
  });
}

test("a namespace of exactly 63 characters, and a compute plane with its package, are accepted", () => {
  render({ name: "b".repeat(19), parent: { namespace: `tenant-${"a".repeat(36)}`, ancestors: ["tenant-root"] } });
  const pkg: KubeObject = {
    apiVersion: "cozystack.io/v1alpha1",
    kind: "Package",
    metadata: { name: "cozystack.computeplane-application" },
  };
  render({ spec: { computeplane: true }, existing: [pkg] });
  render({ spec: { computeplane: true }, apis: [] });
});

test("status names the tenant's namespace", () => {
  assert.deepEqual(instance({}).status(answersOf([])), { namespace: "tenant-foo" });
});

test("deletion takes a tenant's applications first, then its modules", () => {
  assert.deepEqual(tenant.deletion({ name: "b", namespace: "tenant-a" }), [
    { namespace: "tenant-a-b", of: "applications" },
    { namespace: "tenant-a-b", of: "modules" },
  ]);
});

test("every accepted spec renders objects with no hook of Helm and no Job", () => {
  const bool = fc.boolean();
  const spec = fc.record({ etcd: bool, monitoring: bool, ingress: bool, seaweedfs: bool, gateway: bool });
  fc.assert(
    fc.property(spec, fc.stringMatching(/^[a-z][a-z0-9]{0,20}$/), (given, name) => {
      for (const { object } of render({ name, spec: given })) {
        const annotations = Object.keys(object.metadata.annotations ?? {});
        assert.ok(annotations.every((key) => !key.startsWith("helm.sh/")));
        assert.ok(object.kind !== "Job", "deletion needs no Job");
      }
    }),
    { numRuns: 50 },
  );
});

test("a Namespace tells whether its tenant has a domain that is not below its parent's", () => {
  const label = (spec: object) =>
    find(render({ spec }), "Namespace", "tenant-foo").metadata.labels?.["internal.cozystack.io/own-domain"];
  assert.equal(label({ host: "customer1.io" }), "true");
  assert.equal(label({}), undefined);
});
