/**
 * Plays the Job that binds people in a tenant's cluster: no container runs here. What it binds stands in the ConfigMap that it reads.
 */
import { ConfigMap } from "../../contracts/core.ts";
import { ClusterRoleBinding } from "../../kube/core-kinds.ts";
import { valueAt } from "../../kube/json.ts";
import { type Player, player } from "../player.ts";

const suffix = "-oidc-users";

/** A list of bindings, as kubectl takes it. */
function bindingsIn(text: string): readonly ReturnType<typeof ClusterRoleBinding>[] {
  const items = valueAt(JSON.parse(text), "items");
  return (Array.isArray(items) ? items : []).map(({ metadata, roleRef, subjects }) =>
    ClusterRoleBinding(String(metadata.name), { labels: metadata.labels, roleRef, subjects }),
  );
}

const users: Player<ReturnType<typeof ConfigMap>> = {
  kind: ConfigMap,
  makes: [],
  inClusters: [ClusterRoleBinding],
  play({ metadata: { name }, data = {} }) {
    const text = data["bindings.json"];
    if (!name.endsWith(suffix) || text === undefined) return { children: [] };
    return { children: [], inCluster: { cluster: name.slice(0, -suffix.length), objects: bindingsIn(text) } };
  },
};

export const clusterUsers = [player(users)];
