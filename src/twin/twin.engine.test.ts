import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { testEngine } from "../../test/support/engine.ts";
import { eventually } from "../../test/support/eventually.ts";
import { tellFailure } from "../../test/support/failures.ts";
import { Deployment, StatefulSet } from "../contracts/apps.ts";
import { Job } from "../contracts/batch.ts";
import { DataVolume } from "../contracts/cdi-kubevirt-io.ts";
import { ClickHouseInstallation } from "../contracts/clickhouse-altinity-com.ts";
import { ConfigMap, Namespace, PersistentVolumeClaim, Pod, Secret, Service } from "../contracts/core.ts";
import { contractCrd } from "../contracts/crd.ts";
import { RedisFailover } from "../contracts/databases-spotahome-com.ts";
import { contractKinds } from "../contracts/index.ts";
import { VirtualMachine } from "../contracts/kubevirt-io.ts";
import { BucketAccess, BucketClaim } from "../contracts/objectstorage-k8s-io.ts";
import { Cluster } from "../contracts/postgresql-cnpg-io.ts";
import { CustomResourceDefinition } from "../kube/core-kinds.ts";
import { startTwin } from "./index.ts";

const engine = await testEngine();
const client = engine.client();
const stop = new AbortController();
let namespace: string;
let twin: { readonly ended: Promise<void> };

before(async () => {
  for (const name of ["cozy-system", "cozy-public"]) await client.apply(Namespace, Namespace(name));
  for (const kind of contractKinds) await client.apply(CustomResourceDefinition, contractCrd(kind, false));
  await eventually("the definitions are established", async () => {
    const { items } = await client.list(CustomResourceDefinition);
    return items.every((crd) =>
      crd.status?.conditions?.some((one) => one.type === "Established" && one.status === "True"),
    );
  });
  namespace = await engine.namespace("twin");
  twin = await startTwin({
    client: engine.client(),
    signal: stop.signal,
    pace: 0.2,
    onError: tellFailure,
  });
});

after(async () => {
  stop.abort();
  await twin.ended;
});

test("a database cluster becomes healthy with its pods, volumes, Services and Secrets, and goes with all of them", async () => {
  await client.apply(
    Cluster,
    Cluster("db", { namespace, spec: { instances: 2, enableSuperuserAccess: true, storage: { size: "1Gi" } } }),
  );
  const db = await eventually("the cluster is healthy", async () => {
    const live = await client.get(Cluster, "db", namespace);
    return live?.status?.phase === "Cluster in healthy state" ? live : undefined;
  });
  assert.equal(db.status?.readyInstances, 2);
  const labelSelector = "cnpg.io/cluster=db";
  const claims = await client.list(PersistentVolumeClaim, { namespace, labelSelector });
  assert.deepEqual(
    claims.items.map((claim) => [claim.metadata.name, claim.status?.phase]),
    [
      ["db-1", "Bound"],
      ["db-2", "Bound"],
    ],
  );
  const services = await client.list(Service, { namespace, labelSelector });
  assert.deepEqual(
    services.items.map((service) => service.metadata.name),
    ["db-r", "db-ro", "db-rw"],
  );
  const secret = await client.get(Secret, "db-superuser", namespace);
  assert.deepEqual(Object.keys(secret?.data ?? {}).sort(), ["password", "username"]);

  await client.delete(Cluster, "db", namespace);
  await eventually("nothing is left", async () => {
    const pods = await client.list(Pod, { namespace, labelSelector });
    const left = await client.list(PersistentVolumeClaim, { namespace, labelSelector });
    return pods.items.length + left.items.length === 0;
  });
});

