/**
 * People of a tenant in its cluster, by single sign-on: a real API server as the cluster, a real OpenID provider, and kubectl
 * with the kubeconfig that the platform makes.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { parse, stringify } from "yaml";
import { tools } from "../../scripts/tools.ts";
import { kubernetes } from "../../src/apps/kubernetes/index.ts";
import { Pod, Secret } from "../../src/contracts/core.ts";
import { connect } from "../../src/kube/connect.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { base64 } from "../../src/kube/secret-text.ts";
import { startApiServer } from "../../src/twin/clusters/api-server.ts";
import { authenticationCases } from "../support/authentication-cases.ts";
import { root } from "../support/cli.ts";
import { eventually } from "../support/eventually.ts";
import { instanceTypes } from "../support/machines.ts";
import { startOpenIdProvider } from "../support/openid-provider.ts";
import { type RenderedApp, renderApp } from "../support/render.ts";
import { runJob } from "../support/run-job.ts";

const audience = "tenant-foo-kubernetes-demo";
const provider = await startOpenIdProvider([audience, "tenant-foo-kubernetes-other"], {
  alice: { email: "alice@example.org", groups: ["tenant-foo-admin"] },
  bob: { email: "bob@example.org", groups: ["tenant-foo-view"] },
  carol: { email: "carol@example.org", groups: ["tenant-bar-admin"] },
  dora: { email: "alice@example.org", verified: false, groups: ["tenant-foo-view"] },
});
const folder = mkdtempSync(join(tmpdir(), "sign-on-"));
const server = await startApiServer({
  dataDir: join(folder, "cluster"),
  configuration: systemConfiguration(),
  fsync: false,
});
const admin = connect({ ...server, fieldManager: "administrator" });
after(async () => {
  await admin.close();
  await Promise.all([server.stop(), provider.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** As Kamaji leaves it. */
const adminKubeconfig = stringify({
  apiVersion: "v1",
  kind: "Config",
  clusters: [{ name: "demo", cluster: { server: server.server, "certificate-authority-data": base64(server.ca) } }],
  users: [{ name: "demo", user: { token: server.token } }],
  contexts: [{ name: "demo", context: { cluster: "demo", user: "demo" } }],
  "current-context": "demo",
});
const kubeconfigOf = { "kubernetes-demo-admin-kubeconfig": { "super-admin.svc": adminKubeconfig } };

type Users = readonly { readonly email: string; readonly role: "admin" | "view" }[];

function render(oidc: object, existing: readonly KubeObject[] = []): RenderedApp {
  const cluster = { "oidc-enabled": "true", "root-host": "example.org" };
  return renderApp(kubernetes, { cluster, spec: { oidc }, existing: [...instanceTypes, ...existing] });
}

function textOf(rendered: RenderedApp, secret: string, key: string): string {
  return String(valueAt(rendered.object("Secret", `kubernetes-demo-${secret}`), "stringData", key));
}

/** The platform's realm is here: nothing else of the configuration is other than rendered. */
function systemConfiguration(): string {
  const config = parse(textOf(render({ mode: "System" }), "oidc-authn-config", "config.yaml"));
  const issuer = valueAt(config, "jwt");
  assert.ok(Array.isArray(issuer));
  Object.assign(issuer[0].issuer, { url: provider.issuer, certificateAuthority: provider.ca });
  return stringify(config, { lineWidth: 0 });
}

/** How many configurations the API server has taken and refused since it started. */
async function reloads(): Promise<Readonly<Record<"success" | "failure", number>>> {
  const metrics = String(await admin.raw("GET", "/metrics"));
  const count = (status: string) =>
    Number(
      new RegExp(`^apiserver_authentication_config_controller_automatic_reloads_total{.*"${status}"} (\\d+)`, "m").exec(
        metrics,
      )?.[1] ?? 0,
    );
  return { success: count("success"), failure: count("failure") };
}

const listsPods = ["get", "pods", "--namespace=default", "--output=name"];
const deletesPod = ["delete", "pod", "web", "--namespace=default", "--wait=false", "--dry-run=server"];

interface Ran {
  readonly code: number;
  readonly said: string;
}

/** kubectl with the kubeconfig that the platform shows, of a person who logs in when it asks. */
function asPerson(person: string, words: readonly string[], client = audience): Promise<Ran> {
  const file = join(folder, `${person}.kubeconfig`);
  // The realm and the cluster's address are here; nothing else is other than rendered.
  const secret = Secret("kubernetes-demo-admin-kubeconfig", { data: { "super-admin.svc": base64(adminKubeconfig) } });
  const text = textOf(render({ mode: "System" }, [secret]), "oidc-kubeconfig", "kubeconfig")
    .replace("https://keycloak.example.org/realms/cozy", provider.issuer)
    .replace(`client-id=${audience}`, `client-id=${client}`);
  writeFileSync(file, text);
  const env = {
    PATH: `${join(folder, "bin")}:${dirname(tools().kubectl)}:${process.env["PATH"] ?? ""}`,
    HOME: folder,
    PERSON: person,
    KUBERC: "off",
    NODE_EXTRA_CA_CERTS: provider.caFile,
  };
  const where = [`--kubeconfig=${file}`, `--server=${server.server}`];
  return new Promise((done) => {
    execFile(tools().kubectl, [...where, ...words], { env }, (error, stdout, stderr) =>
      done({ code: error === null ? 0 : Number(error.code ?? 1), said: `${stdout}${stderr}` }),
    );
  });
}

