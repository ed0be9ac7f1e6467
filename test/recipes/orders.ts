/**
 * A small order of each application, for recipes that go through all of them. An application without a line here is ordered
 * with nothing said.
 */

import { apps } from "../../src/apps/index.ts";
import { DataVolume } from "../../src/contracts/cdi-kubevirt-io.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import type { App } from "../../src/sdk/app.ts";

export interface Order {
  readonly app: App;
  /** Modules have a name each. */
  readonly name: string;
  readonly spec: object;
  /** A change that leaves every object of the first order in place, and back. */
  readonly changed: object;
  /** What others make in its namespace for those who use it, and that is the application's data. Default: nothing. */
  readonly used?: readonly KubeObject[];
}

type Line = Omit<Order, "app" | "name">;

const lines: Readonly<Record<string, Line>> = {
  Tenant: {
    spec: { resourceQuotas: { cpu: "20" } },
    changed: { resourceQuotas: { cpu: "30", memory: "20Gi" } },
  },
  Postgres: {
    spec: { replicas: 1, users: { app: {} }, databases: { shop: { roles: { admin: ["app"] } } }, external: false },
    changed: { replicas: 2, external: true },
  },
  Redis: { spec: { replicas: 1, external: false }, changed: { replicas: 2, external: true } },
  ClickHouse: {
    spec: { replicas: 1, users: { app: {} }, clickhouseKeeper: { replicas: 1 }, logTTL: 15 },
    changed: { replicas: 2, logTTL: 7 },
  },
  Bucket: { spec: { users: { app: {} } }, changed: { users: { app: {}, reader: { readonly: true } } } },
  Etcd: { spec: { replicas: 1, size: "1Gi" }, changed: { replicas: 3 } },
  HTTPCache: {
    spec: { haproxy: { replicas: 1 }, nginx: { replicas: 1 }, endpoints: ["10.0.0.1:80"], external: false },
    changed: { haproxy: { replicas: 2 }, external: true },
  },
  ExternalDNS: {
    spec: { provider: "digitalocean", digitalocean: { token: "dop_v1_0123456789" } },
    changed: { policy: "sync", gatewayAPI: true },
  },
  Ingress: { spec: { replicas: 1 }, changed: { replicas: 2, whitelist: ["10.0.0.0/8"] } },
  Harbor: {
    spec: { database: { replicas: 1 }, redis: { replicas: 1 }, trivy: { size: "1Gi" } },
    changed: { redis: { replicas: 2 }, registry: { resourcesPreset: "c1.small" } },
  },
  FoundationDB: {
    spec: { cluster: { processCounts: { storage: 1 }, redundancyMode: "single" } },
    changed: { cluster: { processCounts: { storage: 2 } } },
  },
  OpenBAO: { spec: { replicas: 2, size: "1Gi" }, changed: { replicas: 3, external: true } },
  Kafka: {
    spec: {
      kafka: { replicas: 1 },
      zookeeper: { replicas: 1 },
      topics: [{ name: "orders", partitions: 1, replicas: 1, config: {} }],
      external: false,
    },
    changed: { kafka: { replicas: 2 }, external: true },
  },
  MariaDB: {
    spec: { replicas: 1, users: { app: { password: "", maxUserConnections: 10 } }, databases: { shop: {} } },
    changed: { replicas: 2, external: true },
  },
  MongoDB: {
    spec: { replicas: 1, users: { app: {} }, databases: { shop: { roles: { admin: ["app"] } } }, external: false },
    changed: { replicas: 2, external: true },
  },
  NATS: { spec: { replicas: 1, users: { app: {} }, external: false }, changed: { replicas: 2, external: true } },
  OpenSearch: {
    spec: { replicas: 1, users: { app: { roles: ["readall"] } }, dashboards: { enabled: true }, external: false },
    changed: { replicas: 2, external: true },
  },
  Qdrant: { spec: { replicas: 1, external: false }, changed: { replicas: 2, external: true } },
  RabbitMQ: {
    spec: { replicas: 1, users: { app: {} }, vhosts: { shop: { roles: { admin: ["app"] } } }, external: false },
    changed: { external: true },
  },
  TCPBalancer: {
    spec: { replicas: 1, httpAndHttps: { endpoints: ["10.0.0.1"] }, external: false },
    changed: { replicas: 2, external: true },
  },
  SeaweedFS: {
    spec: {
      db: { replicas: 1 },
      master: { replicas: 1 },
      filer: { replicas: 1 },
      volume: { replicas: 1 },
      s3: { replicas: 1 },
    },
    changed: { s3: { replicas: 2 }, volume: { pools: { fast: { diskType: "ssd", replicas: 1 } } } },
  },
  VMDisk: { spec: { source: { image: { name: "ubuntu-24.04" } }, optical: false }, changed: { optical: true } },
  VMInstance: {
    spec: { instanceType: "u1.small", external: true, externalPorts: [22] },
    changed: { instanceType: "u1.medium", externalPorts: [22, 443] },
  },
  VPN: {
    spec: { replicas: 1, users: { app: {} }, external: false },
    changed: { replicas: 2, external: true },
  },
  VirtualPrivateCloud: {
    spec: { subnets: [{ name: "a", cidr: "172.16.0.0/24" }], peers: [], routes: [] },
    changed: {
      peers: [{ vpcName: "other", tenantNamespace: "tenant-other" }],
      routes: [{ cidr: "10.0.0.0/8", nextHopIP: "172.16.0.1" }],
    },
  },
  Kubernetes: {
    spec: { controlPlane: { replicas: 1 }, nodeGroups: { md0: { minReplicas: 1, maxReplicas: 2 } } },
    changed: { nodeHealthCheck: { maxUnhealthy: "2" }, addons: { gatewayAPI: { enabled: true } } },
    // A claim in the cluster, as the driver for volumes has it here.
    used: [
      DataVolume("pvc-0", {
        labels: { "cluster.x-k8s.io/cluster-name": "kubernetes-x" },
        spec: {
          source: { blank: {} },
          storage: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
        },
      }),
    ],
  },
  ComputePlane: {
    spec: { nodeGroups: { md0: { roles: ["ingress-nginx"] } } },
    changed: { nodeGroups: { md0: { roles: ["ingress-nginx"], maxReplicas: 5 } } },
  },
};

const orderOf = (app: App): Order => ({
  app,
  name: app.module ? app.kind.toLowerCase() : "x",
  ...(lines[app.kind] ?? { spec: {}, changed: {} }),
});

/** Machines of a cluster that must be there first, and that they are named after: test/apps/clusters.engine.test.ts. */
const alone = (app: App): boolean => app.kind !== "KubernetesNodes";

/** Orders of the applications that people order by themselves, under the name `x`. */
export const orders: readonly Order[] = apps.filter((app) => !app.module && alone(app)).map(orderOf);

/** Orders of modules that their tenants can order without the switch in the Tenant. */
export const moduleOrders: readonly Order[] = apps
  .filter((app) => app.module && !["BootBox", "Info"].includes(app.kind) && app.group === "apps.cozystack.io")
  .map(orderOf);
