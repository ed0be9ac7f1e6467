import assert from "node:assert/strict";
import { test } from "node:test";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { computePlane } from "./index.ts";

const plane = (given: RenderGiven = {}) => renderApp(computePlane, { name: "computeplane", ...given });
const release = (nodeGroups?: object) =>
  valueAt(
    plane(nodeGroups === undefined ? {} : { spec: { nodeGroups } }).object("HelmRelease", "computeplane-cluster"),
    "spec",
  );
const groups = (nodeGroups?: object) => valueAt(release(nodeGroups), "values", "nodeGroups");

const md0 = { minReplicas: 1, maxReplicas: 5, instanceType: "u1.large", diskSize: "30Gi", roles: ["ingress-nginx"] };

test("it is the release of a cluster, and nothing else", () => {
  const { objects } = plane();
  assert.deepEqual(
    objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`),
    ["HelmRelease/computeplane-cluster"],
  );
  const labels = objects[0]?.metadata.labels ?? {};
  assert.equal(labels["internal.cozystack.io/computeplane"], "true");
  assert.equal(labels["sharding.fluxcd.io/key"], "tenants");
  assert.deepEqual(release(), {
    chartRef: {
      kind: "ExternalArtifact",
      name: "cozystack-computeplane-application-kubevirt-kubernetes",
      namespace: "cozy-system",
    },
    interval: "5m",
    timeout: "30m",
    install: { disableWait: true, remediation: { retries: -1 } },
    upgrade: { disableWait: true, remediation: { retries: -1 } },
    valuesFrom: [{ kind: "Secret", name: "cozystack-values" }],
    values: { addons: { certManager: { enabled: true }, ingressNginx: { enabled: true, exposeMethod: "Proxied" } } },
  });
});

test("a kubeconfig is shown to nobody", () => {
  assert.deepEqual(plane().instance.exposure, {});
  assert.deepEqual(plane().instance.storage, []);
});

for (const given of [undefined, {}]) {
  test(`without groups the chart has its own: ${JSON.stringify(given)}`, () => assert.equal(groups(given), undefined));
}

test("groups go to the chart as they are written, what this program does not know included", () => {
  const given = {
    md0: {
      ...md0,
      resources: {},
      gpus: [],
      kubelet: { podPidsLimit: 1 },
      storageClass: "",
      maxUnhealthy: 1,
      deep: { x: [null, "a"] },
    },
    work: { ...md0, roles: [], instanceType: "", gpus: [{ name: "nvidia.com/A10", count: 2 }] },
  };
  assert.deepEqual(groups(given), given);
});

test("a group has what it leaves out by default", () => {
  assert.deepEqual(groups({ md0: { roles: ["ingress-nginx"] } }), {
    md0: { minReplicas: 0, maxReplicas: 10, instanceType: "u1.medium", diskSize: "20Gi", roles: ["ingress-nginx"] },
  });
});

test("one group of several that takes in requests is enough", () => {
  const other = { ...md0, roles: ["x"] };
  assert.doesNotThrow(() =>
    release({ a: other, b: { ...md0, roles: ["x", "ingress-nginx"] }, c: { ...md0, maxReplicas: 0 } }),
  );
});

const refused = [
  { why: "another name", given: { name: "other" }, field: "metadata.name", says: /computeplane/ },
  {
    why: "groups of which none takes in requests",
    given: { spec: { nodeGroups: { a: { ...md0, roles: ["x"] } } } },
    field: "spec.nodeGroups",
    says: /ingress-nginx/,
  },
  {
    why: "groups without any role",
    given: { spec: { nodeGroups: { a: { ...md0, roles: undefined } } } },
    field: "spec.nodeGroups",
    says: /ingress-nginx/,
  },
  {
    why: "a group for requests that has no nodes",
    given: { spec: { nodeGroups: { a: { ...md0, maxReplicas: 0 } } } },
    field: "spec.nodeGroups",
    says: /maxReplicas/,
  },
  {
    why: "a group whose name no object can have",
    given: { spec: { nodeGroups: { "A b": md0 } } },
    field: "spec.nodeGroups",
    says: /A b/,
  },
  {
    why: "a disk that is none",
    given: { spec: { nodeGroups: { a: { ...md0, diskSize: "much" } } } },
    field: "spec.nodeGroups.a.diskSize",
    says: /quantity/,
  },
  {
    why: "a graphics processor without a name",
    given: { spec: { nodeGroups: { a: { ...md0, gpus: [{}] } } } },
    field: "spec.nodeGroups.a.gpus[0]",
    says: /name/,
  },
] as const;

for (const { why, given, field, says } of refused) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => plane(given),
      (error) => error instanceof Refusal && error.field === field && says.test(error.message),
    );
  });
}
