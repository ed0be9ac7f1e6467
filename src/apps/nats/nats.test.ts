import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { StatefulSet } from "../../contracts/apps.ts";
import { PersistentVolumeClaim, Secret } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { nats } from "./index.ts";

const demo = (given: RenderGiven = {}, seed = "") => renderApp(nats, given, seed);
const names = (given: RenderGiven = {}) => demo(given).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
const release = (given: RenderGiven = {}) => valueAt(demo(given).object("HelmRelease", "nats-demo-system"), "spec");
const values = (given: RenderGiven = {}) => valueAt(release(given), "values", "nats");
const dnsNames = (given: RenderGiven = {}) =>
  valueAt(demo(given).object("Certificate", "nats-demo-tls"), "spec", "dnsNames");

test("the default is a release of the chart with JetStream, and what observes it", () => {
  assert.deepEqual(names(), [
    "HelmRelease/nats-demo-system",
    "WorkloadMonitor/nats-demo",
    "Role/nats-demo-dashboard-resources",
    "RoleBinding/nats-demo-dashboard-resources",
  ]);
  assert.deepEqual(valueAt(release(), "valuesFrom"), [{ kind: "Secret", name: "cozystack-values" }]);
  assert.deepEqual(valueAt(values(), "config"), {
    cluster: { enabled: true, replicas: 2, routeURLs: { k8sClusterDomain: "cozy.local" } },
    monitor: { enabled: true },
    jetstream: { enabled: true, fileStore: { enabled: true, pvc: { enabled: true, size: "10Gi" } } },
  });
  for (const key of ["tlsCA", "service", "statefulSet"]) assert.equal(valueAt(values(), key), undefined, key);
});

const leaf = ["nats-demo", "nats-demo.tenant-foo.svc", "nats-demo.tenant-foo.svc.cozy.local"];
const headless = leaf.map((name) => name.replace("nats-demo", "nats-demo-headless"));
const inside = [...leaf, ...headless, "*.nats-demo-headless.tenant-foo.svc.cozy.local"];
const encryption = [
  { why: "inside it is off", spec: {}, names: undefined },
  { why: "outside it is on", spec: { external: true }, names: [...inside, "nats-demo.foo.example.org"] },
  { why: "off is off, also outside", spec: { external: true, tls: { enabled: false } }, names: undefined },
  { why: "on is on, also inside", spec: { tls: { enabled: true } }, names: inside },
] as const;

for (const { why, spec, names: expected } of encryption) {
  test(`encryption: ${why}`, () => {
    assert.deepEqual(dnsNames({ spec }), expected);
    const tls = expected === undefined ? undefined : { enabled: true, secretName: "nats-demo-tls" };
    const config = valueAt(values({ spec }), "config");
    assert.deepEqual(valueAt(config, "nats", "tls"), tls);
    assert.deepEqual(valueAt(config, "cluster", "tls"), tls);
    assert.equal(valueAt(config, "cluster", "routeURLs", "useFQDN"), tls === undefined ? undefined : true);
    const authority = tls === undefined ? undefined : { enabled: true, secretName: "nats-demo-ca" };
    assert.deepEqual(valueAt(values({ spec }), "tlsCA"), authority);
    const documents = names({ spec }).filter((name) => /^(Issuer|Certificate)/.test(name));
    const four = [
      "Issuer/nats-demo-selfsigned",
      "Certificate/nats-demo-ca",
      "Issuer/nats-demo-ca",
      "Certificate/nats-demo-tls",
    ];
    assert.deepEqual(documents, tls === undefined ? [] : four);
  });
}

test("the authority keeps its key, the servers' certificate says nothing of authority", () => {
  const rendered = demo({ spec: { tls: { enabled: true } } });
  const spec = (name: string) => valueAt(rendered.object("Certificate", name), "spec");
  assert.equal(valueAt(spec("nats-demo-ca"), "privateKey", "rotationPolicy"), "Never");
  assert.equal(valueAt(spec("nats-demo-tls"), "privateKey", "rotationPolicy"), "Always");
  assert.equal(valueAt(spec("nats-demo-tls"), "isCA"), undefined);
  assert.deepEqual(valueAt(spec("nats-demo-tls"), "usages"), [
    "digital signature",
    "key encipherment",
    "server auth",
    "client auth",
  ]);
});

