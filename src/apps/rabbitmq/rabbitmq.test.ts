import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Secret } from "../../contracts/core.ts";
import { impactRulesOf } from "../../contracts/index.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { sha256hex } from "../../sdk/hash.ts";
import { rabbitmq } from "./index.ts";

const demo = (given: RenderGiven = {}, seed = "") => renderApp(rabbitmq, given, seed);
const cluster = (given: RenderGiven = {}) => demo(given).object("RabbitmqCluster", "rabbitmq-demo");
const names = (given: RenderGiven = {}) => demo(given).objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
const passwordOf = (rendered: ReturnType<typeof demo>, user: string) =>
  String(valueAt(rendered.object("Secret", `rabbitmq-demo-${user}-credentials`), "stringData", "password"));

test("the default is three servers and what observes them", () => {
  assert.deepEqual(names(), [
    "RabbitmqCluster/rabbitmq-demo",
    "WorkloadMonitor/rabbitmq-demo",
    "Role/rabbitmq-demo-dashboard-resources",
    "RoleBinding/rabbitmq-demo-dashboard-resources",
  ]);
  assert.equal(valueAt(cluster(), "spec", "replicas"), 3);
  assert.equal(valueAt(cluster(), "spec", "service"), undefined);
  assert.deepEqual(valueAt(cluster(), "spec", "persistence"), { storage: "10Gi" });
});

test("the pods may reach the API server, and have no variables of other Services", () => {
  const template = valueAt(cluster(), "spec", "override", "statefulSet", "spec", "template");
  assert.deepEqual(valueAt(template, "metadata", "labels"), { "policy.cozystack.io/allow-to-apiserver": "true" });
  assert.deepEqual(valueAt(template, "spec"), { containers: [], enableServiceLinks: false });
});

const versions = [
  ["v4.2", "rabbitmq:4.2.4-management"],
  ["v4.1", "rabbitmq:4.1.8-management"],
  ["v4.0", "rabbitmq:4.0.9-management"],
  ["v3.13", "rabbitmq:3.13.7-management"],
] as const;

for (const [version, image] of versions) {
  test(`version ${version} is ${image}`, () => {
    assert.equal(valueAt(cluster({ spec: { version } }), "spec", "image"), image);
  });
}

test("external is a Service of type LoadBalancer, and a storage class is named only when one is given", () => {
  const spec = { external: true, storageClass: "local", size: 1073741824 };
  assert.deepEqual(valueAt(cluster({ spec }), "spec", "service"), { type: "LoadBalancer" });
  assert.deepEqual(valueAt(cluster({ spec }), "spec", "persistence"), {
    storage: 1073741824,
    storageClassName: "local",
  });
});

test("a user is a Secret that its tenant may read, and an object that brings it to the servers", () => {
  const rendered = demo({ spec: { users: { userOne: { password: "p" }, u_2: {} } } });
  const name = "rabbitmq-demo-user-one-credentials";
  assert.deepEqual(valueAt(rendered.object("Secret", name), "stringData"), { username: "userOne", password: "p" });
  assert.equal(valueAt(rendered.object("Secret", name), "metadata", "labels", "apps.cozystack.io/user-secret"), "true");
  assert.equal(valueAt(rendered.object("Secret", name), "type"), "Opaque");
  const user = rendered.object("User", "rabbitmq-demo-user-one");
  assert.deepEqual(valueAt(user, "spec"), {
    importCredentialsSecret: { name },
    rabbitmqClusterReference: { name: "rabbitmq-demo" },
  });
  assert.equal(valueAt(user, "metadata", "annotations", "config"), sha256hex("userOne p"));
  assert.match(passwordOf(rendered, "u-2"), /^[A-Za-z0-9]{16}$/);
  const [secrets] = [valueAt(rendered.object("Role", "rabbitmq-demo-dashboard-resources"), "rules")].flat();
  assert.deepEqual(valueAt(secrets, "resourceNames"), [
    "rabbitmq-demo-default-user",
    "rabbitmq-demo-u-2-credentials",
    "rabbitmq-demo-user-one-credentials",
  ]);
});

