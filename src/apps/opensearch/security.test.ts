import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Secret } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import { opensearch } from "./index.ts";

const demo = (given: RenderGiven = {}, seed = "") => renderApp(opensearch, given, seed);
const secret = (given: RenderGiven, name: string, seed = "") =>
  valueAt(demo(given, seed).object("Secret", `opensearch-demo-${name}`), "stringData");

const base64 = (text: string) => Buffer.from(text).toString("base64");

test("the administrator's password is made once, and told with addresses", () => {
  const password = valueAt(secret({}, "admin-credentials"), "password");
  assert.match(String(password), /^[A-Za-z0-9]{32}$/);
  assert.deepEqual(secret({}, "credentials"), {
    username: "admin",
    password,
    host: "opensearch-demo.tenant-foo.svc.cozy.local",
    port: "9200",
    uri: `https://admin:${password}@opensearch-demo.tenant-foo.svc.cozy.local:9200`,
  });
  const kept = Secret("opensearch-demo-admin-credentials", { data: { password: base64("keep me+/&") } });
  const given = { existing: [kept], spec: { dashboards: { enabled: true } }, cluster: { "cluster-domain": "a.b" } };
  assert.deepEqual(secret(given, "credentials"), {
    username: "admin",
    password: "keep me+/&",
    host: "opensearch-demo.tenant-foo.svc.a.b",
    port: "9200",
    uri: "https://admin:keep+me%2B%2F%26@opensearch-demo.tenant-foo.svc.a.b:9200",
    "dashboards-host": "opensearch-demo-dashboards.tenant-foo.svc.a.b",
    "dashboards-port": "5601",
    "dashboards-uri": "https://admin:keep+me%2B%2F%26@opensearch-demo-dashboards.tenant-foo.svc.a.b:5601",
  });
});

const text = (value: unknown) => (typeof value === "string" ? value : assert.fail("no text"));

test("the servers' files are such, and know the administrator by a hash alone", () => {
  const files = secret({}, "security-config");
  const file = (name: string) => parse(text(valueAt(files, name)));
  const types = ["config", "internalusers", "roles", "rolesmapping", "actiongroups", "tenants"];
  const found = ["config", "internal_users", "roles", "roles_mapping", "action_groups", "tenants"];
  assert.deepEqual(
    found.map((name) => file(`${name}.yml`)._meta),
    types.map((type) => ({ type, config_version: 2 })),
  );
  assert.deepEqual(file("roles_mapping.yml").all_access, { reserved: false, backend_roles: ["admin"] });
  const { hash, ...account } = file("internal_users.yml").admin;
  assert.match(hash, /^\$2a\$10\$[./A-Za-z0-9]{53}$/);
  assert.deepEqual(account, { reserved: true, backend_roles: ["admin"], description: "Admin user" });
  const domain = file("config.yml").config.dynamic.authc.basic_internal_auth_domain;
  assert.deepEqual(domain.http_authenticator, { type: "basic", challenge: true });
  assert.deepEqual(secret({}, "security-config"), files, "the same hash every time");
  assert.notDeepEqual(secret({}, "security-config", "another password"), files);
});

test("files that exist stay as they are, also where some are missing; others are made anew", () => {
  const existing = (data: object) => [Secret("opensearch-demo-security-config", { data: { ...data } })];
  const of = (data: object) => demo({ existing: existing(data) }).object("Secret", "opensearch-demo-security-config");
  const data = { "internal_users.yml": base64("admin: {hash: x}"), "config.yml": base64("a: b") };
  assert.deepEqual(valueAt(of(data), "data"), data);
  assert.equal(valueAt(of(data), "stringData"), undefined);
  assert.equal(demo().manifest("Secret", "opensearch-demo-security-config")?.policy, "createOnly");
  assert.equal(Object.keys(Object(valueAt(of({ "config.yml": "" }), "stringData"))).length, 6);
});

test("a rotation of secrets leaves the administrator alone: the servers would not know the new password", () => {
  const need = demo().instance.needs.find((one) => one.type === "generated");
  assert.deepEqual(need?.type === "generated" && [need.name, need.rotate], ["opensearch-demo-admin-credentials", []]);
});

test("users have a Secret each, with what they may", () => {
  const users = { amy: {}, bob: { password: "given", roles: ["all_access", "kibana_user"] }, zoe: { roles: [] } };
  const live = Secret("opensearch-demo-user-amy", { data: { password: base64("kept") } });
  const rendered = demo({ spec: { users }, existing: [live] });
  const of = (name: string) => rendered.object("Secret", `opensearch-demo-user-${name}`);
  const amy = of("amy");
  assert.equal(valueAt(amy, "type"), "kubernetes.io/basic-auth");
  assert.equal(valueAt(amy, "metadata", "labels", "opensearch.opster.io/credentials"), "true");
  assert.deepEqual(valueAt(amy, "stringData"), { username: "amy", password: "kept", roles: "readall" });
  assert.partialDeepStrictEqual(of("bob"), { stringData: { password: "given", roles: "all_access,kibana_user" } });
  assert.partialDeepStrictEqual(of("zoe"), { stringData: { roles: "readall" } });
  assert.match(String(valueAt(of("zoe"), "stringData", "password")), /^[A-Za-z0-9]{16}$/);
});
