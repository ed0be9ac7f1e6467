/**
 * The twin: a simulated data plane for the embedded engine, which has no machines and no operators. What it makes is a
 * simulation, and says so: `twin-` nodes, their label, the banner of the CLI. It never runs in production.
 */

import { Secret } from "../contracts/core.ts";
import { kindByGroupKind } from "../contracts/index.ts";
import type { Client } from "../kube/client.ts";
import { groupOf } from "../kube/object.ts";
import { secretText } from "../kube/secret-text.ts";
import { systemWorld, type World } from "../kube/world.ts";
import { authorityCertificate } from "./certificate.ts";
import { fieldManager } from "./children.ts";
import { furniture } from "./furniture.ts";
import { type GrafanaAccount, startGrafanaServer } from "./grafana-server.ts";
import { kubelet, kubeletOfAll } from "./machines/kubelet.ts";
import { loadBalancer } from "./machines/load-balancer.ts";
import { keepNodesAlive, putUpNodes } from "./machines/nodes.ts";
import { storage, storageOfAll } from "./machines/volumes.ts";
import { cdi } from "./operators/cdi.ts";
import { certManager } from "./operators/cert-manager.ts";
import { ciliumGateway } from "./operators/cilium-gateway.ts";
import { clickhouse } from "./operators/clickhouse.ts";
import { clusterApi } from "./operators/cluster-api.ts";
import { clusterNodes } from "./operators/cluster-nodes.ts";
import { clusterUsers } from "./operators/cluster-users.ts";
import { cnpg } from "./operators/cnpg.ts";
import { cosi } from "./operators/cosi.ts";
import { etcd } from "./operators/etcd.ts";
import { flux } from "./operators/flux.ts";
import { foundationdb } from "./operators/foundationdb.ts";
import { grafana } from "./operators/grafana.ts";
import { kamaji } from "./operators/kamaji.ts";
import { keycloak } from "./operators/keycloak.ts";
import { kubeOvn } from "./operators/kube-ovn.ts";
import { kubevirt } from "./operators/kubevirt.ts";
import { mariadb } from "./operators/mariadb.ts";
import { opensearch } from "./operators/opensearch.ts";
import { psmdb } from "./operators/psmdb.ts";
import { rabbitmq } from "./operators/rabbitmq.ts";
import { redis } from "./operators/redis.ts";
import { strimzi } from "./operators/strimzi.ts";
import { victoriametrics } from "./operators/victoriametrics.ts";
import type { AnyPlayer } from "./player.ts";
import { runStage, type StageOptions } from "./stage.ts";

/** The machine side: nodes' pods, volumes, load balancers. */
export const machines: readonly AnyPlayer[] = [...kubelet, ...storage, ...loadBalancer];
export const machinesOfCopy: readonly AnyPlayer[] = [...kubeletOfAll, ...storageOfAll, ...loadBalancer];
/** The operators of third parties. */
export const operators: readonly AnyPlayer[] = [
  ...cnpg,
  ...redis,
  ...foundationdb,
  ...opensearch,
  ...psmdb,
  ...rabbitmq,
  ...mariadb,
  ...strimzi,
  ...clickhouse,
  ...cosi,
  ...cdi,
  ...kubeOvn,
  ...kubevirt,
  ...certManager,
  ...ciliumGateway,
  ...etcd,
  ...kamaji,
  ...clusterApi,
  ...clusterNodes,
  ...clusterUsers,
  ...flux,
  ...victoriametrics,
  ...grafana,
  ...keycloak,
];

export interface TwinOptions {
  readonly client: Client;
  readonly signal: AbortSignal;
  /** Default `twin`. */
  readonly seed?: string;
  /** Multiplies every duration; default 1, 0 is immediate. */
  readonly pace?: number;
  /** In which namespaces it plays; several twins may share a cluster. Objects without a namespace are always played. Default: all. */
  readonly scope?: (namespace: string) => boolean;
  readonly world?: World;
  /**
   * It plays on a copy of a cluster that has operators and machines of its own: nothing is put up, its nodes and classes are played,
   * and what operators have made is taken over as it is. Default false.
   */
  readonly onCopy?: boolean;
  /** Default: all of them. */
  readonly players?: readonly AnyPlayer[];
  /** API servers that play tenants' control planes, and the directory of their data. Default: none; nothing answers for those. */
  readonly clusters?: StageOptions["clusters"];
  readonly onError?: (what: string, error: unknown) => void;
}

export interface Twin {
  /** Resolves when all has ended after an abort; rejects with what ended it before. */
  readonly ended: Promise<void>;
  /** Address of the Grafana that is played for a namespace. */
  grafanaAt(namespace: string): string;
}

/**
 * Puts up nodes, storage classes, bucket classes and images, then plays until the signal is aborted. Resolves once it
 * plays; `ended` resolves when everything has stopped, and rejects when the twin cannot go on.
 */
export async function startTwin(options: TwinOptions): Promise<Twin> {
  const {
    client,
    signal,
    seed = "twin",
    pace = 1,
    scope = () => true,
    world = systemWorld,
    onCopy = false,
    players = [...(onCopy ? machinesOfCopy : machines), ...operators],
  } = options;
  const onError = options.onError ?? (() => {});
  const clusters = options.clusters === undefined ? {} : { clusters: options.clusters };
  if (!onCopy) await putUp(client, world);
  const certificate = await authorityCertificate(client, world.now());
  const stop = (error: unknown) => {
    if (!signal.aborted) throw error;
  };
  const ended = Promise.all([
    ...(onCopy ? [] : [keepNodesAlive(client, world, signal).catch(stop)]),
    runStage({
      client,
      players,
      seed,
      pace,
      scope,
      world,
      signal,
      certificate,
      takesOver: onCopy,
      onError,
      ...clusters,
    }).catch(stop),
  ]);
  const grafana = await startGrafanaServer({ accountOf: (namespace) => grafanaAccount(client, namespace) });
  return {
    ended: ended.finally(() => grafana.close()).then(() => {}),
    grafanaAt: (namespace) => grafana.at(namespace),
  };
}

async function putUp(client: Client, world: World): Promise<void> {
  await putUpNodes(client, world);
  for (const object of furniture) {
    const kind = kindByGroupKind(groupOf(object.apiVersion), object.kind);
    if (kind === undefined)
      throw new TypeError(`the twin's furniture has a ${object.kind}, which no contract declares`);
    await client.apply(kind, object, { fieldManager });
  }
}

async function grafanaAccount(client: Client, namespace: string): Promise<GrafanaAccount | undefined> {
  const secret = await client.get(Secret, "grafana-admin-password", namespace);
  if (secret === undefined) return undefined;
  const [user, password] = [secretText(secret, "user"), secretText(secret, "password")];
  return { user, password, instance: secret.metadata.uid ?? "" };
}