const live = (password: string) => [
  Secret("rabbitmq-demo-a-credentials", { data: { password: Buffer.from(password).toString("base64") } }),
];
const kept = [
  { why: "a generated password is kept", users: { a: {} }, existing: live("kept"), is: "kept" },
  { why: "an empty one is none", users: { a: { password: "" } }, existing: live("kept"), is: "kept" },
  { why: "a given one wins", users: { a: { password: "new" } }, existing: live("kept"), is: "new" },
] as const;

for (const { why, users, existing, is } of kept) {
  test(`passwords: ${why}`, () => {
    const rendered = demo({ spec: { users }, existing });
    assert.equal(passwordOf(rendered, "a"), is);
    const config = valueAt(rendered.object("User", "rabbitmq-demo-a"), "metadata", "annotations", "config");
    assert.equal(config, sha256hex(`a ${is}`), "so that the operator takes it up");
  });
}

test("names and passwords stay the texts they are", () => {
  const rendered = demo({ spec: { users: { "123": { password: "007" }, true: { password: "null" } } } });
  const secret = (user: string) =>
    valueAt(rendered.object("Secret", `rabbitmq-demo-${user}-credentials`), "stringData");
  assert.deepEqual(secret("123"), { username: "123", password: "007" });
  assert.deepEqual(secret("true"), { username: "true", password: "null" });
});

test("a virtual host has permissions for those who administer it and those who read it", () => {
  const spec = {
    users: { a: {}, b: {}, c: {} },
    vhosts: { my_App: { roles: { admin: ["a", "b"], readonly: ["c"] } }, empty: { roles: {} } },
  };
  const rendered = demo({ spec });
  assert.deepEqual(
    rendered.objects.filter(({ kind }) => kind === "Vhost" || kind === "Permission").map((one) => one.metadata.name),
    [
      "rabbitmq-demo-empty",
      "rabbitmq-demo-my-app",
      "rabbitmq-demo-my-app-a",
      "rabbitmq-demo-my-app-b",
      "rabbitmq-demo-my-app-c",
    ],
  );
  assert.equal(valueAt(rendered.object("Vhost", "rabbitmq-demo-my-app"), "spec", "name"), "my_App");
  const permission = (user: string) => valueAt(rendered.object("Permission", `rabbitmq-demo-my-app-${user}`), "spec");
  const cluster = { rabbitmqClusterReference: { name: "rabbitmq-demo" } };
  const all = { configure: ".*", read: ".*", write: ".*" };
  assert.deepEqual(permission("a"), { vhost: "my_App", user: "a", permissions: all, ...cluster });
  assert.deepEqual(permission("c"), { vhost: "my_App", user: "c", permissions: { read: ".*" }, ...cluster });
});

test("a user with a role need not be one of the users", () => {
  const rendered = demo({ spec: { vhosts: { v: { roles: { admin: ["byHand"] } } } } });
  assert.equal(valueAt(rendered.object("Permission", "rabbitmq-demo-v-by-hand"), "spec", "user"), "byHand");
});

test("what names of one spelling stand for cannot change in place", () => {
  const rendered = demo({ spec: { users: { a: {} }, vhosts: { v: { roles: { admin: ["a"] } } } } });
  assert.deepEqual(rendered.manifest("Vhost", "rabbitmq-demo-v")?.replaceOn, ["/spec/name"]);
  assert.deepEqual(rendered.manifest("Permission", "rabbitmq-demo-v-a")?.replaceOn, ["/spec/vhost", "/spec/user"]);
  assert.equal(impactRulesOf("rabbitmq.com", "Vhost").deletion, "losesData");
});

test("what stays are volumes and what opens them; the operator's own Secrets too", () => {
  const { storage } = demo({ spec: { users: { a: {} } } }).instance;
  assert.deepEqual(storage, [
    {
      group: "",
      kind: "PersistentVolumeClaim",
      labels: { "app.kubernetes.io/name": "rabbitmq-demo", "app.kubernetes.io/component": "rabbitmq" },
    },
    {
      group: "",
      kind: "Secret",
      names: ["rabbitmq-demo-default-user", "rabbitmq-demo-erlang-cookie", "rabbitmq-demo-a-credentials"],
    },
  ]);
});

