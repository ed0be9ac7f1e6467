/**
 * 44: a controller that nothing refers to.
 */
import { Deployment } from "../../../contracts/apps.ts";
import { HelmRelease } from "../kinds.ts";
import type { Migration } from "../migration.ts";
import { deleteNamed } from "../steps.ts";

const place = { name: "flux-tenants", namespace: "cozy-fluxcd" } as const;

export const fluxShard: Migration = {
  id: 44,
  title: "remove the former Flux shard of tenants",
  why: "releases of tenants are spread over other controllers, and this one only costs memory",
  where: "Deployment cozy-fluxcd/flux-tenants, when no release names its shard",
  fails: { reads: "closed", writes: "closed" },
  onceDone: { is: "neverAgain", because: "a controller of that name that is there now is in use" },
  async precondition(cluster) {
    if ((await cluster.get(Deployment, place.name, place.namespace)) === undefined) {
      return { applies: false, because: "there is no Deployment cozy-fluxcd/flux-tenants" };
    }
    const served = await cluster.list(HelmRelease, { labelSelector: "sharding.fluxcd.io/key=tenants" });
    const [first, ...more] = served?.items ?? [];
    if (first === undefined) return { applies: true };
    const others = more.length === 0 ? "" : ` and ${more.length} more`;
    const { namespace, name } = first.metadata;
    return { applies: false, because: `it still serves HelmRelease ${namespace}/${name}${others}` };
  },
  steps: [deleteNamed("delete it", Deployment, [place], "no release names its shard")],
};
