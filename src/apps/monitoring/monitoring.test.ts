import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { Refusal } from "../../sdk/errors.ts";
import { monitoring } from "./index.ts";

const keycloak = { apis: ["v1.edp.epam.com/v1"], cluster: { "oidc-enabled": "true", "root-host": "example.org" } };
const demo = (given: RenderGiven = {}) => renderApp(monitoring, { name: "monitoring", ...given });
const root: RenderGiven = { place: { namespace: "tenant-root", ancestors: [] } };

const named = (objects: readonly KubeObject[], kind: string) =>
  objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

const item = (list: unknown, at: number) => (Array.isArray(list) ? list[at] : undefined);

function containerOf(object: unknown, ...path: readonly string[]): unknown {
  return item(valueAt(object, "spec", ...path, "template", "spec", "containers"), 0);
}

function env(container: unknown): Readonly<Record<string, unknown>> {
  const list = valueAt(container, "env");
  const entries = (Array.isArray(list) ? list : []).map((each) => [
    String(valueAt(each, "name")),
    valueAt(each, "value") ?? valueAt(each, "valueFrom", "secretKeyRef"),
  ]);
  return Object.fromEntries(entries);
}

const grafanaEnv = (given: RenderGiven) =>
  env(containerOf(demo(given).object("Grafana", "grafana"), "deployment", "spec"));
const signOn = (given: RenderGiven) =>
  valueAt(demo(given).object("Grafana", "grafana"), "spec", "config", "auth.generic_oauth");

test("each store of metrics has servers, scrapes, a source in Grafana and bounds for what its pods ask for", () => {
  const { objects } = demo();
  assert.deepEqual(named(objects, "VMCluster"), ["shortterm", "longterm"]);
  assert.deepEqual(named(objects, "VMServiceScrape"), [
    "vminsert-shortterm",
    "vmselect-shortterm",
    "vmstorage-shortterm",
    "vminsert-longterm",
    "vmselect-longterm",
    "vmstorage-longterm",
    "vmalert",
  ]);
  assert.deepEqual(named(objects, "GrafanaDatasource"), ["vm-shortterm", "vm-longterm", "vlogs-generic"]);
  const isDefault = (name: string) =>
    valueAt(demo().object("GrafanaDatasource", name), "spec", "datasource", "isDefault");
  assert.deepEqual(["vm-shortterm", "vm-longterm"].map(isDefault), [true, undefined]);
});

test("every volume of a store has the label by which deletion finds it", () => {
  const labels = { "apps.cozystack.io/application.name": "monitoring-system" };
  const of = (kind: string, name: string, part: string) =>
    valueAt(demo().object(kind, name), "spec", part, "storage", "volumeClaimTemplate", "metadata", "labels");
  assert.deepEqual(of("VMCluster", "shortterm", "vmselect"), labels);
  assert.deepEqual(of("VMCluster", "shortterm", "vmstorage"), labels);
  assert.deepEqual(of("VLCluster", "generic", "vlstorage"), labels);
});

test("what the stores' pods may ask for by default (feature 202)", () => {
  const bounds = Object.fromEntries(
    demo()
      .objects.filter(({ kind }) => kind === "VerticalPodAutoscaler")
      .map((object) => {
        const policy = item(valueAt(object, "spec", "resourcePolicy", "containerPolicies"), 0);
        assert.equal(valueAt(object, "spec", "updatePolicy", "updateMode"), "Initial");
        const texts = ["minAllowed", "maxAllowed"].flatMap((bound) =>
          ["cpu", "memory"].map((name) => String(valueAt(policy, bound, name)).replace(/000m$/, "")),
        );
        return [object.metadata.name.replace(/^vpa-/, ""), texts.join(" ")];
      }),
  );
  const insert = "25m 64Mi 2 4Gi";
  const large = "200m 512Mi 4 8Gi";
  const logs = "25m 64Mi 4 8Gi";
  assert.deepEqual(bounds, {
    "vminsert-shortterm": insert,
    "vmselect-shortterm": large,
    "vmstorage-shortterm": large,
    "vminsert-longterm": insert,
    "vmselect-longterm": large,
    "vmstorage-longterm": large,
    "vlinsert-generic": insert,
    "vlselect-generic": logs,
    "vlstorage-generic": logs,
  });
});

