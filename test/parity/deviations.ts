/**
 * Every declared deviation, by the application (its folder's name) it belongs to.
 */
import type { Deviation } from "./deviation.ts";
import { bucket } from "./deviations/bucket.ts";
import { clickhouse } from "./deviations/clickhouse.ts";
import { etcd } from "./deviations/etcd.ts";
import { info } from "./deviations/info.ts";
import { kafka } from "./deviations/kafka.ts";
import { mariadb } from "./deviations/mariadb.ts";
import { nats } from "./deviations/nats.ts";
import { postgres } from "./deviations/postgres.ts";
import { qdrant } from "./deviations/qdrant.ts";
import { rabbitmq } from "./deviations/rabbitmq.ts";
import { redis } from "./deviations/redis.ts";
import { tcpBalancer } from "./deviations/tcp-balancer.ts";
import { tenant } from "./deviations/tenant.ts";
import { vmDisk } from "./deviations/vm-disk.ts";
import { vmInstance } from "./deviations/vm-instance.ts";

export const deviations: Readonly<Record<string, readonly Deviation[]>> = {
  bucket,
  clickhouse,
  etcd,
  info,
  kafka,
  mariadb,
  nats,
  postgres,
  qdrant,
  rabbitmq,
  redis,
  "tcp-balancer": tcpBalancer,
  tenant,
  "vm-disk": vmDisk,
  "vm-instance": vmInstance,
};
