import assert from "node:assert/strict";
import { test } from "node:test";
import { isRecord } from "../kube/json.ts";
import type { AppContext } from "./context.ts";
import { defineApp } from "./define-app.ts";
import { Role } from "./rbac.ts";
import { resources } from "./resources.ts";
import {
  appSpec,
  flag,
  growOnly,
  immutable,
  mapOf,
  oneOf,
  open,
  quantity,
  replicas,
  sizing,
  storageClassName,
  text,
} from "./spec.ts";

const context: AppContext = {
  cluster: { "cpu-allocation-ratio": "10" },
  namespace: { host: "", etcd: "", ingress: "", gateway: "", monitoring: "", seaweedfs: "", schedulingClass: "" },
  tenant: { namespace: "tenant-a-b", ancestors: ["tenant-root", "tenant-a"] },
  chartVersion: "1.2.3",
  apis: new Set(),
};

const spec = appSpec(
  {
    replicas: replicas({ default: 2 }),
    ...sizing({ preset: "t1.nano" }),
    size: quantity({ default: "1Gi" }),
    storageClass: immutable(storageClassName()),
    note: immutable(text({ maxLength: 10 })),
    external: flag({ default: false }),
    version: oneOf({ v8: "image:8", v7: "image:7" }, { default: "v8" }),
    users: mapOf(open({ password: text() }), { maxProperties: 10, keyPattern: "^[a-z]+$" }),
    parameters: mapOf(quantity({ required: true }), { default: { max: "100" } }),
  },
  [growOnly("size")],
  { storesData: true },
);

const cache = defineApp({
  kind: "Cache",
  plural: "caches",
  release: "cache-",
  catalog: { title: "Cache", category: "PaaS", summary: "Test" },
  spec,
  render: ({ release, spec, context }) => [
    Role(release, {
      rules: [{ apiGroups: [spec.version], resources: [JSON.stringify(resources(spec, context))], verbs: [] }],
    }),
    ...Object.keys(spec.users).map((user) => Role(`${release}-${user}`, { rules: [] })),
  ],
  monitors: ({ release, spec }) => [
    { name: release, replicas: spec.replicas, minReplicas: 1, selector: { a: "b" }, preset: spec.resourcesPreset },
  ],
  expose: ({ release }) => ({ services: [release], monitors: [release] }),
});

const answers = {
  object: () => undefined,
  list: () => [],
  generated: (name: string) => ({ name, values: {}, existing: new Set<string>() }),
};

test("an instance has its defaults, without unknown fields and nulls", () => {
  const instance = cache.instance(
    { name: "x", namespace: "tenant-a-b", spec: { size: null, typo: 1, parameters: { shared: 5 } } },
    context,
  );
  assert.deepEqual(instance.spec, {
    replicas: 2,
    resources: {},
    resourcesPreset: "t1.nano",
    size: "1Gi",
    storageClass: "",
    external: false,
    version: "v8",
    users: {},
    parameters: { max: "100", shared: 5 },
    reclaimPolicy: "Delete",
  });
});

test("render adds monitors, dashboard access and lineage labels", () => {
  const instance = cache.instance({ name: "x", namespace: "tenant-a-b", spec: {} }, context);
  const objects = instance.render(answers).map(({ object }) => object);
  assert.deepEqual(
    objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    [
      "Role cache-x",
      "WorkloadMonitor cache-x",
      "Role cache-x-dashboard-resources",
      "RoleBinding cache-x-dashboard-resources",
    ],
  );
  for (const { metadata } of objects) assert.equal(metadata.labels?.["apps.cozystack.io/application.name"], "x");
});

test("a spec of a wrong type is refused with its field", () => {
  assert.throws(() => cache.instance({ name: "x", namespace: "n", spec: { replicas: "two" } }, context), {
    code: "InvalidSpec",
    field: "spec.replicas",
  });
});

test("the definition has materialised defaults and rules on their fields", () => {
  const crd = JSON.parse(JSON.stringify(cache.crd()));
  const schema = crd.spec.versions[0].schema.openAPIV3Schema.properties.spec;
  assert.equal(schema.default.resourcesPreset, "t1.nano");
  assert.deepEqual(schema.properties.storageClass["x-kubernetes-validations"], [
    { rule: "self == oldSelf", message: "storageClass is immutable; to change it, move to a new application" },
  ]);
  assert.deepEqual(schema["x-kubernetes-validations"], [
    {
      rule: "has(self.note) == has(oldSelf.note)",
      message: "note is immutable; to change it, move to a new application",
      fieldPath: ".note",
    },
  ]);
  assert.ok(isRecord(schema.properties.users));
});
