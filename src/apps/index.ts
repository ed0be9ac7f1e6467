/**
 * The catalogue: every application that this program offers.
 */
import type { App } from "../sdk/app.ts";
import { bootBox } from "./bootbox/index.ts";
import { bucket } from "./bucket/index.ts";
import { clickhouse } from "./clickhouse/index.ts";
import { computePlane } from "./computeplane/index.ts";
import { etcd } from "./etcd/index.ts";
import { externalDns } from "./external-dns/index.ts";
import { foundationdb } from "./foundationdb/index.ts";
import { gateway } from "./gateway/index.ts";
import { harbor } from "./harbor/index.ts";
import { httpCache } from "./http-cache/index.ts";
import { info } from "./info/index.ts";
import { ingress } from "./ingress/index.ts";
import { kafka } from "./kafka/index.ts";
import { kubernetes } from "./kubernetes/index.ts";
import { kubernetesNodes } from "./kubernetes-nodes/index.ts";
import { mariadb } from "./mariadb/index.ts";
import { mongodb } from "./mongodb/index.ts";
import { monitoring } from "./monitoring/index.ts";
import { nats } from "./nats/index.ts";
import { openbao } from "./openbao/index.ts";
import { opensearch } from "./opensearch/index.ts";
import { postgres } from "./postgres/index.ts";
import { qdrant } from "./qdrant/index.ts";
import { rabbitmq } from "./rabbitmq/index.ts";
import { redis } from "./redis/index.ts";
import { seaweedfs } from "./seaweedfs/index.ts";
import { tcpBalancer } from "./tcp-balancer/index.ts";
import { tenant } from "./tenant/index.ts";
import { vmDisk } from "./vm-disk/index.ts";
import { vmInstance } from "./vm-instance/index.ts";
import { vpc } from "./vpc/index.ts";
import { vpn } from "./vpn/index.ts";

export const apps: readonly App[] = [
  tenant,
  info,
  etcd,
  gateway,
  ingress,
  bootBox,
  bucket,
  clickhouse,
  computePlane,
  httpCache,
  harbor,
  foundationdb,
  externalDns,
  kafka,
  kubernetes,
  kubernetesNodes,
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
  tcpBalancer,
  vmDisk,
  vmInstance,
  vpc,
  vpn,
];