test("a new image replaces a cluster's pods one at a time", async () => {
  const spec = { instances: 2, imageName: "postgres:1", storage: { size: "1Gi" } };
  await client.apply(Cluster, Cluster("roll", { namespace, spec }));
  const pods = async () => (await client.list(Pod, { namespace, labelSelector: "cnpg.io/cluster=roll" })).items;
  const healthy = async () => (await client.get(Cluster, "roll", namespace))?.status?.readyInstances === 2;
  await eventually("the cluster is healthy", healthy);
  const before = (await pods()).map((pod) => pod.metadata.uid);
  await client.apply(Cluster, Cluster("roll", { namespace, spec: { ...spec, imageName: "postgres:2" } }));
  let fewest = 2;
  await eventually("both pods are new and ready", async () => {
    const live = (await pods()).filter((pod) => pod.metadata.deletionTimestamp === undefined);
    fewest = Math.min(fewest, live.length);
    return live.length === 2 && live.every((pod) => !before.includes(pod.metadata.uid)) && (await healthy());
  });
  assert.ok(fewest >= 1, "never without any pod");
});

test("a Redis failover gets its servers, sentinels and Services, and a master", async () => {
  const storage = {
    persistentVolumeClaim: {
      metadata: { name: "data" },
      spec: { accessModes: ["ReadWriteOnce"] as const, resources: { requests: { storage: "1Gi" } } },
    },
  };
  await client.apply(
    RedisFailover,
    RedisFailover("cache", { namespace, spec: { redis: { replicas: 2, storage }, sentinel: { replicas: 3 } } }),
  );
  await eventually("servers and sentinels are ready", async () => {
    const servers = await client.get(StatefulSet, "rfr-cache", namespace);
    const sentinels = await client.get(Deployment, "rfs-cache", namespace);
    return servers?.status?.readyReplicas === 2 && sentinels?.status?.readyReplicas === 3;
  });
  await eventually("the first server is the master", async () => {
    const pod = await client.get(Pod, "rfr-cache-0", namespace);
    return pod?.metadata.labels?.["redisfailovers-role"] === "master";
  });
});

test("a ClickHouse installation completes with one set a host, and leaves its claims behind", async () => {
  const layout = { shardsCount: 2, replicasCount: 1 };
  const templates = {
    podTemplates: [
      { name: "p", metadata: { labels: { app: "ch" } }, spec: { containers: [{ name: "clickhouse", image: "x" }] } },
    ],
    volumeClaimTemplates: [
      {
        name: "data",
        metadata: { labels: { app: "ch" } },
        spec: { accessModes: ["ReadWriteOnce"] as const, resources: { requests: { storage: "1Gi" } } },
      },
    ],
  };
  await client.apply(
    ClickHouseInstallation,
    ClickHouseInstallation("ch", {
      namespace,
      spec: { configuration: { clusters: [{ name: "c", layout }] }, templates },
    }),
  );
  await eventually(
    "it is completed",
    async () => (await client.get(ClickHouseInstallation, "ch", namespace))?.status?.status === "Completed",
  );
  const labelSelector = "app=ch";
  const pods = await client.list(Pod, { namespace, labelSelector });
  assert.deepEqual(
    pods.items.map((pod) => pod.metadata.name),
    ["chi-ch-c-0-0-0", "chi-ch-c-1-0-0"],
  );
  await client.delete(ClickHouseInstallation, "ch", namespace);
  await eventually(
    "its pods are gone",
    async () => (await client.list(Pod, { namespace, labelSelector })).items.length === 0,
  );
  assert.equal((await client.list(PersistentVolumeClaim, { namespace, labelSelector })).items.length, 2);
});