test("the monitor counts servers, and carries the preset even beside explicit resources", () => {
  const spec = { replicas: 5, resourcesPreset: "s1.small", resources: { cpu: "3" } };
  const monitor = demo({ spec }).object("WorkloadMonitor", "rabbitmq-demo");
  assert.equal(valueAt(monitor, "metadata", "labels", "workloads.cozystack.io/resource-preset"), "s1.small");
  assert.deepEqual(valueAt(monitor, "spec"), {
    kind: "rabbitmq",
    type: "rabbitmq",
    version: "0.0.0",
    replicas: 5,
    minReplicas: 1,
    selector: { "app.kubernetes.io/name": "rabbitmq-demo" },
  });
});

const vhosts = (roles: object) => ({ v: { roles } });
const refused = [
  { why: "a version that does not exist", spec: { version: "v9" }, field: "spec.version", says: /v4\.2, v4\.1/ },
  { why: "a negative number of replicas", spec: { replicas: -1 }, field: "spec.replicas", says: /0/ },
  { why: "a virtual host without roles", spec: { vhosts: { v: {} } }, field: "spec.vhosts.v", says: /roles/ },
  {
    why: "a user of whom no object's name can be made",
    spec: { users: { "a/b": {} } },
    field: "spec.users",
    says: /a\/b/,
  },
  {
    why: "a member of whom no object's name can be made",
    spec: { vhosts: vhosts({ admin: ["a\nb"] }) },
    field: "spec.vhosts.v.roles.admin[0]",
    says: /./,
  },
  {
    why: "a user with two roles in one virtual host",
    spec: { vhosts: vhosts({ admin: ["a", "b"], readonly: ["b"] }) },
    field: "spec.vhosts.v.roles.readonly",
    says: /b is both/,
  },
  {
    why: "users whose names become the same",
    spec: { users: { a_b: {}, "a-b": {} } },
    field: "spec",
    says: /rabbitmq-demo-a-b-credentials would be rendered twice/,
  },
  {
    why: "a user whose Secret the operator would overwrite",
    spec: { users: { a: {}, a_user: {} } },
    field: "spec.users.a-user",
    says: /x-user/,
  },
  {
    why: "a name longer than names can be",
    spec: { users: { ["x".repeat(240)]: {} } },
    field: "metadata.name",
    says: /253/,
  },
] as const;

for (const { why, spec, field, says } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo({ spec }),
      (error) => error instanceof Refusal && error.field === field && says.test(error.message),
    );
  });
}

test("a name leaves room for the longest that the operator derives", () => {
  assert.equal(`rabbitmq-${"x".repeat(rabbitmq.longestName)}-server`.length, 52);
});

const entry = fc.stringMatching(/^[a-zA-Z0-9][-_a-zA-Z0-9]{0,12}[a-zA-Z0-9]$/);
const spec = fc.record(
  {
    replicas: fc.nat(9),
    size: fc.constantFrom(0, "1Gi", "500Mi"),
    storageClass: fc.constantFrom("", "local"),
    external: fc.boolean(),
    version: fc.constantFrom(...versions.map(([version]) => version)),
    users: fc.dictionary(entry, fc.record({ password: fc.string() }, { requiredKeys: [] }), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
    vhosts: fc.dictionary(entry, fc.record({ roles: fc.record({ admin: fc.uniqueArray(entry, { maxLength: 3 }) }) }), {
      maxKeys: 3,
      noNullPrototype: true,
    }),
  },
  { requiredKeys: [] },
);

test("property: a render depends on nothing but its input, and passwords are in Secrets alone", () => {
  fc.assert(
    fc.property(spec, (wanted) => {
      let rendered: ReturnType<typeof demo>;
      try {
        rendered = demo({ spec: wanted });
      } catch (error) {
        // Names that become the same.
        assert.ok(error instanceof Refusal);
        return;
      }
      assert.deepEqual(rendered.objects, demo({ spec: wanted }).objects);
      const users = Object.entries(wanted.users ?? {});
      const plain = { ...wanted, users: Object.fromEntries(users.map(([name]) => [name, { password: "plain" }])) };
      const others = ({ objects }: ReturnType<typeof demo>) =>
        objects
          .filter(({ kind }) => kind !== "Secret")
          .map(({ metadata: { annotations: _, ...metadata }, ...object }) => ({ ...object, metadata }));
      assert.deepEqual(others(rendered), others(demo({ spec: plain })), "no other object hangs on a password");
      for (const { metadata } of rendered.objects) assert.ok(metadata.name.startsWith("rabbitmq-demo"));
    }),
    { numRuns: 100 },
  );
});
