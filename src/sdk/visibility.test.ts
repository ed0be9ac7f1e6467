import assert from "node:assert/strict";
import { test } from "node:test";
import { Ingress, PersistentVolumeClaim, Secret, Service } from "../kube/core-kinds.ts";
import type { KubeObject } from "../kube/object.ts";
import type { Exposure } from "./app.ts";
import { isExposed, TENANT_RESOURCE, visibilityLabels } from "./visibility.ts";

const claim = PersistentVolumeClaim("data", { spec: {} });
const ingress = Ingress("web", { spec: {} });
const service = (name: string, labels = {}) => Service(name, { labels, spec: {} });

const rows: readonly { why: string; exposure: Exposure; object: KubeObject; shown: boolean }[] = [
  { why: "nothing is declared", exposure: {}, object: Secret("a"), shown: false },
  { why: "by name", exposure: { secrets: ["a", "b"] }, object: Secret("b"), shown: true },
  { why: "another name", exposure: { secrets: ["a"] }, object: Secret("ab"), shown: false },
  { why: "the same name of another kind", exposure: { secrets: ["a"] }, object: service("a"), shown: false },
  { why: "a Service by name", exposure: { services: ["a"] }, object: service("a"), shown: true },
  { why: "an Ingress by name", exposure: { ingresses: ["web"] }, object: ingress, shown: true },
  {
    why: "by label",
    exposure: { labelled: { secrets: { user: "true" } } },
    object: Secret("x", { labels: { user: "true", more: "1" } }),
    shown: true,
  },
  {
    why: "the label has another value",
    exposure: { labelled: { secrets: { user: "true" } } },
    object: Secret("x", { labels: { user: "false" } }),
    shown: false,
  },
  {
    why: "one of two labels",
    exposure: { labelled: { services: { a: "1", b: "2" } } },
    object: service("x", { a: "1" }),
    shown: false,
  },
  {
    why: "a selector without labels shows nothing",
    exposure: { labelled: { secrets: {} } },
    object: Secret("x"),
    shown: false,
  },
  { why: "a kind that nothing shows", exposure: { secrets: ["data"] }, object: claim, shown: false },
];
for (const { why, exposure, object, shown } of rows) {
  test(`exposure: ${why}`, () => {
    assert.equal(isExposed(exposure, object), shown);
    assert.deepEqual(visibilityLabels(exposure, object), { [TENANT_RESOURCE]: String(shown) });
  });
}

test("kinds that carry no such label get none", () => {
  assert.deepEqual(visibilityLabels({}, { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a" } }), {});
});
