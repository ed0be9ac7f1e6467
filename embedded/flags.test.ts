import assert from "node:assert/strict";
import { test } from "node:test";
import type { Certificates } from "./certificates.ts";
import { components, environment, flags, type Settings } from "./flags.ts";

const GiB = 2 ** 30;
const certificates: Certificates = {
  ca: "ca.crt",
  caKey: "ca.key",
  serving: "apiserver.crt",
  servingKey: "apiserver.key",
  frontProxyCa: "front-proxy-ca.crt",
  frontProxyClient: "front-proxy-client.crt",
  frontProxyClientKey: "front-proxy-client.key",
  serviceAccountKey: "sa.key",
  serviceAccountPublicKey: "sa.pub",
};
const settings: Settings = {
  certificates,
  etcdSocket: "etcd.sock",
  port: 6443,
  tokenFile: "tokens.csv",
  kubeconfigs: { "kube-controller-manager": "kcm.kubeconfig", "kube-scheduler": "scheduler.kubeconfig" },
  fsync: true,
  totalMemory: 16 * GiB,
};

test("etcd waits for the disk unless told not to", () => {
  assert.ok(flags("etcd", settings).includes("--unsafe-no-fsync=false"));
  assert.ok(flags("etcd", { ...settings, fsync: false }).includes("--unsafe-no-fsync=true"));
});

test("a feature that is not on by default can be asked for", () => {
  const asked = { ...settings, apiserver: { "feature-gates": "MutatingAdmissionPolicy=true" } };
  assert.ok(flags("kube-apiserver", asked).includes("--feature-gates=MutatingAdmissionPolicy=true"));
  assert.ok(!flags("kube-apiserver", settings).some((flag) => flag.startsWith("--feature-gates")));
});

test("the controllers asked for are the ones that run", () => {
  const chosen = flags("kube-controller-manager", {
    ...settings,
    controllers: ["namespace-controller", "resourcequota-controller"],
  });
  assert.ok(chosen.includes("--controllers=namespace-controller,resourcequota-controller"));
  const usual = flags("kube-controller-manager", settings).find((flag) => flag.startsWith("--controllers="));
  assert.match(usual ?? "", /^--controllers=\*,/);
});

test("the processes that are clients are not held back, and elect nobody", () => {
  for (const component of ["kube-controller-manager", "kube-scheduler"] as const) {
    const line = flags(component, settings).join(" ");
    assert.match(line, /--kube-api-qps=1000 --kube-api-burst=2000/);
    assert.match(line, /--leader-elect=false/);
    assert.match(line, /--secure-port=0/);
  }
});

const memory = [
  { why: "a quarter of the machine for the API server", total: 8 * GiB, gogc: "400", limit: 2 * GiB },
  { why: "but never more than 4 GiB", total: 64 * GiB, gogc: "400", limit: 4 * GiB },
  { why: "where there is little, garbage is collected early", total: 2 * GiB, gogc: "100", limit: GiB / 2 },
];
for (const { why, total, gogc, limit } of memory) {
  test(`memory: ${why}`, () => {
    assert.deepEqual(environment("kube-apiserver", total), { GOGC: gogc, GOMEMLIMIT: String(limit) });
  });
}

test("a flag of the API server's can be changed and taken away", () => {
  const changed = {
    ...settings,
    apiserver: { "service-cluster-ip-range": "10.0.0.0/16", "anonymous-auth": undefined },
  };
  const all = flags("kube-apiserver", changed);
  assert.ok(all.includes("--service-cluster-ip-range=10.0.0.0/16"));
  assert.ok(!all.some((flag) => flag.startsWith("--anonymous-auth")));
});

test("all limits together leave half of the machine to others", () => {
  const sum = components.reduce((total, name) => total + Number(environment(name, 8 * GiB)["GOMEMLIMIT"]), 0);
  assert.ok(sum <= 4 * GiB, `${sum / GiB} GiB of 8`);
});