/** The plugin of kubectl that people install. */
function installLogin(): void {
  const file = join(folder, "bin", "kubectl-oidc_login");
  mkdirSync(dirname(file));
  writeFileSync(file, `#!/bin/sh\nexec "${process.execPath}" "${join(root, "test/support/oidc-login.ts")}" "$@"\n`);
  chmodSync(file, 0o755);
}

const alice = { email: "alice@example.org", role: "admin" } as const;
const bob = { email: "bob@example.org", role: "view" } as const;
const bind = (users: Users) => runJob(render({ mode: "System", users }), "kubernetes-demo-oidc-users", kubeconfigOf);

test("a member of the tenant's groups comes in by the generated kubeconfig, and may what the list of users says (features 3, 102, 104 and 105)", async () => {
  installLogin();
  await bind([alice, bob]);
  const spec = { containers: [{ name: "web", image: "web" }], automountServiceAccountToken: false };
  await eventually("namespace default has its account", () =>
    admin.create(Pod, Pod("web", { namespace: "default", spec })).catch(() => undefined),
  );
  const listed = await eventually("the realm's keys are known", async () => {
    const ran = await asPerson("bob", listsPods);
    return ran.code === 0 ? ran : undefined;
  });
  assert.match(listed.said, /^pod\/web$/m);
  assert.match((await asPerson("bob", deletesPod)).said, /Forbidden.*cannot delete resource "pods"/);
  assert.equal((await asPerson("alice", deletesPod)).code, 0);
});

test("nobody else comes in: of another tenant, with a token for another cluster, with an address that nobody verified", async () => {
  const refused = await Promise.all([
    asPerson("carol", listsPods),
    asPerson("alice", listsPods, "tenant-foo-kubernetes-other"),
    asPerson("dora", listsPods),
  ]);
  for (const { code, said } of refused) {
    assert.notEqual(code, 0);
    assert.match(said, /Unauthorized|must be logged in/);
  }
});

test("who is taken off the list loses access, and a role that changes takes effect", async () => {
  await bind([{ ...alice, role: "view" }]);
  assert.match((await asPerson("bob", listsPods)).said, /Forbidden/);
  assert.equal((await asPerson("alice", listsPods)).code, 0);
  assert.match((await asPerson("alice", deletesPod)).said, /Forbidden/);
});

/** What the API server says to a configuration: whether it took it. */
async function takes(why: string, config: string): Promise<boolean> {
  const before = await reloads();
  // An empty file is one that is being written.
  server.authenticate(config === "" ? " " : config);
  const after = await eventually(`an answer about ${why}`, async () => {
    const now = await reloads();
    return now.success + now.failure > before.success + before.failure ? now : undefined;
  });
  return after.success > before.success;
}

const casesFor = (name: string) => authenticationCases({ url: provider.also(name), ca: provider.ca });

/** Of each case that may pass. */
const issuersThatPass = casesFor("any").flatMap(({ fault }, at): readonly unknown[] => {
  const issuers = valueAt(fault === undefined ? parse(casesFor(`case${at}`)[at]?.config ?? "") : {}, "jwt");
  return Array.isArray(issuers) ? issuers : [];
});

test("an API server takes what passes for an authentication configuration, and refuses what does not", async () => {
  for (const { why, config, fault } of casesFor("any")) {
    const issuers = valueAt(fault === undefined ? parse(config) : {}, "jwt");
    // Below, in one: to find an issuer takes an API server ten seconds, however many there are.
    if (Array.isArray(issuers) && issuers.length > 0) continue;
    assert.equal(await takes(why, config), fault === undefined, why);
  }
});

test("a configuration of the tenant's own lets its people in, by the rules that it has (feature 103)", async () => {
  assert.ok(issuersThatPass.length >= 10);
  const own = {
    issuer: { url: provider.issuer, audiences: [audience], certificateAuthority: provider.ca },
    claimMappings: { username: { claim: "sub", prefix: "own:" } },
  };
  const config = stringify({
    apiVersion: "apiserver.config.k8s.io/v1beta1",
    kind: "AuthenticationConfiguration",
    jwt: [own, ...issuersThatPass],
  });
  const users = [{ email: "own:carol", role: "view" }];
  const rendered = render({ mode: "CustomConfig", customConfig: { config }, users });
  assert.equal(textOf(rendered, "oidc-authn-config", "config.yaml"), config);
  assert.equal(await takes("all that passes", config), true);
  await runJob(rendered, "kubernetes-demo-oidc-users", kubeconfigOf);
  const listed = await asPerson("carol", listsPods);
  assert.match(listed.said, /^pod\/web$/m);
  assert.match((await asPerson("bob", listsPods)).said, /Forbidden/, "known, and nobody");
});
