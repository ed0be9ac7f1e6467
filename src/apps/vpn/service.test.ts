import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Secret } from "../../contracts/core.ts";
import { valueAt } from "../../kube/json.ts";
import { vpn } from "./index.ts";

const text = (value: string) => Buffer.from(value).toString("base64");
const pair = Secret("vpn-demo-vpn-tls", {
  data: { "ca.crt": text("CA"), "tls.crt": text("CRT"), "tls.key": text("KEY") },
});
/** With a certificate that is there already: making one takes its time. */
const demo = (given: RenderGiven = {}) => renderApp(vpn, { ...given, existing: [pair] });
const service = (given: RenderGiven = {}) => valueAt(demo(given).object("Service", "vpn-demo-vpn"), "spec");
const template = (given: RenderGiven = {}) =>
  valueAt(demo(given).object("Deployment", "vpn-demo-vpn"), "spec", "template");

const reached = [
  { why: "a load balancer, at any node", spec: {}, type: "LoadBalancer", policy: "Cluster", externalIPs: undefined },
  {
    why: "a load balancer, at nodes with a server",
    spec: { external: true },
    type: "LoadBalancer",
    policy: "Local",
    externalIPs: undefined,
  },
  {
    why: "addresses of nodes",
    spec: { external: true, externalIPs: ["192.0.2.1"] },
    type: "ClusterIP",
    policy: "Cluster",
    externalIPs: ["192.0.2.1"],
  },
] as const;

for (const { why, spec, type, policy, externalIPs } of reached) {
  test(`reached by ${why}`, () => {
    const found = service({ spec });
    assert.equal(valueAt(found, "type"), type);
    assert.equal(valueAt(found, "externalTrafficPolicy"), policy);
    assert.deepEqual(valueAt(found, "externalIPs"), externalIPs);
    assert.equal(valueAt(found, "allocateLoadBalancerNodePorts"), undefined, "whatever the bundles");
    assert.deepEqual(valueAt(found, "ports"), [
      { name: "accessport-tcp", port: 40000, targetPort: 40000, protocol: "TCP" },
      { name: "accessport-udp", port: 40000, targetPort: 40000, protocol: "UDP" },
    ]);
  });
}

test("tenants see the URLs and the Service, and not what the server reads", () => {
  const rendered = demo({ spec: { users: { a: {} } } });
  assert.deepEqual(valueAt(rendered.object("Role", "vpn-demo-dashboard-resources"), "rules"), [
    { apiGroups: [""], resources: ["secrets"], resourceNames: ["vpn-demo-urls"], verbs: ["get", "list", "watch"] },
    { apiGroups: [""], resources: ["services"], resourceNames: ["vpn-demo-vpn"], verbs: ["get", "list", "watch"] },
  ]);
  const shown = (kind: string, name: string) =>
    valueAt(rendered.object(kind, name), "metadata", "labels", "internal.cozystack.io/tenantresource");
  assert.deepEqual(
    [shown("Secret", "vpn-demo-urls"), shown("Service", "vpn-demo-vpn"), shown("Secret", "vpn-demo-vpn")],
    ["true", "true", "false"],
  );
});

test("sizes are the preset's and those given over it", () => {
  const spec = { replicas: 3, resourcesPreset: "s1.small", resources: { memory: "3Gi" } };
  const containers = valueAt(template({ spec }), "spec", "containers");
  assert.deepEqual(valueAt(Array.isArray(containers) ? containers[0] : undefined, "resources", "limits"), {
    cpu: "1",
    memory: "3Gi",
    "ephemeral-storage": "2Gi",
  });
  const monitor = demo({ spec }).object("WorkloadMonitor", "vpn-demo");
  assert.equal(valueAt(monitor, "metadata", "labels", "workloads.cozystack.io/resource-preset"), "s1.small");
  assert.deepEqual(valueAt(monitor, "spec"), {
    kind: "vpn",
    type: "vpn",
    version: "0.0.0",
    replicas: 3,
    minReplicas: 1,
    selector: { "app.kubernetes.io/instance": "vpn-demo" },
  });
});
