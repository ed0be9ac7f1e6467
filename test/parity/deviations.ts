/**
 * Every declared deviation, by the application (its folder's name) it belongs to.
 */
import { allApps } from "../schema/apps.ts";
import { asksForNothing, volumesOf } from "../schema/volumes.ts";
import type { Deviation } from "./deviation.ts";
import { bootBox } from "./deviations/bootbox.ts";
import { bucket } from "./deviations/bucket.ts";
import { clickhouse } from "./deviations/clickhouse.ts";
import { computePlane } from "./deviations/computeplane.ts";
import { etcd } from "./deviations/etcd.ts";
import { externalDns } from "./deviations/external-dns.ts";
import { foundationdb } from "./deviations/foundationdb.ts";
import { gateway } from "./deviations/gateway.ts";
import { harbor } from "./deviations/harbor.ts";
import { httpCache } from "./deviations/http-cache.ts";
import { info } from "./deviations/info.ts";
import { ingress } from "./deviations/ingress.ts";
import { kafka } from "./deviations/kafka.ts";
import { kubernetes } from "./deviations/kubernetes.ts";
import { kubernetesNodes } from "./deviations/kubernetes-nodes.ts";
import { mariadb } from "./deviations/mariadb.ts";
import { mongodb } from "./deviations/mongodb.ts";
import { monitoring } from "./deviations/monitoring.ts";
import { nats } from "./deviations/nats.ts";
import { openbao } from "./deviations/openbao.ts";
import { opensearch } from "./deviations/opensearch.ts";
import { postgres } from "./deviations/postgres.ts";
import { qdrant } from "./deviations/qdrant.ts";
import { rabbitmq } from "./deviations/rabbitmq.ts";
import { redis } from "./deviations/redis.ts";
import { seaweedfs } from "./deviations/seaweedfs.ts";
import { tcpBalancer } from "./deviations/tcp-balancer.ts";
import { tenant } from "./deviations/tenant.ts";
import { vmDisk } from "./deviations/vm-disk.ts";
import { vmInstance } from "./deviations/vm-instance.ts";
import { vpc } from "./deviations/vpc.ts";
import { vpn } from "./deviations/vpn.ts";

const own: Readonly<Record<string, readonly Deviation[]>> = {
  bootbox: bootBox,
  bucket,
  clickhouse,
  computeplane: computePlane,
  etcd,
  "external-dns": externalDns,
  gateway,
  "http-cache": httpCache,
  harbor,
  info,
  ingress,
  foundationdb,
  kafka,
  kubernetes,
  "kubernetes-nodes": kubernetesNodes,
  mariadb,
  monitoring,
  mongodb,
  nats,
  openbao,
  opensearch,
  postgres,
  qdrant,
  rabbitmq,
  redis,
  seaweedfs,
  "tcp-balancer": tcpBalancer,
  tenant,
  "vm-disk": vmDisk,
  "vm-instance": vmInstance,
  vpc,
  vpn,
};

/** What every application with volumes refuses. */
const ofVolumes = (await allApps()).flatMap(({ app, folder }): readonly (readonly [string, Deviation])[] => {
  if (volumesOf(app.schema).length === 0) return [];
  const deviation: Deviation = {
    class: "fault",
    outcome: "refuses",
    cases: "unseen",
    when: (values) => asksForNothing(app.schema, values),
    reason: "A volume of size 0 is refused: nobody can make one, and upstream's release waited for it for ever.",
    test: "a volume of nothing is refused, and of sizes nothing else",
  };
  return [[folder, deviation]];
});

export const deviations: Readonly<Record<string, readonly Deviation[]>> = Object.fromEntries(
  Object.entries(own).map(([folder, declared]) => [
    folder,
    [...declared, ...ofVolumes.flatMap(([of, deviation]) => (of === folder ? [deviation] : []))],
  ]),
);
