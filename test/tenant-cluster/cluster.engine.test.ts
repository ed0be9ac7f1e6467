/** A tenant's cluster that really answers, in a whole cloud. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { kubernetes } from "../../src/apps/kubernetes/index.ts";
import { Node, Secret } from "../../src/contracts/core.ts";
import { StorageClass } from "../../src/contracts/storage-k8s-io.ts";
import type { Client } from "../../src/kube/client.ts";
import { connect } from "../../src/kube/connect.ts";
import { ClusterRoleBinding } from "../../src/kube/core-kinds.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import { secretText } from "../../src/kube/secret-text.ts";
import { clusterReader } from "../../src/upgrade/checks/reader.ts";
import { runChecks } from "../../src/upgrade/checks/run.ts";
import { collisionCheck } from "../../src/upgrade/checks/storage-classes.ts";
import { compatibleVersion } from "../../src/upgrade/versions.ts";
import { conditionOf, startCloud } from "../support/cloud.ts";
import { eventually } from "../support/eventually.ts";

const folder = mkdtempSync(join(tmpdir(), "tenant-cluster-"));
const opened: Client[] = [];
let tidy = async () => {};
// Registered before the cloud's own, which ends what has its data here; removed last of all.
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
after(async () => {
  await tidy();
  await Promise.all(opened.map((client) => client.close()));
});

const cloud = await startCloud({ clusters: join(folder, "clusters") });
const { admin } = cloud;
const namespace = await cloud.tenant("k8s");
const local = `fast${cloud.root.slice(7)}`;
tidy = async () => void (await admin.delete(StorageClass, local));

const group = { minReplicas: 2, maxReplicas: 4, instanceType: "u1.medium", diskSize: "20Gi" };
const users = [{ email: "bob@example.org", role: "view" }];
const config = "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\njwt: []\n";
await cloud.order(kubernetes, "dev", namespace, {
  controlPlane: { replicas: 1 },
  nodeGroups: { md0: group },
  oidc: { mode: "CustomConfig", customConfig: { config }, users },
});

/** The cluster, by the kubeconfig that its control plane left. */
async function open(): Promise<Client> {
  const secret = await admin.get(Secret, "kubernetes-dev-admin-kubeconfig", namespace);
  const file = join(folder, "kubeconfig");
  writeFileSync(file, secretText(secret, "super-admin.conf"), { mode: 0o600 });
  const client = connect({ ...loadKubeconfig(file), fieldManager: "person" });
  opened.push(client);
  return client;
}

const namesOf = async (client: Client) => (await client.list(StorageClass)).items.map(({ metadata }) => metadata.name);

const saysOf = async () => conditionOf(await cloud.get(kubernetes, "dev", namespace), "Ready")?.message ?? "";

test("a cluster is ready when it answers, with its machines as nodes and its people bound (feature 3)", async () => {
  await cloud.ready(kubernetes, "dev", namespace, 120);
  const tenant = await open();
  const nodes = await eventually("both machines have joined", async () => {
    const { items } = await tenant.list(Node);
    return items.length === 2 ? items : undefined;
  });
  for (const { metadata, status } of nodes) {
    assert.match(metadata.name, /^kubernetes-dev-md0-/);
    assert.equal(status?.nodeInfo?.["kubeletVersion"], "v1.35.6");
    assert.equal(status.capacity?.["memory"], "4Gi");
  }
  const bound = await eventually("its people are bound", async () => {
    const { items } = await tenant.list(ClusterRoleBinding, {
      labelSelector: "app.kubernetes.io/managed-by=cozystack-oidc",
    });
    return items.length > 0 ? items : undefined;
  });
  assert.deepEqual(
    bound.map(({ roleRef, subjects }) => [roleRef.name, subjects?.map(({ name }) => name)]),
    [["view", ["bob@example.org"]]],
  );
});

test("it has the storage classes of this one, one of them by default (feature 142)", async () => {
  const tenant = await open();
  await eventually("they are there", async () => (await namesOf(tenant)).length === 2);
  const { items } = await tenant.list(StorageClass);
  const defaults = items.filter(
    ({ metadata }) => metadata.annotations?.["storageclass.kubernetes.io/is-default-class"] === "true",
  );
  assert.deepEqual(
    defaults.map(({ metadata }) => metadata.name),
    ["replicated"],
  );
});

/** The check before an upgrade, of what is there now. */
async function checked(): Promise<string> {
  const reader = clusterReader({ client: admin, target: compatibleVersion });
  return JSON.stringify(await runChecks(reader, [collisionCheck]));
}

test("a class of somebody's own by the name of one to come is named, by the cluster and by the check, and nothing is touched (feature 40)", async () => {
  const tenant = await open();
  const before = await namesOf(tenant);
  await tenant.create(StorageClass, StorageClass(local, { provisioner: "example.org/by-hand" }));
  await admin.create(StorageClass, StorageClass(local, { provisioner: "linstor.csi.linbit.com" }));
  await eventually("the cluster says so", async () => (await saysOf()).includes(`StorageClass "${local}"`));
  assert.deepEqual((await namesOf(tenant)).sort(), [...before, local].sort());
  assert.equal((await tenant.get(StorageClass, local))?.provisioner, "example.org/by-hand");
  assert.match(await checked(), new RegExp(`made by hand by the name of what comes: ${local}`));
  await tenant.delete(StorageClass, local);
  await cloud.ready(kubernetes, "dev", namespace);
  assert.equal((await tenant.get(StorageClass, local))?.provisioner, "csi.kubevirt.io");
  assert.doesNotMatch(await checked(), /made by hand/);
});
