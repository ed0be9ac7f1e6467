/** Monitoring under the real controllers, with the twin in the operators' place: on, with people in Grafana, off, and gone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { PersistentVolumeClaim, Secret } from "../../src/contracts/core.ts";
import { GrafanaDashboard } from "../../src/contracts/grafana-integreatly-org.ts";
import { Namespace } from "../../src/kube/kinds/core.ts";
import { grafanaApi } from "../../src/tenancy/sign-on/grafana-api.ts";
import { appOf, conditionOf, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";
import { lines } from "../support/everything.ts";

const cloud = await startCloud();
const { admin } = cloud;
const app = appOf("Monitoring");
const tenant = appOf("Tenant");

const claims = async (namespace: string) =>
  (await admin.list(PersistentVolumeClaim, { namespace })).items.map(({ metadata }) => metadata.name).sort();

async function passwordOf(namespace: string): Promise<string> {
  const secret = await admin.get(Secret, "grafana-admin-password", namespace);
  return Buffer.from(secret?.data?.["password"] ?? "", "base64").toString("utf8");
}

async function members(namespace: string): Promise<Readonly<Record<string, string>>> {
  const account = { user: "admin", password: await passwordOf(namespace) };
  const list = await grafanaApi(cloud.grafanaAt?.(namespace) ?? "", account).members();
  return Object.fromEntries(list.map(({ login, role }) => [login, role]));
}

const customConfig = { config: { enabled: "true", client_id: "own" } };
const people = (...users: readonly object[]) => ({ oidc: { mode: "CustomConfig", customConfig, users } });

/** Waits until the condition about users says so of the current spec. */
async function usersAre(namespace: string, status: string): Promise<void> {
  await eventually(`users are ${status}`, async () => {
    const live = await cloud.get(app, "monitoring", namespace);
    const said = conditionOf(live, "UsersReady");
    return said?.status === status && said.observedGeneration === live?.metadata.generation;
  });
}

test("monitoring of a tenant is ready, serves tenants below, keeps Grafana's members, and leaves nothing when it is switched off (features 117, 189)", async () => {
  const namespace = await cloud.tenant("watched", cloud.root);
  const before = lines(await cloud.everything(namespace));
  await cloud.change(tenant, "watched", cloud.root, { monitoring: true });
  await cloud.ready(app, "monitoring", namespace, 60);
  const label = async (of: string) =>
    (await admin.get(Namespace, of))?.metadata.labels?.["namespace.cozystack.io/monitoring"];
  await eventually("the namespace says who watches it", async () => (await label(namespace)) === namespace);
  assert.equal((await admin.list(GrafanaDashboard, { namespace })).items.length, 15);
  assert.equal(conditionOf(await cloud.get(app, "monitoring", namespace), "UsersReady"), undefined, "nobody is listed");

  await cloud.change(app, "monitoring", namespace, people({ email: "ada@example.org", role: "Admin" }));
  await usersAre(namespace, "True");
  assert.deepEqual(await members(namespace), { admin: "Admin", "ada@example.org": "Admin" });
  await cloud.change(
    app,
    "monitoring",
    namespace,
    people({ email: "ada@example.org", role: "Viewer" }, { email: "grace@example.org", role: "Editor" }),
  );
  await usersAre(namespace, "True");
  assert.deepEqual(await members(namespace), {
    admin: "Admin",
    "ada@example.org": "Viewer",
    "grace@example.org": "Editor",
  });
  await cloud.change(app, "monitoring", namespace, people());
  await cloud.ready(app, "monitoring", namespace, 60);
  await eventually(
    "nothing is said of users",
    async () => conditionOf(await cloud.get(app, "monitoring", namespace), "UsersReady") === undefined,
  );
  assert.equal(Object.keys(await members(namespace)).length, 3, "an empty list leaves members alone");

  const password = await passwordOf(namespace);
  assert.match(password, /^[A-Za-z0-9]{32}$/);
  const volumes = await claims(namespace);
  assert.ok(volumes.length >= 8, volumes.join(" "));
  await cloud.rest();
  await cloud.stopControllers();
  cloud.startControllers();
  await cloud.rest();
  assert.equal(await passwordOf(namespace), password);

  await cloud.change(tenant, "watched", cloud.root, { monitoring: false });
  const hash = await eventually("the loss of what was measured is to be confirmed", async () => {
    const said = conditionOf(await cloud.get(tenant, "watched", cloud.root), "Ready");
    if (said?.status === "True") return undefined;
    return said?.reason === "ConfirmationRequired" ? /[0-9a-f]{16}/.exec(said.message)?.[0] : undefined;
  });
  await cloud.annotate(tenant, "watched", cloud.root, { "apps.cozystack.io/allow-data-loss": hash });
  await eventually("the monitoring is gone", async () => (await cloud.get(app, "monitoring", namespace)) === undefined);
  await cloud.ready(tenant, "watched", cloud.root);
  await cloud.rest();
  assert.deepEqual(await claims(namespace), []);
  assert.deepEqual(lines(await cloud.everything(namespace)), before);
});

test("a Monitoring whose logs have no working store is not ready", async () => {
  const namespace = await cloud.tenant("blind", cloud.root);
  await cloud.behave("VLCluster", namespace, "generic", "neverReady");
  await cloud.change(tenant, "blind", cloud.root, { monitoring: true });
  const said = await eventually("it names the store of logs", async () => {
    const ready = conditionOf(await cloud.get(app, "monitoring", namespace), "Ready");
    return ready?.message.includes("VLCluster") === true ? ready : undefined;
  });
  assert.notEqual(said.status, "True");
  await cloud.behave("VLCluster", namespace, "generic", "normal");
  await cloud.ready(app, "monitoring", namespace, 60);
});
