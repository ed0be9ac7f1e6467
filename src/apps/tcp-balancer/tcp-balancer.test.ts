import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { Deployment } from "../../contracts/apps.ts";
import { valueAt } from "../../kube/json.ts";
import type { KubeObject } from "../../kube/object.ts";
import { Refusal } from "../../sdk/errors.ts";
import { tcpBalancer } from "./index.ts";

const demo = (given: RenderGiven = {}) => renderApp(tcpBalancer, given);
const name = "tcp-balancer-demo-haproxy";
const deployment = (given: RenderGiven = {}) => valueAt(demo(given).object("Deployment", name), "spec");
const service = (given: RenderGiven = {}) => valueAt(demo(given).object("Service", name), "spec");

/** The configuration's sections: their lines by what they begin with. */
function config(spec: object): ReadonlyMap<string, readonly string[]> {
  const text = String(valueAt(demo({ spec }).object("ConfigMap", name), "data", "haproxy.cfg"));
  const sections = text.split(/\n\n/).map((part) => part.trimEnd().split("\n"));
  return new Map(sections.map(([head = "", ...lines]) => [head, lines.map((line) => line.trim())]));
}

const container = (given: RenderGiven) => {
  const all = valueAt(deployment(given), "template", "spec", "containers");
  assert.ok(Array.isArray(all));
  return all[0];
};

test("the default is two pods of HAProxy behind a Service of the cluster", () => {
  assert.deepEqual(
    demo().objects.map((object) => `${object.kind}/${object.metadata.name}`),
    [`ConfigMap/${name}`, `Deployment/${name}`, `Service/${name}`, "WorkloadMonitor/tcp-balancer-demo"],
  );
  assert.equal(valueAt(deployment(), "replicas"), 2);
  assert.equal(valueAt(service(), "type"), "ClusterIP");
  assert.deepEqual(valueAt(demo().object("WorkloadMonitor", "tcp-balancer-demo"), "spec"), {
    kind: "tcp-balancer",
    type: "haproxy",
    version: "0.0.0",
    replicas: 2,
    minReplicas: 1,
    selector: { "app.kubernetes.io/instance": "tcp-balancer-demo" },
  });
});

test("nothing of it is shown to tenants", () => {
  const labels = valueAt(demo().object("Service", name), "metadata", "labels");
  assert.equal(valueAt(labels, "internal.cozystack.io/tenantresource"), "false");
});

test("connections that wait, tunnels and checks have their time", () => {
  assert.deepEqual(config({}).get("defaults"), [
    "mode tcp",
    "option dontlognull",
    "timeout http-request 10s",
    "timeout queue 20s",
    "timeout connect 5s",
    "timeout client 5m",
    "timeout server 5m",
    "timeout tunnel 5m",
    "timeout http-keep-alive 10s",
    "timeout check 10s",
  ]);
});

test("each port is a frontend and a backend of all endpoints", () => {
  const sections = config({ httpAndHttps: { endpoints: ["10.0.0.1", "node.example.org", "2001:db8::1"] } });
  assert.deepEqual(
    [...sections.keys()],
    ["defaults", "frontend http", "backend http", "frontend https", "backend https"],
  );
  assert.deepEqual(sections.get("frontend https"), [
    "bind :::8443 v4v6",
    "mode tcp",
    "default_backend https",
    "tcp-request content set-dst-port int(443)",
  ]);
  assert.deepEqual(sections.get("backend http"), [
    "mode tcp",
    "balance leastconn",
    "default-server observe layer4 error-limit 10 on-error mark-down check",
    "server srv0 10.0.0.1:80 check",
    "server srv1 node.example.org:80 check",
    "server srv2 [2001:db8::1]:80 check",
  ]);
});

test("endpoints have ports of their own, and learn of clients by the PROXY protocol", () => {
  const httpAndHttps = { mode: "tcp-with-proxy", targetPorts: { http: 8080, https: 8443 }, endpoints: ["a"] };
  const sections = config({ httpAndHttps });
  assert.deepEqual(sections.get("backend https")?.slice(2), [
    "default-server observe layer4 error-limit 10 on-error mark-down check send-proxy-v2",
    "server srv0 a:8443 check",
  ]);
});

