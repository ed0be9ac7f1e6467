import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "yaml";
import { controlPlane, instanceTypes } from "../../../test/support/machines.ts";
import { type RenderGiven, renderApp } from "../../../test/support/render.ts";
import { KamajiControlPlane } from "../../contracts/controlplane-cluster-x-k8s-io.ts";
import { Secret } from "../../contracts/core.ts";
import { isRecord, valueAt } from "../../kube/json.ts";
import { Refusal } from "../../sdk/errors.ts";
import { kubernetes } from "./index.ts";

const demo = ({ existing = [], ...given }: RenderGiven = {}) =>
  renderApp(kubernetes, {
    cluster: { "oidc-enabled": "true", "root-host": "example.org" },
    ...given,
    existing: [...instanceTypes, ...existing],
  });

const group = { minReplicas: 0, maxReplicas: 10, instanceType: "u1.medium", diskSize: "20Gi" };
const groups = (more: object, name = "md0") => ({ nodeGroups: { [name]: { ...group, ...more } } });
const apiServer = (given: object) => ({ controlPlane: { apiServer: given } });
const volume = { name: "v", secret: { secretName: "s" } };
const users = (...emails: readonly string[]) => ({
  mode: "System",
  users: emails.map((email) => ({ email, role: "view" })),
});

const refusals = [
  { why: "a role that no label can have", spec: groups({ roles: [" "] }), field: /^spec\.nodeGroups\.md0\.roles/ },
  { why: "a group whose name is none", spec: groups({}, "Md_0"), field: /^spec\.nodeGroups$/ },
  { why: "a group with the former name of its disk", spec: groups({ ephemeralStorage: "1Gi" }), field: /ephemeral/ },
  { why: "names of images in more than one line", spec: { talos: { version: "v1\nx" } }, field: /talos\.version/ },
  { why: "a host that is no name", spec: { host: "a b" }, field: /^spec\.host$/ },
  { why: "a part of a core in a group", spec: groups({ resources: { cpu: 1.5 } }), field: /resources\.cpu/ },
  { why: "a volume without a name", spec: apiServer({ extraVolumes: [{ secret: {} }] }), field: /extraVolumes\[0\]/ },
  {
    why: "a volume with two sources",
    spec: apiServer({ extraVolumes: [{ ...volume, configMap: {} }] }),
    field: /Volumes/,
  },
  { why: "a volume that is empty", spec: apiServer({ extraVolumes: [{ name: "v", emptyDir: {} }] }), field: /Volumes/ },
  {
    why: "a volume of the signer's name",
    spec: apiServer({ extraVolumes: [{ ...volume, name: "talos-tls-cert" }] }),
    field: /Volumes/,
  },
  { why: "two volumes of one name", spec: apiServer({ extraVolumes: [volume, volume] }), field: /extraVolumes$/ },
  {
    why: "a mount of nothing",
    spec: apiServer({ extraVolumeMounts: [{ name: "v" }] }),
    field: /extraVolumeMounts\[0\]/,
  },
  { why: "a user that is listed twice", spec: { oidc: users("a", "a") }, field: /oidc\.users/ },
  { why: "a user without an address", spec: { oidc: users("") }, field: /oidc\.users/ },
  {
    why: "an authentication configuration beside that of oidc",
    spec: { oidc: users(), ...apiServer({ extraArgs: ["--authentication-config=/x"] }) },
    field: /extraArgs/,
  },
  {
    why: "a volume of the name of oidc's",
    spec: { oidc: users(), ...apiServer({ extraVolumes: [{ ...volume, name: "authentication-config" }] }) },
    field: /extraVolumes/,
  },
  {
    why: "the Gateway API by an override alone",
    spec: {
      addons: {
        ingressNginx: { enabled: true },
        ouroboros: { enabled: true, valuesOverride: { ouroboros: { controller: { gatewayApi: { enabled: 1 } } } } },
      },
    },
    field: /addons\.ouroboros/,
  },
  { why: "the platform's OIDC where it is off", spec: { oidc: { mode: "System" } }, cluster: {}, field: /oidc\.mode/ },
] as const;

