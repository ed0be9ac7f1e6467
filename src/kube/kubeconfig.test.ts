import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after } from "node:test";
import { ExecPluginError } from "./exec-credentials.ts";
import { inClusterAccess, KubeconfigError, loadKubeconfig, storedKubeconfig } from "./kubeconfig.ts";
import { systemWorld } from "./world.ts";

const directory = mkdtempSync(join(tmpdir(), "kubeconfig-"));
after(() => rmSync(directory, { recursive: true }));

const base64 = (value: string) => Buffer.from(value).toString("base64");
function file(name: string, content: object | string): string {
  const path = join(directory, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const config = (user: object, cluster: object = {}, more: object = {}) => ({
  "current-context": "c",
  contexts: [{ name: "c", context: { cluster: "k", user: "u", namespace: "ns" } }],
  clusters: [{ name: "k", cluster: { server: "https://host:6443", ...cluster } }],
  users: [{ name: "u", user }],
  ...more,
});

test("data wins over files, files are relative to the kubeconfig", () => {
  file("ca.pem", "CA");
  const path = file(
    "a",
    config(
      { "client-certificate-data": base64("CERT"), "client-key-data": base64("KEY") },
      { "certificate-authority": "ca.pem" },
    ),
  );
  assert.deepEqual(loadKubeconfig(path), {
    server: "https://host:6443",
    ca: "CA",
    clientCert: "CERT",
    clientKey: "KEY",
    namespace: "ns",
  });
});

test("a context is chosen by name; the first of several files that has an entry wins", () => {
  const first = file("first", { contexts: [{ name: "mine", context: { cluster: "k" } }] });
  const second = file("second", config({ token: "t" }, { "insecure-skip-tls-verify": true, "tls-server-name": "n" }));
  assert.deepEqual(loadKubeconfig([first, second], "mine"), {
    server: "https://host:6443",
    insecureSkipTlsVerify: true,
    tlsServerName: "n",
  });
  assert.equal(loadKubeconfig([first, second]).token, "t");
});

const refused = [
  { why: "a missing file", path: join(directory, "nothing"), says: /there is no such file/ },
  { why: "no kubeconfig", path: file("text", "just text"), says: /no kubeconfig/ },
  { why: "broken YAML, which is not quoted", path: file("broken", "users: [{token: hunter2"), says: /no YAML$/ },
  { why: "no context", path: file("empty", {}), says: /no current context/ },
  { why: "an unknown context", path: file("ctx", { "current-context": "x" }), says: /no context x/ },
  { why: "an unknown user", path: file("user", { ...config({}), users: [] }), says: /no user u/ },
  { why: "a server that is no URL", path: file("server", config({}, { server: "host" })), says: /no server/ },
  { why: "half a certificate", path: file("half", config({ "client-key-data": base64("K") })), says: /together/ },
  { why: "a proxy", path: file("proxy", config({}, { "proxy-url": "http://p" })), says: /not supported/ },
  { why: "the removed auth providers", path: file("provider", config({ "auth-provider": {} })), says: /exec/ },
];

for (const { why, path, says } of refused) {
  test(`refused: ${why}`, () => {
    assert.throws(
      () => loadKubeconfig(path),
      (error) => error instanceof KubeconfigError && says.test(error.message),
    );
  });
}

test("a token file is read again after a minute", async () => {
  let now = 0;
  const world = { ...systemWorld, now: () => now };
  file("token", "one\n");
  const access = loadKubeconfig(file("tf", config({ tokenFile: "token" })), undefined, { env: {}, world });
  assert.deepEqual(await access.credentials?.current(), { token: "one" });
  file("token", "two\n");
  assert.deepEqual(await access.credentials?.current(), { token: "one" });
  now += 61_000;
  assert.deepEqual(await access.credentials?.current(), { token: "two" });
});

function plugin(name: string, script: string): string {
  const path = file(name, `#!${process.execPath}\n${script}`);
  chmodSync(path, 0o755);
  return path;
}
const exec = (command: string, more: object = {}) =>
  config(
    { exec: { apiVersion: "client.authentication.k8s.io/v1", command, args: ["a"], ...more } },
    { "certificate-authority-data": base64("CA") },
  );

test("an exec plugin gets its arguments, environment and cluster, and is asked again when its token ends", async () => {
  plugin(
    "plugin",
    `const info = JSON.parse(process.env.KUBERNETES_EXEC_INFO);
     const status = { token: [process.argv[2], process.env.X, info.spec.cluster.server, process.env.RUN].join(), expirationTimestamp: new Date(100_000).toISOString() };
     console.log(JSON.stringify({ kind: "ExecCredential", apiVersion: info.apiVersion, status }));`,
  );
  let now = 0;
  const env: Record<string, string> = { RUN: "1" };
  const path = file("exec", exec("./plugin", { env: [{ name: "X", value: "x" }], provideClusterInfo: true }));
  const { credentials } = loadKubeconfig(path, undefined, { env, world: { ...systemWorld, now: () => now } });
  const token = async () => (await credentials?.current())?.token;
  assert.equal(await token(), "a,x,https://host:6443,1");
  env["RUN"] = "2";
  assert.equal(await token(), "a,x,https://host:6443,1");
  now = 95_000;
  assert.equal(await token(), "a,x,https://host:6443,2");
});

test("a plugin that fails is named, its output is not", async () => {
  plugin("bad", `console.log("hunter2"); process.exit(3)`);
  const { credentials } = loadKubeconfig(file("execbad", exec("./bad", { installHint: "Install it." })));
  await assert.rejects(
    async () => credentials?.current(),
    (error) => {
      return (
        error instanceof ExecPluginError &&
        /failed \(3\)/.test(error.message) &&
        !String(error.stack).includes("hunter2") &&
        error.remedy === "Install it."
      );
    },
  );
});

test("a pod's own access, and none outside of a pod", () => {
  for (const [name, content] of [
    ["ca.crt", "CA"],
    ["namespace", "ns\n"],
    ["token", "t"],
  ] as const)
    file(name, content);
  const env = { KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
  const access = inClusterAccess({ env, world: systemWorld }, directory);
  assert.deepEqual([access?.server, access?.ca, access?.namespace], ["https://[fd00::1]:443", "CA", "ns"]);
  assert.equal(inClusterAccess({ env: {}, world: systemWorld }, directory), undefined);
});

test("a kubeconfig out of a cluster gives its inline credentials", () => {
  const stored = config(
    { "client-certificate-data": base64("CERT"), "client-key-data": base64("KEY"), exec: null },
    { "certificate-authority-data": base64("CA") },
  );
  assert.deepEqual(storedKubeconfig(JSON.stringify(stored), "Secret ns/x"), {
    server: "https://host:6443",
    ca: "CA",
    clientCert: "CERT",
    clientKey: "KEY",
    namespace: "ns",
  });
});

const outside = [
  { why: "a program", user: { exec: { command: "/bin/sh", apiVersion: "client.authentication.k8s.io/v1" } } },
  { why: "a token's file", user: { tokenFile: "/etc/passwd" } },
  { why: "a certificate's file", user: { "client-certificate": "a.pem", "client-key": "a.key" } },
  { why: "an authority's file", cluster: { "certificate-authority": "/etc/passwd" } },
  { why: "a server that proves nothing", cluster: { "insecure-skip-tls-verify": true } },
  { why: "a server without TLS", cluster: { server: "http://host:6443" } },
  { why: "a proxy", cluster: { "proxy-url": "http://host" } },
];
for (const { why, user = {}, cluster = {} } of outside)
  test(`a kubeconfig out of a cluster may not name ${why}`, () => {
    const text = JSON.stringify(config(user, cluster));
    assert.throws(() => storedKubeconfig(text, "Secret ns/x"), KubeconfigError);
  });
