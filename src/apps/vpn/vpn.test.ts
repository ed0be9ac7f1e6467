import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Deployment } from "../../contracts/apps.ts";
import { Secret } from "../../contracts/core.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { vpn } from "./index.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const pair = Secret("vpn-demo-vpn-tls", {
  data: { "ca.crt": base64("CA"), "tls.crt": base64("CRT"), "tls.key": base64("KEY") },
});

/** With a certificate that is there already: making one takes its time. */
const demo = ({ existing = [], ...given }: RenderGiven = {}, seed = "") =>
  renderApp(vpn, { ...given, existing: [pair, ...existing] }, seed);
type Demo = ReturnType<typeof demo>;

const file = (rendered: Demo, name: string) =>
  String(valueAt(rendered.object("Secret", "vpn-demo-vpn"), "stringData", name));
const urls = (rendered: Demo) => valueAt(rendered.object("Secret", "vpn-demo-urls"), "stringData");
const deployment = (rendered: Demo) => valueAt(rendered.object("Deployment", "vpn-demo-vpn"), "spec", "template");

const accessKeys = (rendered: Demo): readonly unknown[] => {
  const keys = valueAt(JSON.parse(file(rendered, "shadowbox_config.json")), "accessKeys");
  assert.ok(Array.isArray(keys));
  return keys;
};

const passwords = (rendered: Demo) =>
  Object.fromEntries(accessKeys(rendered).map((key) => [valueAt(key, "name"), valueAt(key, "password")]));

/** What a client reads out of a URL. */
function inUrl(rendered: Demo, user: string) {
  const all = urls(rendered);
  const [, words = "", address] =
    /^ss:\/\/([-_A-Za-z0-9]+)@([^/]+)\/\?outline=1#vpn-demo$/.exec(String(valueAt(all, user))) ?? [];
  const [cipher, ...password] = Buffer.from(words, "base64url").toString().split(":");
  return { cipher, password: password.join(":"), address };
}

/** A Secret as the API server keeps it. */
function stored(object: KubeObject): KubeObject {
  const texts = valueAt(object, "stringData");
  const data = isRecord(texts) ? Object.entries(texts).map(([key, text]) => [key, base64(String(text))]) : [];
  return Secret(object.metadata.name, { data: Object.fromEntries(data) });
}

const secretsOf = (rendered: Demo) =>
  rendered.objects.filter(({ kind, metadata }) => kind === "Secret" && !metadata.name.endsWith("-tls")).map(stored);

test("the default is two servers without users", () => {
  const rendered = demo();
  assert.deepEqual(
    rendered.objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    [
      "Secret/vpn-demo-vpn",
      "Secret/vpn-demo-urls",
      "Secret/vpn-demo-vpn-tls",
      "Deployment/vpn-demo-vpn",
      "Service/vpn-demo-vpn",
      "WorkloadMonitor/vpn-demo",
      "Role/vpn-demo-dashboard-resources",
      "RoleBinding/vpn-demo-dashboard-resources",
    ],
  );
  assert.equal(file(rendered, "shadowbox_config.json"), '{\n  "accessKeys": [\n  ],\n  "nextId": 1\n}\n');
  assert.equal(urls(rendered), undefined);
});

test("each user has a key, in the order of their names, and a URL with it", () => {
  const rendered = demo({ spec: { users: { b: {}, a: { password: "pa:ss" } } } });
  const [first, second] = accessKeys(rendered);
  assert.deepEqual(first, {
    id: "1",
    metricsId: "a",
    name: "a",
    password: "pa:ss",
    port: 40000,
    encryptionMethod: "chacha20-ietf-poly1305",
  });
  assert.equal(valueAt(second, "id"), "2");
  assert.match(String(valueAt(second, "password")), /^[A-Za-z0-9]{16}$/);
  assert.equal(valueAt(JSON.parse(file(rendered, "shadowbox_config.json")), "nextId"), 3);
  const address = "vpn-demo.foo.example.org:40000";
  assert.deepEqual(inUrl(rendered, "a"), { cipher: "chacha20-ietf-poly1305", password: "pa:ss", address });
  assert.equal(inUrl(rendered, "b").password, passwords(rendered)["b"]);
});

test("the server's own file", () => {
  assert.equal(
    file(demo(), "shadowbox_server_config.json"),
    '{\n  "rollouts": [\n    {\n      "id": "single-port",\n      "enabled": true\n    }\n  ],\n  "portForNewAccessKeys": 40000,\n  "hostname": "localhost"\n}\n',
  );
});

for (const [host, address] of [
  ["vpn.example.org", "vpn.example.org:40000"],
  ["192.0.2.1", "192.0.2.1:40000"],
  ["2001:db8::1", "[2001:db8::1]:40000"],
] as const) {
  test(`users connect to ${host} where it is given`, () => {
    assert.equal(inUrl(demo({ spec: { host, users: { a: {} } } }), "a").address, address);
  });
}

const running = (names: Readonly<Record<string, string>>) =>
  Secret("vpn-demo-vpn", {
    data: {
      "shadowbox_config.json": base64(
        JSON.stringify({ accessKeys: Object.entries(names).map(([name, password]) => ({ name, password })) }),
      ),
    },
  });
const url = (password: string) =>
  `ss://${Buffer.from(`chacha20-ietf-poly1305:${password}`).toString("base64url")}@x:40000/?outline=1#x`;
const given = (names: Readonly<Record<string, string>>) =>
  Secret("vpn-demo-urls", {
    data: Object.fromEntries(Object.entries(names).map(([user, text]) => [user, base64(text)])),
  });
const broken = Secret("vpn-demo-vpn", { data: { "shadowbox_config.json": base64("{") } });