test("refuses a role that no label can have, and a group whose name is none", () => {
  assert.throws(() => demo({ spec: groups({ roles: ["a b"] }) }), Refusal);
  assert.throws(() => demo({ spec: groups({}, "a.b") }), Refusal);
});

for (const { why, field, ...given } of refusals) {
  test(`refuses ${why}`, () => {
    assert.throws(
      () => demo(given),
      (error) => error instanceof Refusal && field.test(error.field),
    );
  });
}

test("a group has what it leaves out by default: the digest is the same", () => {
  const names = (spec: object) =>
    demo({ spec })
      .objects.filter(({ kind }) => kind === "KubevirtMachineTemplate")
      .map(({ metadata }) => metadata.name);
  assert.deepEqual(names({ nodeGroups: { md1: {} } }), ["kubernetes-demo-md1-52bc7a"]);
  assert.deepEqual(names(groups({}, "md1")), ["kubernetes-demo-md1-52bc7a"]);
  assert.deepEqual(names({}), ["kubernetes-demo-md0-9c9eaa"], "the implicit one");
  assert.deepEqual(names({ nodeGroups: { md1: {} } }).length, 1, "which given ones never mix with");
});

const kcp = "kubernetes-demo";

test("the control plane's certificate is for its address, once it has one", () => {
  const names = (rendered: ReturnType<typeof demo>) =>
    valueAt(rendered.object("KamajiControlPlane", kcp), "spec", "network", "certSANs");
  const dns = ["kubernetes-demo.tenant-foo.svc", "kubernetes-demo.tenant-foo.svc.cluster.local"];
  assert.deepEqual(names(demo()), dns);
  assert.deepEqual(names(demo({ existing: controlPlane })), [...dns, "10.96.77.7"]);
});

test("refuses to go on without the store that the control plane has its objects in", () => {
  const live = KamajiControlPlane(kcp, { spec: { version: "v1.35.6" } });
  const values = { etcd: "" };
  assert.throws(
    () => demo({ values, existing: [live] }),
    (error) => error instanceof Refusal && error.code === "InvalidPlatform",
  );
  assert.notEqual(demo({ values }).manifest("ConfigMap", "kubernetes-demo-awaiting-etcd"), undefined);
});

test("nobody but the autoscaler says how many machines a group has", () => {
  for (const spec of [{}, groups({ minReplicas: 3, maxReplicas: 3 })])
    for (const object of demo({ spec }).objects)
      if (object.kind === "MachineDeployment") assert.equal(valueAt(object, "spec", "replicas"), undefined);
});

test("what outlives a cluster is freed with it", () => {
  const { storage, leftovers } = demo().instance;
  const labels = { "cluster.x-k8s.io/cluster-name": "kubernetes-demo" };
  assert.deepEqual(storage, [{ group: "cdi.kubevirt.io", kind: "DataVolume", labels }]);
  assert.deepEqual(
    leftovers.map(({ kind, ...rest }) => ({ kind: kind.kind, ...rest })),
    [
      { kind: "Service", labels, where: { path: ["spec", "type"], equals: "LoadBalancer" } },
      {
        kind: "Secret",
        names: ["kubernetes-demo-talos-ca", "kubernetes-demo-talos-tls-cert", "kubernetes-demo-talos-secrets"],
      },
    ],
  );
});

test("no Service of another type is taken for a cluster's address", () => {
  const [service] = demo().instance.leftovers;
  assert.equal(service?.where?.equals, "LoadBalancer");
});

const authority = "VEVOQU5UQ0E=";
const admin = Secret("kubernetes-demo-admin-kubeconfig", {
  data: {
    "super-admin.svc": Buffer.from(
      `clusters:\n- cluster:\n    certificate-authority-data: ${authority}\n  name: x\n`,
    ).toString("base64"),
  },
});

const kubeconfigOf = (existing: readonly ReturnType<typeof Secret>[]): string => {
  const rendered = demo({ spec: { oidc: { mode: "System" } }, existing });
  return String(valueAt(rendered.object("Secret", "kubernetes-demo-oidc-kubeconfig"), "stringData", "kubeconfig"));
};

