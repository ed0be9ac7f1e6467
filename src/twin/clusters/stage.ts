/** Tenants' clusters on the stage: what players see of them, and what becomes of what they want there. */
import type { AnyKind, KubeObject } from "../../kube/object.ts";
import { makerOf } from "../children.ts";
import type { Act, AnyPlayer, ClusterView, Scene } from "../player.ts";
import type { ClusterName, ClusterState, Fleet } from "./fleet.ts";
import { keepInCluster } from "./objects.ts";

export interface ClusterStage {
  /** What a player sees of a cluster. `onFind` is told of every look-up: of the cluster, and of an object in it. */
  view(cluster: ClusterName, onFind: (found: string) => void): ReturnType<Scene["cluster"]>;
  /** Does what the player wants in its cluster, and of its API server. */
  perform(player: AnyPlayer, object: KubeObject, act: Act): Promise<void>;
  /** The object is no more, or goes: so does what was made for it. */
  dismiss(player: AnyPlayer, namespace: string, name: string): Promise<void>;
}

/** By what a look-up of a cluster is remembered. */
export const lookUp = ({ namespace, name }: ClusterName): string => `cluster/${namespace}/${name}`;

/** By what a look-up of an object in it is remembered. */
export const lookUpIn = (cluster: ClusterName, kind: string, namespace: string | undefined, name: string): string =>
  `${lookUp(cluster)}/${kind}/${namespace ?? ""}/${name}`;

type OnFind = (kind: AnyKind, namespace: string | undefined, name: string) => void;

function viewOf(state: ClusterState, onFind: OnFind): ReturnType<Scene["cluster"]> {
  if (state === "simulated") return state;
  if (state === "starting") return "down";
  const { server, ca, token } = state;
  const find: ClusterView["find"] = (kind, name, namespace) => {
    const within = kind.namespaced ? namespace : undefined;
    onFind(kind, within, name);
    return state.storeOf(kind).get(name, within);
  };
  return { server, ca, token, find };
}

/** Without a fleet every cluster is simulated. */
export function clusterStage(fleet: Fleet | undefined): ClusterStage {
  const inNamespace = (object: KubeObject, name: string): ClusterName => ({
    namespace: object.metadata.namespace ?? "",
    name,
  });
  return {
    view(cluster, onFind) {
      onFind(lookUp(cluster));
      return viewOf(fleet?.stateOf(cluster) ?? "simulated", (kind, namespace, name) =>
        onFind(lookUpIn(cluster, kind.kind, namespace, name)),
      );
    },
    async perform({ inClusters }, object, { inCluster, apiServer }) {
      if (fleet === undefined) return;
      const { name, uid = "" } = object.metadata;
      if (apiServer !== undefined) fleet.keep(inNamespace(object, name), { uid, ...apiServer });
      if (inCluster === undefined) return;
      const state = fleet.stateOf(inNamespace(object, inCluster.cluster));
      if (typeof state === "string") return;
      await keepInCluster(state, makerOf(object), inClusters, inCluster.objects);
    },
    async dismiss({ kind, inClusters, hasApiServer }, namespace, name) {
      if (fleet === undefined) return;
      if (hasApiServer) fleet.keep({ namespace, name }, undefined);
      const maker = makerOf({ apiVersion: "", kind: kind.kind, metadata: { name, namespace } });
      if (inClusters.length === 0) return;
      for (const cluster of fleet.answering(namespace)) await keepInCluster(cluster, maker, inClusters, []);
    },
  };
}

/** Kinds of which the twin keeps stores in tenants' clusters. */
export function kindsInClusters(players: readonly AnyPlayer[]): readonly AnyKind[] {
  const all = players.flatMap(({ inClusters }) => inClusters);
  return [...new Map(all.map((kind) => [`${kind.group}/${kind.kind}`, kind])).values()];
}
