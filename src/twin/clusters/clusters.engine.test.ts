/** Control planes that a real API server answers for. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { runningEngine } from "../../../embedded/engine.ts";
import { identify } from "../../../embedded/lock.ts";
import { testEngine } from "../../../test/support/engine.ts";
import { eventually } from "../../../test/support/eventually.ts";
import { KamajiControlPlane } from "../../contracts/controlplane-cluster-x-k8s-io.ts";
import { ConfigMap, Namespace, Node, Secret } from "../../contracts/core.ts";
import { contractCrd } from "../../contracts/crd.ts";
import { HelmRelease } from "../../contracts/helm-toolkit-fluxcd-io.ts";
import { contractKinds } from "../../contracts/index.ts";
import { KubevirtMachine } from "../../contracts/infrastructure-cluster-x-k8s-io.ts";
import { DataStore } from "../../contracts/kamaji-clastix-io.ts";
import { StorageClass } from "../../contracts/storage-k8s-io.ts";
import type { Client } from "../../kube/client.ts";
import { connect } from "../../kube/connect.ts";
import { CustomResourceDefinition } from "../../kube/core-kinds.ts";
import { loadKubeconfig } from "../../kube/kubeconfig.ts";
import { secretText } from "../../kube/secret-text.ts";
import { startTwin } from "../index.ts";

const folder = mkdtempSync(join(tmpdir(), "twin-clusters-"));
const directory = join(folder, "clusters");
const stop = new AbortController();
const clients: Client[] = [];
let namespace: string;
let ended = Promise.resolve();
let tidy = () => Promise.resolve(true);

// Registered before the engine's own, which closes the clients.
after(async () => {
  stop.abort();
  await ended;
  await tidy();
  await Promise.all(clients.map((client) => client.close()));
  rmSync(folder, { recursive: true, force: true });
});

const engine = await testEngine();
const admin = engine.client();
tidy = () => admin.delete(DataStore, "twin-clusters");

before(async () => {
  for (const name of ["cozy-system", "cozy-public"]) await admin.apply(Namespace, Namespace(name));
  for (const kind of contractKinds) await admin.apply(CustomResourceDefinition, contractCrd(kind, false));
  await eventually("the definitions are established", async () => {
    const { items } = await admin.list(CustomResourceDefinition);
    return items.every((crd) =>
      crd.status?.conditions?.some((one) => one.type === "Established" && one.status === "True"),
    );
  });
  namespace = await engine.namespace("clusters");
  const twin = await startTwin({
    client: engine.client(),
    signal: stop.signal,
    pace: 0,
    scope: (one) => one === namespace,
    clusters: { directory, most: 1, fsync: false },
    onError: (what, error) => console.error(what, error),
  });
  ended = twin.ended;
  await admin.apply(DataStore, DataStore("twin-clusters", { spec: { driver: "etcd", endpoints: ["etcd.test:2379"] } }));
});

const order = (name: string) => {
  const spec = { version: "v1.35.6", replicas: 1, dataStoreName: "twin-clusters" };
  return admin.apply(KamajiControlPlane, KamajiControlPlane(name, { namespace, spec }));
};

const isReady = async (name: string) =>
  (await admin.get(KamajiControlPlane, name, namespace))?.status?.ready === true ? true : undefined;

/** The administrator's kubeconfig as its Secret has it now. */
async function kubeconfig(name: string): Promise<string> {
  return secretText(await admin.get(Secret, `${name}-admin-kubeconfig`, namespace), "super-admin.conf");
}

function open(text: string): Client {
  const file = join(folder, "kubeconfig");
  writeFileSync(file, text, { mode: 0o600 });
  const client = connect({ ...loadKubeconfig(file), fieldManager: "person" });
  clients.push(client);
  return client;
}

/** Has the twin play objects of the namespace in other ways. */
const behave = (data: Readonly<Record<string, string>>) =>
  admin.apply(ConfigMap, ConfigMap("twin", { namespace: "cozy-system", data }), { fieldManager: namespace });

/** Processes of the API servers that run, by name. */
const processes = () =>
  readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => runningEngine(join(directory, name))?.pids ?? {});

test("the kubeconfig of a control plane leads to an API server of its own", async () => {
  await order("one");
  await eventually("it is ready", () => isReady("one"), 60);
  const tenant = open(await kubeconfig("one"));
  await tenant.create(Namespace, Namespace("made-by-a-person"));
  assert.equal(await admin.get(Namespace, "made-by-a-person"), undefined, "another cluster than this one");
});

const group = { "cluster.x-k8s.io/cluster-name": "one" };