for (const [off, on] of [
  ["http", "https"],
  ["https", "http"],
] as const) {
  test(`without a target ${off} is not forwarded; the Service's port stays`, () => {
    const spec = { httpAndHttps: { targetPorts: { [off]: 0 } } };
    assert.deepEqual([...config(spec).keys()], ["defaults", `frontend ${on}`, `backend ${on}`]);
    assert.deepEqual(service({ spec }), service());
  });
}

const whitelists = [
  { why: "is not asked for", spec: { whitelist: ["10.0.0.1"] }, rules: [] },
  {
    why: "lets those in that it lists",
    spec: { whitelistHTTP: true, whitelist: ["1.2.3.4", "10.0.0.0/8", "2001:db8::/32"] },
    rules: [
      "acl whitelist src 1.2.3.4 10.0.0.0/8 2001:db8::/32",
      "tcp-request content accept if whitelist",
      "tcp-request content reject",
    ],
  },
  { why: "lets nobody in while it is empty", spec: { whitelistHTTP: true }, rules: ["tcp-request content reject"] },
] as const;

for (const { why, spec, rules } of whitelists) {
  test(`the whitelist ${why}`, () => {
    // After the port is set: rules end for those who are let in.
    assert.deepEqual(config(spec).get("frontend http")?.slice(3), [
      "tcp-request content set-dst-port int(80)",
      ...rules,
    ]);
  });
}

test("a long whitelist has lines that HAProxy takes", () => {
  const whitelist = Array.from({ length: 200 }, (_, at) => `10.0.0.${at}`);
  const acls = config({ whitelistHTTP: true, whitelist })
    .get("frontend http")
    ?.filter((line) => line.startsWith("acl"));
  assert.ok(acls?.every((line) => line.split(" ").length <= 64));
  assert.deepEqual(
    acls?.flatMap((line) => line.split(" ").slice(3)),
    whitelist,
  );
});

test("a control plane has ports of its own, behind the whitelist whatever is asked for the others", () => {
  const kubernetesAndTalos = { mode: "tcp-with-proxy", endpoints: ["10.0.0.1"] };
  const spec = { kubernetesAndTalos, whitelist: ["1.2.3.4"] };
  const sections = config(spec);
  assert.deepEqual(sections.get("frontend kubernetes"), [
    "bind :::6443 v4v6",
    "mode tcp",
    "default_backend kubernetes",
    "acl whitelist src 1.2.3.4",
    "tcp-request content accept if whitelist",
    "tcp-request content reject",
  ]);
  assert.deepEqual(sections.get("backend talos"), [
    "mode tcp",
    "balance leastconn",
    "default-server observe layer4 error-limit 10 on-error mark-down check send-proxy-v2",
    "server srv0 10.0.0.1:50000 check",
  ]);
  assert.deepEqual(valueAt(container({ spec }), "ports"), [
    { name: "http", containerPort: 8080 },
    { name: "https", containerPort: 8443 },
    { name: "kubernetes", containerPort: 6443 },
    { name: "talos", containerPort: 50000 },
  ]);
});

for (const kubernetesAndTalos of [undefined, {}]) {
  test(`no control plane with ${JSON.stringify(kubernetesAndTalos)}; the Service's ports are there`, () => {
    const spec = kubernetesAndTalos === undefined ? {} : { kubernetesAndTalos };
    assert.equal(config(spec).size, 5);
    assert.deepEqual(valueAt(container({ spec }), "ports"), [
      { name: "http", containerPort: 8080 },
      { name: "https", containerPort: 8443 },
    ]);
    const ports = valueAt(service({ spec }), "ports");
    assert.ok(Array.isArray(ports));
    assert.deepEqual(
      ports.map((port) => [valueAt(port, "name"), valueAt(port, "port"), valueAt(port, "targetPort")]),
      [
        ["http", 80, "http"],
        ["https", 443, "https"],
        ["kubernetes", 6443, "kubernetes"],
        ["talos", 50000, "talos"],
      ],
    );
  });
}