test("alerts are computed from the first store only, and from none where there is none", () => {
  assert.deepEqual(named(demo().objects, "VMAlert"), ["vmalert-shortterm"]);
  const none = demo({ spec: { metricsStorages: [] } });
  assert.deepEqual(named(none.objects, "VMAlert"), []);
  assert.equal(none.object("VMServiceScrape", "vmalert"), undefined);
});

test("bounds given for a part replace those amounts and no others (feature 203)", () => {
  const spec = {
    metricsStorages: [
      {
        name: "only",
        retentionPeriod: "30d",
        deduplicationInterval: "15s",
        storage: "50Gi",
        vminsert: { minAllowed: { cpu: "200m" }, maxAllowed: { memory: "1Gi" } },
      },
    ],
  };
  const policy = (name: string) =>
    item(
      valueAt(demo({ spec }).object("VerticalPodAutoscaler", name), "spec", "resourcePolicy", "containerPolicies"),
      0,
    );
  assert.deepEqual(policy("vpa-vminsert-only"), {
    containerName: "vminsert",
    minAllowed: { cpu: "200m", memory: "64Mi" },
    maxAllowed: { cpu: "2000m", memory: "1Gi" },
  });
  assert.deepEqual(policy("vpa-vmstorage-only"), {
    containerName: "vmstorage",
    minAllowed: { cpu: "200m", memory: "512Mi" },
    maxAllowed: { cpu: "4000m", memory: "8Gi" },
  });
});

test("the root tenant has the platform's dashboards and no agent of its own; others have an agent and their dashboards (feature 208)", () => {
  assert.equal(demo(root).object("VMAgent", "vmagent"), undefined);
  assert.equal(named(demo().objects, "GrafanaDashboard").length, 15);
  const dashboards = demo(root).objects.filter(({ kind }) => kind === "GrafanaDashboard");
  assert.equal(dashboards.length, 55);
  assert.equal(dashboards.filter((each) => valueAt(each, "spec", "folder") === "kubevirt").length, 1);
  const { spec } = { spec: valueAt(demo().object("VMAgent", "vmagent"), "spec") };
  assert.deepEqual(valueAt(spec, "externalLabels"), { cluster: "cozystack", tenant: "tenant-foo" });
  assert.deepEqual(valueAt(spec, "podScrapeNamespaceSelector"), {
    matchLabels: { "namespace.cozystack.io/monitoring": "tenant-foo" },
  });
});

test("an agent's labels are its user's, but the tenant is who it is", () => {
  const externalLabels = { cluster: "east", environment: "test", tenant: "tenant-other" };
  assert.deepEqual(
    valueAt(demo({ spec: { vmagent: { externalLabels } } }).object("VMAgent", "vmagent"), "spec", "externalLabels"),
    { cluster: "east", environment: "test", tenant: "tenant-foo" },
  );
});

