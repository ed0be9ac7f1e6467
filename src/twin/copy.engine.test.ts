/** The twin on a copy of a cluster whose operators and machines were real. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { testEngine } from "../../test/support/engine.ts";
import { eventually } from "../../test/support/eventually.ts";
import { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "../contracts/core.ts";
import { contractCrd } from "../contracts/crd.ts";
import { Cluster } from "../contracts/postgresql-cnpg-io.ts";
import { CustomResourceDefinition, Namespace } from "../kube/core-kinds.ts";
import { machinesOfCopy, startTwin } from "./index.ts";
import { cnpg } from "./operators/cnpg.ts";

const engine = await testEngine();
const client = engine.client();
const stop = new AbortController();
let namespace: string;
let twin: { readonly ended: Promise<void> };

const cluster = (imageName: string) =>
  Cluster("postgres-db", { namespace, spec: { instances: 1, imageName, storage: { size: "1Gi" } } });
const node = "worker-of-a-copy";

before(async () => {
  await client.apply(Namespace, Namespace("cozy-system"));
  await client.apply(CustomResourceDefinition, contractCrd(Cluster, false));
  await eventually("the definition is established", async () => {
    const crd = await client.get(CustomResourceDefinition, "clusters.postgresql.cnpg.io");
    return crd?.status?.conditions?.some(({ type, status }) => type === "Established" && status === "True") === true;
  });
  namespace = await engine.namespace("twin-copy");
  await client.apply(Node, Node(node, { spec: { taints: [] } }));
});

after(async () => {
  stop.abort();
  await twin.ended;
});

test("On a copy the twin leaves alone what a real operator made, until its resource changes", async () => {
  const stored = await client.create(Cluster, cluster("postgres:16"));
  const owner = {
    apiVersion: stored.apiVersion,
    kind: stored.kind,
    name: stored.metadata.name,
    uid: stored.metadata.uid ?? "",
    controller: true,
  };
  const pod = await client.create(
    Pod,
    Pod("postgres-db-1", {
      namespace,
      labels: { "cnpg.io/cluster": "postgres-db" },
      metadata: { ownerReferences: [owner] },
      spec: { nodeName: node, containers: [{ name: "postgres", image: "postgres:16" }] },
    }),
  );
  const players = [...machinesOfCopy, ...cnpg];
  twin = await startTwin({
    client: engine.client(),
    signal: stop.signal,
    pace: 0,
    onCopy: true,
    players,
    scope: (place) => place === namespace,
  });
  const ready = async () => (await client.get(Cluster, "postgres-db", namespace))?.status?.readyInstances === 1;
  await eventually("the cluster is healthy", ready);
  const same = await client.get(Pod, "postgres-db-1", namespace);
  assert.equal(same?.metadata.uid, pod.metadata.uid);
  assert.equal(same?.status?.phase, "Running");

  await client.apply(Cluster, cluster("postgres:17"));
  await eventually("the pod is another one", async () => {
    const now = await client.get(Pod, "postgres-db-1", namespace);
    return now !== undefined && now.metadata.uid !== pod.metadata.uid;
  });
});

test("On a copy claims are answered whatever their class, and volumes that exist stay", async () => {
  const annotations = { "volume.kubernetes.io/storage-provisioner": "real.csi.test" };
  const resources = { requests: { storage: "2Gi" } };
  const volume = `volume-of-${namespace}`;
  const spec = { accessModes: ["ReadWriteOnce"], storageClassName: "real" } as const;
  await client.create(
    PersistentVolume,
    PersistentVolume(volume, {
      spec: {
        ...spec,
        capacity: { storage: "2Gi" },
        csi: { driver: "real.csi.test", volumeHandle: "1" },
        // As in any cluster that was copied: else the other claim could have it.
        claimRef: { namespace, name: "old" },
      },
    }),
  );
  await client.create(
    PersistentVolumeClaim,
    PersistentVolumeClaim("old", { namespace, annotations, spec: { ...spec, resources, volumeName: volume } }),
  );
  await client.create(
    PersistentVolumeClaim,
    PersistentVolumeClaim("new", { namespace, annotations, spec: { ...spec, resources } }),
  );
  for (const name of ["old", "new"]) {
    await eventually(`the claim ${name} is bound`, async () => {
      return (await client.get(PersistentVolumeClaim, name, namespace))?.status?.phase === "Bound";
    });
  }
  assert.equal((await client.get(PersistentVolumeClaim, "old", namespace))?.spec.volumeName, volume);
  const kept = await client.get(PersistentVolume, volume);
  assert.equal(kept?.spec.csi?.driver, "real.csi.test");
  await client.delete(PersistentVolumeClaim, "old", namespace);
  await client.delete(PersistentVolume, volume);
  await client.delete(Node, node);
});
