import assert from "node:assert/strict";
import { test } from "node:test";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { gateway, inheriting, namespace } from "./fixture.ts";
import type { TenantGatewayObject } from "./names.ts";
import { attachment, detachment, labelledFor } from "./namespaces.ts";

test("a namespace that several gateways name is labelled for one: tenant-root's, else the oldest", () => {
  const shared = { attachedNamespaces: ["cozy-system"] };
  const old = gateway(shared, "tenant-b", { creationTimestamp: "2026-01-01T00:00:00Z" });
  const young = gateway(shared, "tenant-a", { creationTimestamp: "2026-02-01T00:00:00Z" });
  const root = gateway(shared, "tenant-root", { creationTimestamp: "2026-03-01T00:00:00Z" });
  const all = ["cozy-system", "tenant-a", "tenant-b", "tenant-root"].map((name) => namespace(name));
  const holder = (gateways: readonly TenantGatewayObject[]) =>
    gateways
      .filter((one) => labelledFor(one, gateways, all).includes("cozy-system"))
      .map((one) => one.metadata.namespace);
  assert.deepEqual(holder([young, old]), ["tenant-b"]);
  assert.deepEqual(holder([young, old, root]), ["tenant-root"]);
  assert.deepEqual(labelledFor(young, [young], []), [], "namespaces that are missing are skipped");
});

const ATTACHED = { "cozystack.io/gateway-attached-by": "tenant-foo" };
const attachments = [
  { why: "an unlabelled one", of: namespace("cozy-x"), written: true },
  { why: "one that has both", of: namespace("cozy-x", inheriting, ATTACHED), written: false },
  { why: "its own, which the Tenant labelled", of: namespace("tenant-foo", inheriting), written: true },
  {
    why: "one whose Tenant says otherwise",
    of: namespace("tenant-x", { "namespace.cozystack.io/gateway": "tenant-root" }),
    written: false,
  },
  {
    why: "one whose Tenant says none",
    of: namespace("tenant-x", { "namespace.cozystack.io/gateway": "" }),
    written: false,
  },
  {
    why: "one that it is to have from another gateway",
    of: namespace(
      "cozy-x",
      { "namespace.cozystack.io/gateway": "tenant-old" },
      { "cozystack.io/gateway-attached-by": "tenant-old" },
    ),
    written: true,
  },
] as const;

for (const { why, of, written } of attachments) {
  test(`a namespace's label: ${why} is ${written ? "written" : "left alone"}`, () => {
    assert.equal(attachment(of, "tenant-foo") !== undefined, written);
  });
}

test("what was written to a namespace is taken back, but not what its Tenant keeps", () => {
  const labels = (of: KubeObject) => valueAt(detachment(of, "tenant-foo"), "metadata", "labels");
  assert.deepEqual(labels(namespace("cozy-x", inheriting, ATTACHED)), { "namespace.cozystack.io/gateway": null });
  assert.equal(labels(namespace("tenant-foo", inheriting, ATTACHED)), undefined);
  assert.equal(labels(namespace("cozy-x", { "namespace.cozystack.io/gateway": "other" }, ATTACHED)), undefined);
});