test("notifiers: their tokens are in a Secret only", () => {
  const alerts = {
    telegram: { token: "123:telegram-token", chatID: "42", disabledSeverity: ["informational"] },
    slack: { url: "https://hooks.example.org/T/secret", disabledSeverity: [], summaryFmt: "$(HOME) {{ x }}" },
  };
  const { object, objects } = demo({ spec: { alerta: { alerts } } });
  const found = env(containerOf(object("Deployment", "alerta")));
  assert.equal(found["PLUGINS"], "telegram,slack");
  assert.equal(found["TELEGRAM_DISABLE_NOTIFICATION_SEVERITY"], '["informational"]');
  assert.deepEqual(found["TELEGRAM_TOKEN"], { name: "alerta-notifiers", key: "telegram-token" });
  assert.deepEqual(found["SLACK_WEBHOOK_URL"], { name: "alerta-notifiers", key: "slack-url" });
  assert.equal(
    found["TELEGRAM_WEBHOOK_URL"],
    "https://alerta.foo.example.org/api/webhooks/telegram?api-key=$(ALERTA_API_KEY)",
  );
  assert.equal(found["SLACK_SUMMARY_FMT"], "$$(HOME) {{ x }}", "no reference to another variable");
  assert.equal(found["SLACK_SEVERITY_FILTER"], undefined);
  const others = JSON.stringify(objects.filter(({ kind }) => kind !== "Secret"));
  assert.doesNotMatch(others, /telegram-token"[^,}]*123|T\/secret/);
});

const plugins = [
  { why: "none by default", alerts: {}, is: undefined },
  { why: "a token without a chat sends nothing", alerts: { telegram: { token: "t", chatID: "" } }, is: undefined },
  { why: "a chat without a token neither", alerts: { telegram: { token: "", chatID: "c" } }, is: undefined },
  { why: "Slack needs its address only", alerts: { slack: { url: "https://s" } }, is: "slack" },
] as const;

for (const { why, alerts, is } of plugins) {
  test(`notifiers: ${why}`, () => {
    const { object } = demo({ spec: { alerta: { alerts } } });
    assert.equal(env(containerOf(object("Deployment", "alerta")))["PLUGINS"], is);
    assert.equal(object("Secret", "alerta-notifiers") !== undefined, is !== undefined);
  });
}

test("alerts: to Alerta with its key, a heartbeat every minute and never resolved, unwanted ones nowhere", () => {
  const { object } = demo();
  const text = valueAt(object("Secret", "alertmanager"), "stringData", "alertmanager.yaml");
  const config: unknown = parse(String(text));
  const key = valueAt(object("Secret", "alerta"), "stringData", "alerta-api-key");
  assert.match(String(key), /^[A-Za-z0-9]{32}$/);
  assert.deepEqual(valueAt(config, "route", "group_by"), ["alertname", "namespace", "cluster"]);
  const routes = valueAt(config, "route", "routes");
  assert.deepEqual(
    (Array.isArray(routes) ? routes : []).map((route) => [
      valueAt(route, "receiver"),
      valueAt(route, "repeat_interval"),
    ]),
    [
      ["alerta_no_resolve", "1m"],
      ["blackhole", undefined],
      ["blackhole", undefined],
    ],
  );
  const receivers = valueAt(config, "receivers");
  assert.deepEqual(item(valueAt(item(receivers, 1), "webhook_configs"), 0), {
    url: `http://alerta/api/webhooks/prometheus?api-key=${key}`,
    send_resolved: true,
  });
});

test("without single sign-on there is no section, no variable and no client, whoever is listed (feature 107)", () => {
  const spec = { oidc: { mode: "None", users: [{ email: "a@example.org", role: "Admin" }] } };
  assert.equal(signOn({ spec }), undefined);
  assert.equal(grafanaEnv({ spec })["GF_AUTH_GENERIC_OAUTH_CLIENT_SECRET"], undefined);
  assert.deepEqual(named(demo({ spec }).objects, "KeycloakClient"), []);
  assert.equal(signOn({}), undefined);
});

test("the platform's Keycloak: a client, its scope, and what Grafana is told; its form stays (features 108 and 113)", () => {
  const given = { ...keycloak, spec: { oidc: { mode: "System" } } };
  const { object } = demo(given);
  const id = "tenant-foo-monitoring-system";
  const client = valueAt(object("KeycloakClient", id), "spec");
  assert.equal(valueAt(client, "secret"), "$monitoring-system-oidc-client:client-secret");
  assert.equal(valueAt(client, "public"), false);
  assert.deepEqual(valueAt(client, "redirectUris"), ["https://grafana.foo.example.org/login/generic_oauth"]);
  assert.deepEqual(valueAt(client, "defaultClientScopes"), ["groups", `${id}-audience`]);
  const mapper = item(valueAt(object("KeycloakClientScope", `${id}-audience`), "spec", "protocolMappers"), 0);
  assert.equal(valueAt(mapper, "config", "included.client.audience"), id);
  const secret = valueAt(object("Secret", "monitoring-system-oidc-client"), "stringData", "client-secret");
  assert.match(String(secret), /^[A-Za-z0-9]{32}$/);
  const section = signOn(given);
  assert.ok(isRecord(section));
  assert.equal(section["allowed_groups"], "tenant-foo-view tenant-foo-use tenant-foo-admin tenant-foo-super-admin");
  assert.equal(section["auth_url"], "https://keycloak.example.org/realms/cozy/protocol/openid-connect/auth");
  assert.equal(section["scopes"], `openid email profile groups ${id}-audience`);
  assert.equal("allow_sign_up" in section, false, "nobody is listed");
  assert.ok(Object.values(section).every((value) => typeof value === "string"));
  assert.ok(!Object.values(section).includes(secret), "the secret comes by the environment");
  assert.deepEqual(grafanaEnv(given)["GF_AUTH_GENERIC_OAUTH_CLIENT_SECRET"], {
    name: "monitoring-system-oidc-client",
    key: "client-secret",
  });
  const auth = valueAt(object("Grafana", "grafana"), "spec", "config", "auth", "disable_login_form");
  assert.equal(auth, "false", "the administrator gets in when Keycloak does not answer");
});

test("a list of users forces its settings, over the tenant's own as well", () => {
  const users = [{ email: "a@example.org", role: "Admin" }];
  const forced = { skip_org_role_sync: "true", oauth_allow_insecure_email_lookup: "true", allow_sign_up: "false" };
  const config = { enabled: "true", allow_sign_up: "true", client_id: "mine", empty_scopes: 0 };
  const own = { oidc: { mode: "CustomConfig", customConfig: { config }, users } };
  assert.deepEqual(signOn({ spec: own }), { enabled: "true", client_id: "mine", empty_scopes: "0", ...forced });
  const system = signOn({ ...keycloak, spec: { oidc: { mode: "System", users } } });
  assert.ok(isRecord(system));
  assert.equal(system["allow_sign_up"], "false");
});

test("a section of the tenant's own in a Secret is mounted, and is nowhere else (feature 111)", () => {
  const spec = { oidc: { mode: "CustomConfig", customConfig: { secretRef: { name: "own" } } } };
  const { object, objects } = demo({ spec });
  assert.equal(signOn({ spec }), undefined);
  assert.equal(grafanaEnv({ spec })["GF_PATHS_CUSTOM_INI"], "/etc/grafana/oidc/auth.ini");
  const pod = valueAt(object("Grafana", "grafana"), "spec", "deployment", "spec", "template", "spec");
  assert.deepEqual(valueAt(pod, "volumes"), [{ name: "oidc", secret: { secretName: "own" } }]);
  assert.deepEqual(named(objects, "KeycloakClient"), []);
});

const refused = [
  { why: "no store of logs", given: { spec: { logsStorages: [] } }, field: "spec.logsStorages" },
  { why: "another name", given: { name: "monitoring-x" }, field: "metadata.name" },
  {
    why: "Keycloak where the platform has none",
    given: { spec: { oidc: { mode: "System" } } },
    field: "spec.oidc.mode",
  },
  {
    why: "Keycloak where its operator is not installed",
    given: { ...keycloak, apis: [], spec: { oidc: { mode: "System" } } },
    field: "spec.oidc.mode",
  },
  {
    why: "an address that is none",
    given: { spec: { oidc: { users: [{ email: "a@b.c", role: "Admin" }] } } },
    field: "spec.oidc.users[0].email",
  },
  {
    why: "a role that is none",
    given: { spec: { oidc: { users: [{ email: "a@example.org", role: "Owner" }] } } },
    field: "spec.oidc.users[0].role",
  },
  {
    why: "a name that is no part of a Service's",
    given: { spec: { logsStorages: [{ name: "A_b", retentionPeriod: "1", storage: "1Gi", storageClassName: "" }] } },
    field: "spec.logsStorages[0].name",
  },
] as const;

for (const { why, given, field } of refused) {
  test(`refused: ${why}`, () => {
    assert.throws(
      () => demo(given),
      (error) => error instanceof Refusal && error.field === field,
    );
  });
}

test("host replaces the tenant's domain", () => {
  const { object } = demo({ spec: { host: "mon.example.org" } });
  const url = valueAt(object("Grafana", "grafana"), "spec", "config", "server", "root_url");
  assert.equal(url, "https://grafana.mon.example.org");
  const rule = item(valueAt(object("Ingress", "alerta"), "spec", "rules"), 0);
  assert.equal(valueAt(rule, "host"), "alerta.mon.example.org");
});

const certificates = [
  {
    why: "by HTTP challenge from the default issuer",
    cluster: {},
    annotations: {
      "cert-manager.io/cluster-issuer": "letsencrypt-prod",
      "acme.cert-manager.io/http01-ingress-ingressclassname": "tenant-root",
    },
    secrets: ["alerta-tls", "grafana-ingress-tls"],
  },
  {
    why: "by DNS challenge from another issuer",
    cluster: { solver: "dns01", "issuer-name": "own" },
    annotations: { "cert-manager.io/cluster-issuer": "own" },
    secrets: ["alerta-tls", "grafana-ingress-tls"],
  },
  {
    why: "the wildcard's, which the controller has",
    cluster: { "wildcard-secret-name": "wildcard" },
    annotations: {},
    secrets: [undefined, undefined],
  },
] as const;

for (const { why, cluster, annotations, secrets } of certificates) {
  test(`certificates of both pages: ${why}`, () => {
    const { object } = demo({ cluster });
    const alerta = object("Ingress", "alerta");
    const grafana = valueAt(object("Grafana", "grafana"), "spec", "ingress");
    assert.deepEqual(valueAt(alerta, "metadata", "annotations") ?? {}, annotations);
    assert.deepEqual(valueAt(grafana, "metadata", "annotations"), annotations);
    const tls = [valueAt(alerta, "spec", "tls"), valueAt(grafana, "spec", "tls")];
    assert.deepEqual(
      tls.map((list) => valueAt(item(list, 0), "secretName")),
      secrets,
    );
    assert.equal(valueAt(alerta, "spec", "ingressClassName"), "tenant-root");
  });
}

test("with the platform's gateway both pages get a route instead of an ingress", () => {
  const { object } = demo({ cluster: { "gateway-enabled": "true", "expose-ingress": "tenant-edge" } });
  assert.equal(object("Ingress", "alerta"), undefined);
  assert.equal(valueAt(object("Grafana", "grafana"), "spec", "ingress"), undefined);
  for (const [name, service, port] of [
    ["grafana", "grafana-service", 3000],
    ["alerta", "alerta", 80],
  ] as const) {
    const spec = valueAt(object("HTTPRoute", name), "spec");
    assert.deepEqual(valueAt(spec, "parentRefs"), [
      { group: "gateway.networking.k8s.io", kind: "Gateway", name: "cozystack", namespace: "tenant-edge" },
    ]);
    assert.deepEqual(valueAt(item(valueAt(spec, "rules"), 0), "backendRefs"), [{ name: service, port }]);
  }
});

test("images come from the platform's registry where it has one; plugins from inside the cluster", () => {
  const given = { cluster: { "images-registry": "registry.example.org/mirror/" } };
  const container = containerOf(demo(given).object("Grafana", "grafana"), "deployment", "spec");
  assert.match(String(valueAt(container, "image")), /^registry\.example\.org\/mirror\/docker\.io\/grafana\/grafana:/);
  const installed = String(grafanaEnv(given)["GF_INSTALL_PLUGINS"]).split(",");
  assert.equal(installed.length, 4);
  assert.ok(installed.every((plugin) => plugin.startsWith("http://grafana-dashboards.cozy-grafana-operator.svc/")));
});

test("what deletion frees: volumes by their label, databases, and what certificates leave behind", () => {
  const { instance } = demo();
  assert.deepEqual(
    instance.storage.map(({ labels }) => labels),
    [
      { "apps.cozystack.io/application.name": "monitoring-system" },
      { "cnpg.io/cluster": "grafana-db" },
      { "cnpg.io/cluster": "alerta-db" },
    ],
  );
  const secrets = instance.leftovers.find(({ kind }) => kind.kind === "Secret");
  assert.deepEqual(secrets?.names, ["grafana-ingress-tls", "alerta-tls"]);
  const hosts = instance.leftovers.flatMap(({ where }) => (where === undefined ? [] : [where.equals]));
  assert.deepEqual([...new Set(hosts)], ["grafana.foo.example.org", "alerta.foo.example.org"]);
});