test("a bucket becomes ready and gives credentials; an unknown class is waited for", async () => {
  const claim = (name: string, bucketClassName: string) =>
    client.apply(BucketClaim, BucketClaim(name, { namespace, spec: { bucketClassName, protocols: ["s3"] } }));
  await claim("files", "tenant-root");
  await claim("never", "no-such-class");
  await client.apply(
    BucketAccess,
    BucketAccess("files-me", {
      namespace,
      spec: {
        bucketClaimName: "files",
        bucketAccessClassName: "tenant-root",
        credentialsSecretName: "files-me",
        protocol: "s3",
      },
    }),
  );
  const secret = await eventually("there are credentials", () => client.get(Secret, "files-me", namespace));
  const info = JSON.parse(Buffer.from(secret.data?.["BucketInfo"] ?? "", "base64").toString());
  assert.match(info.spec.bucketName, /^bucket-/);
  assert.equal((await client.get(BucketClaim, "never", namespace))?.status?.bucketReady, false);
  await client.delete(BucketClaim, "files", namespace);
  await eventually("the claim is gone", async () => (await client.get(BucketClaim, "files", namespace)) === undefined);
});

test("a machine boots from an imported disk and stops when halted", async () => {
  const image = { name: "vm-default-images-ubuntu-24.04", namespace: "cozy-public" };
  await client.apply(
    DataVolume,
    DataVolume("disk", {
      namespace,
      spec: { source: { pvc: image }, storage: { resources: { requests: { storage: "5Gi" } } } },
    }),
  );
  await eventually(
    "the disk is imported",
    async () => (await client.get(DataVolume, "disk", namespace))?.status?.phase === "Succeeded",
  );
  const machine = (runStrategy: string) =>
    client.apply(
      VirtualMachine,
      VirtualMachine("vm", {
        namespace,
        spec: {
          runStrategy,
          template: { spec: { domain: { devices: {} }, volumes: [{ name: "root", dataVolume: { name: "disk" } }] } },
        },
      }),
    );
  await machine("Always");
  const status = async () => (await client.get(VirtualMachine, "vm", namespace))?.status?.printableStatus;
  await eventually("it runs", async () => (await status()) === "Running");
  await machine("Halted");
  await eventually("it is stopped", async () => (await status()) === "Stopped");
});

test("a Job's pod waits for its Secret, then succeeds", async () => {
  await client.apply(
    Job,
    Job("work", {
      namespace,
      spec: {
        template: {
          spec: {
            restartPolicy: "Never",
            containers: [
              {
                name: "main",
                image: "x",
                env: [{ name: "A", valueFrom: { secretKeyRef: { name: "later", key: "a" } } }],
              },
            ],
          },
        },
      },
    }),
  );
  await eventually("the pod waits for its Secret", async () => {
    const { items } = await client.list(Pod, { namespace, labelSelector: "job-name=work" });
    return items[0]?.status?.message === 'secret "later" not found';
  });
  await client.apply(Secret, Secret("later", { namespace, data: { a: "YQ==" } }));
  await eventually(
    "the Job is complete",
    async () => (await client.get(Job, "work", namespace))?.status?.succeeded === 1,
  );
});

test("a Service of type LoadBalancer gets an address", async () => {
  const spec = { type: "LoadBalancer", selector: { app: "x" }, ports: [{ port: 80 }] } as const;
  await client.apply(Service, Service("lb", { namespace, spec }));
  const live = await eventually("it has an address", async () => {
    const service = await client.get(Service, "lb", namespace);
    return service?.status?.loadBalancer?.ingress?.[0]?.ip;
  });
  assert.match(live, /^198\.1[89]\./);
});

test("an object misbehaves when the ConfigMap says so, and recovers when it no longer does", async () => {
  const requests = (data: Record<string, string>) =>
    client.apply(ConfigMap, ConfigMap("twin", { namespace: "cozy-system", data }));
  await requests({ [`Cluster.${namespace}.sick`]: "refuses" });
  await client.apply(Cluster, Cluster("sick", { namespace, spec: { instances: 1, storage: { size: "1Gi" } } }));
  const phase = async () => (await client.get(Cluster, "sick", namespace))?.status?.phase;
  await eventually("it is refused", async () => (await phase()) === "Unable to create required cluster objects");
  await requests({});
  await eventually("it recovers", async () => (await phase()) === "Cluster in healthy state");
});
