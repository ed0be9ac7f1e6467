import assert from "node:assert/strict";
import { test } from "node:test";
import { appOfDefinition, definition } from "../../../test/external/definition.ts";
import { Secret } from "../../contracts/core.ts";
import { WorkloadMonitor } from "../../contracts/cozystack-io.ts";
import { HelmRelease } from "../../contracts/helm-toolkit-fluxcd-io.ts";
import type { Kind, KubeObject } from "../../kube/object.ts";
import type { App } from "../app.ts";
import type { Answers } from "../needs.ts";
import { isExposed } from "../visibility.ts";
import { externalRelease } from "./external-app.ts";
import { exposureOf, optionProblems } from "./options.ts";
import { ServedDefinitions } from "./served.ts";
import { filledIn, templateProblem } from "./template.ts";

const parts = { name: "web", kind: "guestbook", namespace: "tenant-a" };
for (const { template, is } of [
  { template: "{{ .name }}", is: "web" },
  { template: "{{.kind}}-{{- .name -}}-{{ .namespace }}", is: "guestbook-web-tenant-a" },
  { template: "plain", is: "plain" },
  { template: "{{ .Name }}", is: undefined },
  { template: "{{ .name | upper }}", is: undefined },
  { template: "{{ if .name }}x{{ end }}", is: undefined },
  { template: "{{ .name", is: undefined },
  { template: ".name }}", is: undefined },
] as const) {
  test(`a name's template ${template}`, () => {
    assert.equal(filledIn(template, parts), is);
    assert.equal(templateProblem(template) === undefined, is !== undefined);
  });
}

const secret = (name: string, labels: Readonly<Record<string, string>> = {}) =>
  Secret(name, { namespace: "tenant-a", labels });
const shown = (secrets: object, object = secret("guestbook-web-credentials", { app: "web" })): boolean =>
  isExposed(exposureOf(definition({ spec: { secrets } }), { name: "web", namespace: "tenant-a" }), object);

for (const { why, secrets, is } of [
  { why: "nothing said", secrets: {}, is: false },
  { why: "an empty selector shows everything", secrets: { include: [{}] }, is: true },
  { why: "a name", secrets: { include: [{ resourceNames: ["guestbook-{{ .name }}-credentials"] }] }, is: true },
  { why: "no name of an empty list", secrets: { include: [{ resourceNames: [] }] }, is: false },
  {
    why: "labels and a name must both fit",
    secrets: { include: [{ matchLabels: { app: "other" }, resourceNames: ["guestbook-web-credentials"] }] },
    is: false,
  },
  {
    why: "one inclusion of several",
    secrets: { include: [{ matchLabels: { app: "x" } }, { matchLabels: { app: "web" } }] },
    is: true,
  },
  { why: "an exclusion goes first", secrets: { include: [{}], exclude: [{ matchLabels: { app: "web" } }] }, is: false },
  {
    why: "In",
    secrets: { include: [{ matchExpressions: [{ key: "app", operator: "In", values: ["web"] }] }] },
    is: true,
  },
  {
    why: "NotIn",
    secrets: { include: [{ matchExpressions: [{ key: "app", operator: "NotIn", values: ["web"] }] }] },
    is: false,
  },
  { why: "Exists", secrets: { include: [{ matchExpressions: [{ key: "app", operator: "Exists" }] }] }, is: true },
  {
    why: "DoesNotExist",
    secrets: { include: [{ matchExpressions: [{ key: "app", operator: "DoesNotExist" }] }] },
    is: false,
  },
  {
    why: "an operator that does not exist shows nothing",
    secrets: { include: [{}, { matchExpressions: [{ key: "app", operator: "Has" }] }] },
    is: false,
  },
  {
    why: "In without values shows nothing at all",
    secrets: { include: [{}, { matchExpressions: [{ key: "app", operator: "In" }] }] },
    is: false,
  },
  {
    why: "an exclusion that cannot be read hides everything",
    secrets: { include: [{}], exclude: [{ resourceNames: ["{{ x }}"] }] },
    is: false,
  },
] as const) {
  test(`what a definition shows: ${why}`, () => assert.equal(shown(secrets), is));
}

test("annotations set times and waiting; wrong ones are told and change nothing", () => {
  const spec = (annotations: Readonly<Record<string, string>>) =>
    externalRelease(definition({ annotations }), "r", {}).spec;
  const key = (name: string) => `release.cozystack.io/helm-${name}`;
  assert.equal(spec({ [key("install-timeout")]: "15m" }).upgrade?.timeout, "15m");
  const both = spec({ [key("install-timeout")]: "15m", [key("upgrade-timeout")]: "1h30m" });
  assert.deepEqual([both.install?.timeout, both.upgrade?.timeout], ["15m", "1h30m"]);
  assert.equal(spec({ [key("install-disable-wait")]: " True " }).install?.disableWait, true);
  const wrong = { [key("install-timeout")]: "15us", [key("install-disable-wait")]: "perhaps" };
  assert.equal(spec(wrong).install?.timeout, "10m");
  assert.deepEqual(
    optionProblems(definition({ annotations: wrong })).map(({ reason }) => reason),
    ["AnnotationInvalid", "AnnotationInvalid"],
  );
});