test("the cluster's domain is in routes and names", () => {
  const given = { spec: { tls: { enabled: true } }, cluster: { "cluster-domain": "example.net" } };
  assert.equal(valueAt(values(given), "config", "cluster", "routeURLs", "k8sClusterDomain"), "example.net");
  assert.ok([dnsNames(given)].flat().includes("nats-demo.tenant-foo.svc.example.net"));
});

test("external is a Service of type LoadBalancer; a storage class is named only when one is given", () => {
  const rendered = values({ spec: { external: true, storageClass: "local" } });
  assert.deepEqual(valueAt(rendered, "service"), { merge: { spec: { type: "LoadBalancer" } } });
  const pvc = valueAt(rendered, "config", "jetstream", "fileStore", "pvc");
  assert.deepEqual(pvc, { enabled: true, size: "10Gi", storageClassName: "local" });
});

test("without JetStream there is no store, and the chart's switch stays on, as upstream has it", () => {
  const jetstream = valueAt(values({ spec: { jetstream: { enabled: false } } }), "config", "jetstream");
  assert.deepEqual(jetstream, {
    enabled: true,
    fileStore: { enabled: false, pvc: { enabled: true, size: "10Gi" } },
  });
});

test("settings of the user go into the chart's values as they are", () => {
  const config = { merge: { max_payload: "16MB", "a b": [1, { c: "<< $X >>" }] }, resolver: { enabled: true } };
  assert.partialDeepStrictEqual(values({ spec: { config } }), { config });
  const empty = valueAt(values({ spec: { config: { merge: {}, resolver: {} } } }), "config");
  assert.deepEqual([valueAt(empty, "merge"), valueAt(empty, "resolver")], [undefined, undefined]);
});

const base64 = (text: string) => Buffer.from(text).toString("base64");
const live = Secret("nats-demo-credentials", { data: { bob: base64("kept"), gone: base64("old") } });
const accounts = (given: RenderGiven) => {
  const secret = demo(given).object("Secret", "nats-demo-accounts");
  return JSON.parse(String(valueAt(secret, "stringData", "values.yaml")));
};

test("users have a Secret for the tenant, and one that brings them to the chart in the order of their names", () => {
  const given = { spec: { users: { bob: {}, alice: { password: "pa" } } }, existing: [live] };
  const rendered = demo(given);
  const secret = rendered.object("Secret", "nats-demo-credentials");
  assert.deepEqual(valueAt(secret, "stringData"), { alice: "pa", bob: "kept" });
  const users = [
    { user: "alice", password: "pa" },
    { user: "bob", password: "kept" },
  ];
  assert.deepEqual(accounts(given), { nats: { config: { merge: { accounts: { A: { users } } } } } });
  assert.deepEqual(valueAt(release(given), "valuesFrom"), [
    { kind: "Secret", name: "cozystack-values" },
    { kind: "Secret", name: "nats-demo-accounts" },
  ]);
  const labels = valueAt(rendered.object("Secret", "nats-demo-accounts"), "metadata", "labels");
  assert.equal(valueAt(labels, "reconcile.fluxcd.io/watch"), "Enabled", "so that a change is taken up at once");
});

test("passwords stay the texts they are", () => {
  const users = { a: { password: "007" }, b: { password: "true" }, c: { password: 'x"\n- y: {{ z }}' } };
  const all = accounts({ spec: { users } }).nats.config.merge.accounts.A.users;
  assert.deepEqual(
    all.map((entry: unknown) => valueAt(entry, "password")),
    ["007", "true", 'x"\n- y: {{ z }}'],
  );
});