test("a control plane without a mode is plain TCP", () => {
  const line = "default-server observe layer4 error-limit 10 on-error mark-down check";
  for (const mode of [{}, { mode: "" }, { mode: "tcp" }]) {
    const sections = config({ kubernetesAndTalos: { endpoints: ["a"], ...mode } });
    assert.equal(sections.get("backend kubernetes")?.[2], line);
  }
});

for (const [bundles, nodePorts] of [
  ["", false],
  ["metallb,robotlb", undefined],
  ["robotlbx", false],
] as const) {
  test(`from outside, with bundles ${bundles || "of none"}`, () => {
    const external = service({ spec: { external: true }, cluster: { "bundle-enable": bundles } });
    assert.equal(valueAt(external, "type"), "LoadBalancer");
    assert.equal(valueAt(external, "externalTrafficPolicy"), "Local");
    assert.equal(valueAt(external, "allocateLoadBalancerNodePorts"), nodePorts);
  });
}

test("sizes are the preset's and those given over it", () => {
  const spec = { resourcesPreset: "s1.small", resources: { cpu: "2" }, replicas: 5 };
  const cluster = { "cpu-allocation-ratio": "4" };
  assert.deepEqual(valueAt(container({ spec, cluster }), "resources"), {
    limits: { cpu: "2", memory: "2Gi", "ephemeral-storage": "2Gi" },
    requests: { cpu: "0.5", memory: "2147483648", "ephemeral-storage": "53687091" },
  });
  const monitor = demo({ spec }).object("WorkloadMonitor", "tcp-balancer-demo");
  assert.equal(valueAt(monitor, "metadata", "labels", "workloads.cozystack.io/resource-preset"), "s1.small");
  assert.equal(valueAt(monitor, "spec", "replicas"), 5);
});

test("pods restart for another configuration, and for nothing else", () => {
  const sum = (spec: object) => valueAt(deployment({ spec }), "template", "metadata", "annotations", "checksum/config");
  assert.match(String(sum({})), /^[0-9a-f]{64}$/);
  assert.equal(sum({ replicas: 3, external: true, whitelist: ["1.2.3.4"] }), sum({}));
  assert.notEqual(sum({ httpAndHttps: { endpoints: ["a"] } }), sum({}));
});

test("a running Deployment that is taken over does not restart", () => {
  const annotations = { "checksum/config": "f".repeat(64) };
  const running = Deployment(name, {
    spec: { selector: {}, template: { metadata: { annotations }, spec: { containers: [] } } },
  });
  const template = (existing: readonly KubeObject[], spec = {}) =>
    valueAt(demo({ spec, existing }).object("Deployment", name), "spec", "template", "metadata", "annotations");
  assert.deepEqual(template([running]), annotations);
  const ours = demo({ existing: [running] }).objects.map((object) => ({
    ...object,
    metadata: {
      ...object.metadata,
      annotations: { "internal.cozystack.io/owner": "x", ...object.metadata.annotations },
    },
  }));
  assert.deepEqual(template(ours), annotations, "nor later");
  assert.notDeepEqual(template(ours, { whitelistHTTP: true }), annotations);
});

const text = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.domain());

test("property: whatever endpoints and whitelist say, it is refused, or is a word of its line", () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 3 }), fc.array(text, { maxLength: 3 }), (endpoints, whitelist) => {
      const spec = { httpAndHttps: { endpoints }, kubernetesAndTalos: { endpoints }, whitelistHTTP: true, whitelist };
      let sections: ReturnType<typeof config>;
      try {
        sections = config(spec);
      } catch (error) {
        assert.ok(error instanceof Refusal);
        return;
      }
      assert.equal(sections.size, 9);
      for (const backend of ["http", "https", "kubernetes", "talos"]) {
        const lines = sections.get(`backend ${backend}`) ?? [];
        assert.equal(lines.length, 3 + endpoints.length);
        for (const line of lines.slice(3)) assert.match(line, /^server srv\d [^\s"'\\#$]+:\d+ check$/);
        const rules = sections.get(`frontend ${backend}`) ?? [];
        assert.equal(
          rules
            .filter((line) => line.startsWith("acl"))
            .join(" ")
            .split(" ").length,
          whitelist.length === 0 ? 1 : 3 + whitelist.length,
        );
      }
    }),
    { numRuns: 300 },
  );
});