test("health expressions mean the poller, unless said otherwise; reserved labels and keys stay out", () => {
  const { release: chart } = definition().spec;
  const healthCheckExprs = [{ apiVersion: "v1", kind: "Pod", current: "true" }];
  const waits = (waitStrategy?: "legacy") =>
    externalRelease(
      definition({
        spec: { release: { ...chart, healthCheckExprs, ...(waitStrategy === undefined ? {} : { waitStrategy }) } },
      }),
      "r",
      {},
    ).spec.waitStrategy;
  assert.deepEqual(waits(), { name: "poller" });
  assert.deepEqual(waits("legacy"), { name: "legacy" });
  const labels = {
    "internal.cozystack.io/tenantresource": "true",
    "apps.cozystack.io/application.name": "x",
    "bad key": "x",
    ok: "yes",
  };
  const made = definition({ spec: { release: { ...chart, labels } } });
  assert.deepEqual(externalRelease(made, "r", { _cluster: 1, a: 2 }).metadata.labels, { ok: "yes" });
  assert.deepEqual(externalRelease(made, "r", { _cluster: 1, a: 2 }).spec.values, { a: 2 });
  assert.equal(optionProblems(made).filter(({ reason }) => reason === "LabelInvalid").length, 3);
});

test("version and workloads are what the release and its monitors say", () => {
  const instance = appOfDefinition(definition()).instance(
    { name: "web", namespace: "tenant-a", spec: {} },
    // No context is asked for anything.
    {
      cluster: {},
      namespace: { host: "", etcd: "", ingress: "", gateway: "", monitoring: "", seaweedfs: "", schedulingClass: "" },
      tenant: { namespace: "tenant-a", ancestors: [] },
      chartVersion: "9.9.9",
      apis: new Set(),
    },
  );
  const live = HelmRelease("guestbook-web", { spec: { interval: "5m" }, status: { lastAttemptedRevision: "1.4.0" } });
  const monitor = WorkloadMonitor("web", { spec: { selector: {} }, status: { operational: false } });
  const answers = (release: typeof live | undefined, monitors: readonly (typeof monitor)[]): Answers => {
    function object<T extends KubeObject>(kind: Kind<T>): T | undefined;
    function object(): object | undefined {
      return release;
    }
    function list<T extends KubeObject>(kind: Kind<T>): readonly T[];
    function list(): readonly object[] {
      return monitors;
    }
    return { object, list, generated: () => assert.fail() };
  };
  assert.deepEqual(instance.observed?.(answers(undefined, [])), { monitors: [] });
  assert.deepEqual(instance.observed?.(answers(live, [monitor])), { version: "1.4.0", monitors: [false] });
});

const at = (name: string, time: string, given: Parameters<typeof definition>[0]) => {
  const made = definition(given);
  return { ...made, metadata: { ...made.metadata, name, uid: name, creationTimestamp: time } };
};

test("of two that want the same, the older is served, in whatever order they are met; nothing flips when one is edited", () => {
  const builtin: readonly App[] = [appOfDefinition(definition({ kind: "Own" }))];
  const older = at("older", "2026-01-01T00:00:00Z", { kind: "Same" });
  const younger = at("younger", "2026-01-02T00:00:00Z", { kind: "Same", prefix: "x-" });
  const prefixed = at("prefixed", "2026-01-03T00:00:00Z", { kind: "Prefixed", prefix: "same-" });
  const own = at("own", "2025-01-01T00:00:00Z", { kind: "OWN", prefix: "y-" });
  for (const all of [
    [older, younger, prefixed, own],
    [own, prefixed, younger, older],
  ]) {
    const verdicts = new ServedDefinitions(builtin).judge(all);
    const reasons = ["older", "younger", "prefixed", "own"].map((name) => verdicts.get(name)?.problems[0]?.reason);
    assert.deepEqual(reasons, [undefined, "KindTaken", "PrefixTaken", "KindTaken"]);
  }
});

test("an application is the same value until its definition says something else", () => {
  const served = new ServedDefinitions([]);
  const made = at("a", "2026-01-01T00:00:00Z", {});
  const judge = (object: typeof made) => served.judge([object]).get("a")?.app;
  const app = judge(made);
  assert.equal(
    judge({ ...made, status: { observedGeneration: 2 }, metadata: { ...made.metadata, resourceVersion: "9" } }),
    app,
  );
  const annotations = { "release.cozystack.io/helm-upgrade-timeout": "1h" };
  assert.notEqual(judge({ ...made, metadata: { ...made.metadata, annotations } }), app);
});

test("modules share the empty prefix, other applications do not", () => {
  const module = (kind: string, time: string) => at(kind, time, { kind, prefix: "", module: true });
  const plain = at("plain", "2026-01-03T00:00:00Z", { kind: "Plain", prefix: "" });
  const verdicts = new ServedDefinitions([]).judge([
    module("One", "2026-01-01T00:00:00Z"),
    module("Two", "2026-01-02T00:00:00Z"),
    plain,
  ]);
  assert.deepEqual(
    ["One", "Two", "plain"].map((name) => verdicts.get(name)?.problems[0]?.reason),
    [undefined, undefined, "PrefixTaken"],
  );
});

test("a schema that cannot be used leaves what runs as it is: releases are rendered still", () => {
  const verdict = new ServedDefinitions([]).judge([at("a", "2026-01-01T00:00:00Z", { schema: "{" })]).get("a");
  assert.equal(verdict?.schemaProblem?.reason, "SchemaInvalid");
  assert.equal(verdict?.app?.kind, "Guestbook");
});
