import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parse } from "yaml";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { NamespaceValues, TenantPlace } from "../../sdk/context.ts";
import type { Manifest } from "../../sdk/manifest.ts";
import { below, find, render, rootPlace, values } from "./fixture.ts";
import { placeOf, valuesOfLabels } from "./place.ts";

test("ancestors are written to the Namespace, root first, and read back as the same place", () => {
  const namespace = find(render({ parent: below, name: "c" }), "Namespace", "tenant-a-b-c");
  const place = placeOf("tenant-a-b-c", namespace.metadata.annotations);
  assert.deepEqual(place, { namespace: "tenant-a-b-c", ancestors: ["tenant-root", "tenant-a", "tenant-a-b"] });
  const labels = Object.keys(namespace.metadata.labels ?? {}).filter((key) => key.startsWith("tenant."));
  assert.deepEqual(
    labels.sort(),
    ["tenant-a", "tenant-a-b", "tenant-a-b-c", "tenant-root"].map((name) => `tenant.cozystack.io/${name}`),
  );
  assert.equal(placeOf("default", {}), undefined, "a namespace without the annotation is no tenant's");
  assert.deepEqual(placeOf("tenant-root", { "internal.cozystack.io/ancestors": "" }), rootPlace);
});

test("ancestry comes from the context, not from dashes in a name", () => {
  // A namespace adopted from elsewhere whose name does not tell where it is.
  const parent: TenantPlace = { namespace: "tenant-x-y", ancestors: ["tenant-root"] };
  const binding = find(render({ parent, name: "z" }), "RoleBinding", "cozy:tenant");
  const subjects = valueAt(binding, "subjects");
  assert.ok(Array.isArray(subjects));
  assert.deepEqual(
    subjects.map((subject) => valueAt(subject, "name")),
    ["tenant-root", "tenant-x-y", "tenant-x-y-z"],
  );
});

const inherited: readonly {
  why: string;
  spec?: object;
  parent?: Partial<NamespaceValues>;
  is: Partial<NamespaceValues>;
}[] = [
  { why: "all modules of the parent", is: { etcd: "tenant-root", ingress: "tenant-root", monitoring: "tenant-root" } },
  {
    why: "its own module instead",
    spec: { etcd: true, ingress: true },
    is: { etcd: "tenant-foo", ingress: "tenant-foo" },
  },
  {
    why: "monitoring and store",
    spec: { monitoring: true, seaweedfs: true },
    is: { monitoring: "tenant-foo", seaweedfs: "tenant-foo" },
  },
  { why: "host below the parent's", is: { host: "foo.example.org" } },
  { why: "its own host", spec: { host: "customer1.io" }, is: { host: "customer1.io" } },
  { why: "no host where the parent has none", parent: { host: "" }, is: { host: "" } },
  {
    why: "a Gateway of its own",
    spec: { gateway: true },
    parent: { gateway: "tenant-root" },
    is: { gateway: "tenant-foo" },
  },
  {
    why: "gateway false inherits",
    spec: { gateway: false },
    parent: { gateway: "tenant-root" },
    is: { gateway: "tenant-root" },
  },
  { why: "gateway absent inherits", parent: { gateway: "tenant-root" }, is: { gateway: "tenant-root" } },
  {
    why: "no Gateway anywhere, even with a host of its own",
    spec: { host: "customer1.io" },
    is: { gateway: "", host: "customer1.io" },
  },
  { why: "own class where the parent has none", spec: { schedulingClass: "own" }, is: { schedulingClass: "own" } },
  {
    why: "the parent's class wins",
    spec: { schedulingClass: "own" },
    parent: { schedulingClass: "up" },
    is: { schedulingClass: "up" },
  },
];
for (const { why, spec = {}, parent = {}, is } of inherited) {
  test(`inherits: ${why}`, () => {
    const manifests = render({ spec, values: parent });
    const expected = { ...values, host: "foo.example.org", ...parent, ...is };
    assert.deepEqual(valuesOfLabels(find(manifests, "Namespace", "tenant-foo").metadata.labels), expected);
    const text = valueAt(find(manifests, "Secret", "cozystack-values"), "stringData", "values.yaml");
    assert.ok(typeof text === "string");
    const { schedulingClass, ...always } = expected;
    assert.deepEqual(valueAt(parse(text), "_namespace"), schedulingClass === "" ? always : expected);
  });
}

test("the values Secret carries _cluster to every descendant, types and texts unharmed", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean())), (cluster) => {
      const secret = find(render({ cluster }), "Secret", "cozystack-values");
      const text = valueAt(secret, "stringData", "values.yaml");
      assert.ok(typeof text === "string");
      assert.deepEqual(valueAt(parse(text, { version: "1.2" }), "_cluster"), { ...cluster });
      assert.deepEqual(valueAt(parse(text, { version: "1.1" }), "_cluster"), { ...cluster });
    }),
    { numRuns: 200 },
  );
});

const MODULES = ["Etcd", "Monitoring", "Ingress", "SeaweedFS", "Gateway", "ComputePlane", "Info"];
const isModule = ({ object }: Manifest): boolean => MODULES.includes(object.kind);

test("modules are objects of their own kinds, without a spec, in the tenant's namespace", () => {
  const spec = { etcd: true, monitoring: true, ingress: true, seaweedfs: true, gateway: true, computeplane: true };
  const manifests = render({ spec, apis: [] }).filter(isModule);
  assert.deepEqual(
    manifests.map(({ object }) => object.kind),
    MODULES,
  );
  for (const { object, policy } of manifests) {
    assert.equal(policy, "managed");
    assert.equal(object.metadata.name, object.kind.toLowerCase());
    assert.equal(object.metadata.namespace, "tenant-foo");
    assert.equal(object.metadata.labels?.["internal.cozystack.io/tenantmodule"], "true");
    assert.equal(object.metadata.labels?.["app.kubernetes.io/instance"], "tenant-foo");
    assert.equal(object.metadata.labels?.["apps.cozystack.io/application.kind"], object.kind);
    assert.ok(!("spec" in object), "the spec is the user's");
    assert.equal(
      object.apiVersion,
      object.kind === "Gateway" ? "internal.cozystack.io/v1alpha1" : "apps.cozystack.io/v1alpha1",
    );
  }
  assert.deepEqual(
    render({})
      .filter(isModule)
      .map(({ object }) => object.kind),
    ["Info"],
    "info is always on, nothing else is",
  );
});

test("a module that its user made is labelled and left; one that the Tenant made stays managed", () => {
  const etcd = (annotations: Record<string, string>): KubeObject => ({
    apiVersion: "apps.cozystack.io/v1alpha1",
    kind: "Etcd",
    metadata: { name: "etcd", namespace: "tenant-foo", annotations },
  });
  const policyOf = (existing: readonly KubeObject[]) =>
    render({ spec: { etcd: true }, existing }).find(({ object }) => object.kind === "Etcd")?.policy;
  assert.equal(policyOf([]), "managed");
  assert.equal(policyOf([etcd({})]), "patchExisting");
  assert.equal(policyOf([etcd({ "internal.cozystack.io/owner": "abc" })]), "managed");
});