test("machines of a cluster are nodes in it, that say that they are simulated, for as long as there are machines", async () => {
  const labels = { ...group, "node-role.kubernetes.io/ingress-nginx": "" };
  await admin.apply(KubevirtMachine, KubevirtMachine("one-md0-a", { namespace, labels, spec: {} }));
  const tenant = open(await kubeconfig("one"));
  const ready = async () => {
    const node = await tenant.get(Node, "one-md0-a");
    return node?.status?.conditions?.find(({ type }) => type === "Ready")?.status;
  };
  await eventually("the node is ready", async () => (await ready()) === "True");
  const node = await tenant.get(Node, "one-md0-a");
  assert.equal(node?.metadata.labels?.["twin.cozystack.io/simulated"], "true");
  assert.equal(node?.metadata.labels?.["node-role.kubernetes.io/ingress-nginx"], "");
  assert.equal(node?.status?.nodeInfo?.["kubeletVersion"], "v1.35.6");
  await behave({ [`KubevirtMachine.${namespace}.one-md0-a`]: "neverReady" });
  await eventually("the node is not ready", async () => (await ready()) === "False");
  await behave({});
  await admin.delete(KubevirtMachine, "one-md0-a", namespace);
  await eventually("the node is gone", async () => (await tenant.get(Node, "one-md0-a")) === undefined);
});

const csi = (classes: object) =>
  HelmRelease("one-csi", {
    namespace,
    spec: {
      interval: "5m",
      releaseName: "csi",
      targetNamespace: "cozy-csi",
      chartRef: {
        kind: "ExternalArtifact",
        name: "cozystack-kubernetes-application-kubevirt-kubernetes-kubevirt-csi-node",
      },
      kubeConfig: { secretRef: { name: "one-admin-kubeconfig", key: "super-admin.svc" } },
      values: { storageClasses: classes },
    },
  });

const released = async () => {
  const { status } = (await admin.get(HelmRelease, "one-csi", namespace)) ?? {};
  return status?.conditions?.find(({ type }) => type === "Ready");
};

test("a release into a cluster makes what its chart makes there, and takes over nothing of others", async () => {
  const tenant = open(await kubeconfig("one"));
  await tenant.create(StorageClass, StorageClass("replicated", { provisioner: "example.org/by-hand" }));
  await admin.apply(HelmRelease, csi({ fast: { default: true }, replicated: {} }));
  const said = await eventually("it is refused", async () => {
    const ready = await released();
    return ready?.reason === "InstallFailed" ? ready.message : undefined;
  });
  assert.match(said, /StorageClass "replicated"/);
  assert.equal((await tenant.get(StorageClass, "replicated"))?.provisioner, "example.org/by-hand");
  assert.equal(await tenant.get(StorageClass, "fast"), undefined, "a release is made whole or not at all");
  await tenant.delete(StorageClass, "replicated");
  await eventually("it is ready", async () => (await released())?.status === "True");
  assert.equal((await tenant.get(StorageClass, "replicated"))?.provisioner, "csi.kubevirt.io");
  await admin.apply(HelmRelease, csi({ fast: { default: true } }));
  await eventually(
    "a class that is no longer wanted goes",
    async () => !(await tenant.get(StorageClass, "replicated")),
  );
});

test("while nothing answers nothing is uninstalled, and what is suspended is let go", async () => {
  await behave({ [`KamajiControlPlane.${namespace}.one`]: "neverReady" });
  await eventually("its processes have ended", async () => processes().every((pids) => Object.keys(pids).length === 0));
  await eventually("it is not ready", async () => (await isReady("one")) === undefined);
  await admin.delete(HelmRelease, "one-csi", namespace);
  await eventually(
    "it is held",
    async () => (await admin.get(HelmRelease, "one-csi", namespace))?.metadata.deletionTimestamp,
  );
  await admin.mergePatch(HelmRelease, "one-csi", namespace, { spec: { suspend: true } });
  await eventually("it is gone", async () => (await admin.get(HelmRelease, "one-csi", namespace)) === undefined);
  await behave({});
  await eventually("it is ready again", () => isReady("one"), 60);
  const tenant = open(await kubeconfig("one"));
  await eventually("of what went meanwhile nothing is left", async () => !(await tenant.get(StorageClass, "fast")));
});

test("a control plane for which there is no place is simulated", async () => {
  await order("two");
  await eventually("it is ready", () => isReady("two"), 60);
  assert.match(await kubeconfig("two"), /two\.clusters-\w+\.svc/);
  assert.equal(processes().length, 1);
});

test("an API server that crashes is started anew, with what it had", async () => {
  const former = await kubeconfig("one");
  const pid = processes()[0]?.["kube-apiserver"] ?? assert.fail("no API server runs");
  process.kill(pid, "SIGKILL");
  const next = await eventually(
    "there is another way in",
    async () => {
      const text = await kubeconfig("one");
      return text === former ? undefined : text;
    },
    60,
  );
  assert.notEqual(await open(next).get(Namespace, "made-by-a-person"), undefined);
  await eventually("it is ready again", () => isReady("one"), 60);
});

test("with its control plane an API server ends, its data goes, and there is a place for another one", async () => {
  const pids = Object.values(processes()[0] ?? {});
  assert.equal(pids.length, 3);
  await admin.delete(KamajiControlPlane, "one", namespace);
  await eventually("its processes have ended", async () => pids.every((pid) => identify(pid) === undefined), 60);
  await eventually("another has its place", async () => /127\.0\.0\.1/.test(await kubeconfig("two")), 60);
  assert.equal(await open(await kubeconfig("two")).get(Namespace, "made-by-a-person"), undefined);
  assert.equal(processes().length, 1, "the data of the former is gone");
});