const claim = (name: string, storage: string) =>
  PersistentVolumeClaim(name, {
    labels: { "app.kubernetes.io/instance": "nats-demo-system", "app.kubernetes.io/component": "nats" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
  });
const set = StatefulSet("nats-demo", {
  spec: {
    selector: {},
    template: { spec: { containers: [] } },
    volumeClaimTemplates: [
      { metadata: { name: "nats-demo-js" }, spec: { resources: { requests: { storage: "1Gi" } } } },
    ],
  },
});

test("a volume that grows leaves the StatefulSet's template alone; the claims are patched, other claims are not", () => {
  const existing = [
    set,
    claim("nats-demo-js-nats-demo-0", "1Gi"),
    claim("nats-demo-js-nats-demo-1", "2Gi"),
    claim("nats-demo-resolver-nats-demo-0", "1Gi"),
  ];
  const given = { spec: { jetstream: { size: "2Gi" } }, existing };
  const store = valueAt(values(given), "config", "jetstream", "fileStore");
  assert.deepEqual(store, { enabled: true, maxSize: "2Gi", pvc: { enabled: true, size: "1Gi" } });
  const patches = demo(given).manifests.filter(({ policy }) => policy === "patchExisting");
  assert.deepEqual(
    patches.map(({ object }) => object.metadata.name),
    ["nats-demo-js-nats-demo-0"],
  );
  assert.equal(valueAt(patches[0]?.object, "spec", "resources", "requests", "storage"), "2Gi");
});

test("volumes that are to stay do not go with the servers", () => {
  const merge = valueAt(values({ spec: { reclaimPolicy: "Retain" } }), "statefulSet", "merge", "spec");
  assert.deepEqual(merge, { persistentVolumeClaimRetentionPolicy: { whenDeleted: "Retain" } });
  assert.deepEqual(demo().instance.storage, [
    {
      group: "",
      kind: "PersistentVolumeClaim",
      labels: { "app.kubernetes.io/instance": "nats-demo-system", "app.kubernetes.io/component": "nats" },
    },
    { group: "", kind: "Secret", names: ["nats-demo-credentials", "nats-demo-ca", "nats-demo-tls"] },
  ]);
});

test("the monitor counts servers and not the chart's idle client", () => {
  const monitor = demo({ spec: { replicas: 3, resourcesPreset: "s1.small" } }).object("WorkloadMonitor", "nats-demo");
  assert.equal(valueAt(monitor, "metadata", "labels", "workloads.cozystack.io/resource-preset"), "s1.small");
  assert.deepEqual(valueAt(monitor, "spec"), {
    kind: "nats",
    type: "nats",
    version: "0.0.0",
    replicas: 3,
    minReplicas: 1,
    selector: { "app.kubernetes.io/instance": "nats-demo-system", "app.kubernetes.io/component": "nats" },
  });
});

const refused = [
  { why: "a negative number of replicas", given: { spec: { replicas: -1 } }, field: "spec.replicas", says: /0/ },
  { why: "a user's name with a space", given: { spec: { users: { "a b": {} } } }, field: "spec.users", says: /a b/ },
  { why: "a user named ..", given: { spec: { users: { "..": {} } } }, field: "spec.users", says: /\.\./ },
  {
    why: "a password that the chart would not quote",
    given: { spec: { users: { a: { password: 'x"<< $HOME >>' } } } },
    field: "spec.users.a.password",
    says: /quote/,
  },
  {
    why: "accounts from two places",
    given: { spec: { users: { a: {} }, config: { merge: { accounts: {} } } } },
    field: "spec.config.merge.accounts",
    says: /both/,
  },
  {
    why: "a certificate for outside without a host",
    given: { spec: { external: true }, values: { host: "" } },
    field: "_namespace.host",
    says: /host/,
  },
] as const;

for (const { why, given, field, says } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo(given),
      (error) => error instanceof Refusal && error.field === field && says.test(error.message),
    );
  });
}

test("without a certificate for outside no host is needed", () => {
  assert.doesNotThrow(() => demo({ spec: { external: true, tls: { enabled: false } }, values: { host: "" } }));
});

test("a name leaves room for the inner release's", () => {
  assert.equal(`nats-${"x".repeat(nats.longestName)}-system`.length, 53);
});

const spec = fc.record(
  {
    replicas: fc.nat(5),
    external: fc.boolean(),
    tls: fc.record({ enabled: fc.boolean() }, { requiredKeys: [] }),
    users: fc.dictionary(fc.stringMatching(/^[a-zA-Z0-9][-._a-zA-Z0-9]{0,8}$/), fc.record({ password: fc.string() }), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
    reclaimPolicy: fc.constantFrom("Delete", "Retain"),
  },
  { requiredKeys: [] },
);

test("property: a render depends on nothing but its input, and passwords are in Secrets alone", () => {
  fc.assert(
    fc.property(spec, (wanted) => {
      const rendered = demo({ spec: wanted });
      assert.deepEqual(rendered.objects, demo({ spec: wanted }).objects);
      const users = Object.keys(wanted.users ?? {}).map((name) => [name, { password: "plain" }]);
      const others = ({ objects }: ReturnType<typeof demo>) => objects.filter(({ kind }) => kind !== "Secret");
      assert.deepEqual(others(rendered), others(demo({ spec: { ...wanted, users: Object.fromEntries(users) } })));
      for (const { metadata } of rendered.objects) assert.ok(metadata.name.startsWith("nats-demo"));
    }),
    { numRuns: 100 },
  );
});