test("people's kubeconfig has the cluster's authority, and stays as it is while that cannot be read", () => {
  const text = kubeconfigOf([admin]);
  const read: unknown = parse(text);
  assert.ok(isRecord(read));
  assert.equal(read["current-context"], "kubernetes-demo");
  assert.match(text, new RegExp(`certificate-authority-data: ${authority}`));
  assert.match(text, /server: https:\/\/kubernetes-demo\.foo\.example\.org:443/);
  const live = Secret("kubernetes-demo-oidc-kubeconfig", {
    data: { kubeconfig: Buffer.from(text).toString("base64") },
  });
  assert.equal(kubeconfigOf([live]), text);
  assert.equal(parse(kubeconfigOf([])), null, "before, there is nothing to read");
});

test("the token by which machines join gets a Job for each value, and only that token can be made anew", () => {
  const jobs = (existing: readonly ReturnType<typeof Secret>[]) =>
    demo({ existing })
      .objects.filter(({ kind }) => kind === "Job")
      .map(({ metadata }) => metadata.name);
  const of = (secret: string) =>
    Secret("kubernetes-demo-talos-secrets", {
      data: Object.fromEntries(
        Object.entries({
          token: "t",
          clusterId: "i",
          clusterSecret: "s",
          bootstrapTokenId: "a",
          bootstrapTokenSecret: secret,
        }).map(([key, value]) => [key, Buffer.from(value).toString("base64")]),
      ),
    });
  assert.deepEqual(jobs([of("x")]), jobs([of("x")]));
  assert.notDeepEqual(jobs([of("x")]), jobs([of("y")]));
  const [need] = demo().instance.needs.filter(({ type }) => type === "generated");
  assert.deepEqual(need?.type === "generated" && need.rotate, ["bootstrapTokenId", "bootstrapTokenSecret"]);
});

test("values of users are laid over those of addons, null and false included", () => {
  const addons = {
    cilium: { valuesOverride: { cilium: { MTU: 1400, enableIPv4Masquerade: false, routingMode: null } } },
    certManager: { enabled: true, valuesOverride: { a: 1 } },
  };
  const rendered = demo({ spec: { addons } });
  const values = valueAt(rendered.object("HelmRelease", "kubernetes-demo-cilium"), "spec", "values", "cilium");
  assert.equal(valueAt(values, "MTU"), 1400);
  assert.equal(valueAt(values, "enableIPv4Masquerade"), false);
  assert.equal(valueAt(values, "routingMode"), null);
  assert.equal(valueAt(values, "k8sServicePort"), 6443, "and the rest stays");
  const name = "kubernetes-demo-cert-manager-crds";
  assert.deepEqual(valueAt(rendered.object("HelmRelease", name), "spec", "valuesFrom"), [
    { kind: "Secret", name: `${name}-values-override`, valuesKey: "values" },
  ]);
  assert.deepEqual(valueAt(rendered.object("Secret", `${name}-values-override`), "stringData"), {
    values: JSON.stringify({ a: 1 }),
  });
});

test("names without a namespace differ from those of another tenant's cluster", () => {
  const names = (namespace: string) =>
    demo({ place: { namespace, ancestors: ["tenant-root"] } })
      .objects.filter(({ kind }) => kind === "ClusterRole" || kind === "ClusterRoleBinding")
      .map(({ metadata }) => metadata.name);
  const [mine, theirs] = [names("tenant-foo"), new Set(names("tenant-bar"))];
  assert.ok(mine.length > 3);
  assert.deepEqual(
    mine.filter((name) => theirs.has(name)),
    [],
  );
});

test("the proxied Service is there without hosts, the Ingress only with them, neither with an address of its own", () => {
  const found = (given: object) => {
    const rendered = demo({ spec: { addons: { ingressNginx: { enabled: true, ...given } } } });
    return ["Service", "Ingress"].map((kind) => rendered.manifest(kind, "kubernetes-demo-ingress-nginx") !== undefined);
  };
  assert.deepEqual(found({}), [true, false]);
  assert.deepEqual(found({ hosts: ["a.example.org"] }), [true, true]);
  assert.deepEqual(found({ exposeMethod: "LoadBalancer", hosts: ["a.example.org"] }), [false, false]);
});