const kept = [
  { why: "the server's file has it", users: { a: {} }, existing: [running({ a: "kept" })], is: "kept" },
  { why: "a given one wins", users: { a: { password: "new" } }, existing: [running({ a: "kept" })], is: "new" },
  { why: "an empty one is none", users: { a: { password: "" } }, existing: [running({ a: "kept" })], is: "kept" },
  {
    why: "the file counts before the URL",
    users: { a: {} },
    existing: [running({ a: "kept" }), given({ a: url("u") })],
    is: "kept",
  },
  {
    why: "the URL has it where the file is gone",
    users: { a: {} },
    existing: [given({ a: url("o:ld?/+") })],
    is: "o:ld?/+",
  },
  {
    why: "the URL has it where the file is broken",
    users: { a: {} },
    existing: [broken, given({ a: url("old") })],
    is: "old",
  },
  // A rotation generates the values anew that are there.
  {
    why: "one that was just made anew counts before all",
    users: { a: {} },
    existing: [running({ a: "kept" }), given({ a: "fresh" })],
    is: "fresh",
  },
] as const;

for (const { why, users, existing, is } of kept) {
  test(`passwords: ${why}`, () => {
    const rendered = demo({ spec: { users }, existing });
    assert.equal(passwords(rendered)["a"], is);
    assert.equal(inUrl(rendered, "a").password, is);
  });
}

test("passwords stay when users come and go; one who comes again has another", () => {
  const first = demo({ spec: { users: { b: {} } } }, "1");
  const second = demo({ spec: { users: { a: {}, b: {} } }, existing: secretsOf(first) }, "2");
  assert.equal(passwords(second)["b"], passwords(first)["b"]);
  const third = demo({ spec: { users: { a: {} } }, existing: secretsOf(second) }, "3");
  assert.deepEqual(passwords(third), { a: passwords(second)["a"] });
  const fourth = demo({ spec: { users: { a: {}, b: {} } }, existing: secretsOf(third) }, "4");
  assert.notEqual(passwords(fourth)["b"], passwords(first)["b"]);
});

test("the certificate stays as it is; without one there is a new pair", () => {
  assert.deepEqual(valueAt(demo().object("Secret", "vpn-demo-vpn-tls"), "data"), pair.data);
  const secret = renderApp(vpn).object("Secret", "vpn-demo-vpn-tls");
  assert.equal(valueAt(secret, "type"), "kubernetes.io/tls");
  const certificate = (key: string) => new X509Certificate(Buffer.from(String(valueAt(secret, "data", key)), "base64"));
  assert.equal(certificate("tls.crt").subject, "CN=outline");
  assert.equal(certificate("ca.crt").subject, "CN=outline-ca");
  assert.ok(certificate("tls.crt").verify(certificate("ca.crt").publicKey));
});

test("pods restart for other users and another certificate, and their annotation gives no password away", () => {
  const sum = (given: RenderGiven) => valueAt(deployment(demo(given)), "metadata", "annotations", "checksum/config");
  const users = { a: { password: "p" } };
  const first = sum({ spec: { users } });
  assert.match(String(first), /^[0-9a-f]{64}$/);
  assert.equal(sum({ spec: { users, replicas: 5, external: true, host: "other.example.org" } }), first);
  assert.notEqual(sum({ spec: { users: { a: { password: "q" } } } }), first);
  const other = Secret("vpn-demo-vpn-tls", { data: { ...pair.data, "tls.key": base64("OTHER") } });
  const withOther = renderApp(vpn, { spec: { users }, existing: [other] });
  assert.notEqual(valueAt(deployment(withOther), "metadata", "annotations", "checksum/config"), first);
});

test("nothing of it outlives it", () => {
  assert.deepEqual(demo().instance.storage, []);
});

test("a running Deployment that is taken over does not restart", () => {
  const annotations = { "checksum/config": "f".repeat(64) };
  const running = Deployment("vpn-demo-vpn", {
    spec: { selector: {}, template: { metadata: { annotations }, spec: { containers: [] } } },
  });
  const template = (existing: readonly KubeObject[], spec = {}) =>
    valueAt(
      demo({ spec, existing }).object("Deployment", "vpn-demo-vpn"),
      "spec",
      "template",
      "metadata",
      "annotations",
    );
  assert.deepEqual(template([running]), annotations);
  const ours = demo({ existing: [running] }).objects.map((object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { "internal.cozystack.io/owner": "x", ...object.metadata.annotations },
    },
  }));
  assert.deepEqual(template(ours), annotations, "nor later");
  assert.notDeepEqual(template(ours, { users: { a: {} } }), annotations);
});

const user = fc.stringMatching(/^[-_a-zA-Z0-9][-._a-zA-Z0-9]{0,8}$/);
const users = fc.dictionary(user, fc.record({ password: fc.string({ unit: "grapheme" }) }), {
  maxKeys: 4,
  noNullPrototype: true,
});

test("property: whatever passwords say, clients and server have the same, and no other object shows them", () => {
  fc.assert(
    fc.property(users, (wanted) => {
      const rendered = demo({ spec: { users: wanted } });
      assert.deepEqual(rendered.objects, demo({ spec: { users: wanted } }).objects);
      for (const [name, password] of Object.entries(passwords(rendered))) {
        assert.equal(inUrl(rendered, name).password, password);
        if (wanted[name]?.password !== "") assert.equal(password, wanted[name]?.password);
      }
      const plain = Object.fromEntries(Object.keys(wanted).map((name) => [name, { password: "plain" }]));
      const others = ({ objects }: Demo) =>
        JSON.stringify(objects.filter(({ kind }) => kind !== "Secret")).replace(/[0-9a-f]{64}/, "#");
      assert.equal(others(rendered), others(demo({ spec: { users: plain } })));
    }),
    { numRuns: 100 },
  );
});
