/**
 * 55: Flux in tenants' clusters is no longer ours to install. It goes on running there.
 */
import { valueAt } from "../../../kube/json.ts";
import type { KubeObject } from "../../../kube/object.ts";
import type { Cluster, Listing } from "../cluster.ts";
import { HelmRelease } from "../kinds.ts";
import { type Migration, whereServed } from "../migration.ts";
import { editsOf, noticedByNobody } from "../steps.ts";
import type { Edit } from "../writes.ts";

const charts: ReadonlySet<unknown> = new Set(
  ["fluxcd", "fluxcd-operator"].map((name) => `cozystack-kubernetes-application-kubevirt-kubernetes-${name}`),
);

const isSuspended = (release: KubeObject): boolean => valueAt(release, "spec", "suspend") === true;
const isFree = ({ metadata }: KubeObject): boolean => (metadata.finalizers ?? []).length === 0;

/** In one write: between two, its controller could put the finalizer back. */
function edits(release: KubeObject): readonly Edit[] {
  return [
    ...(isSuspended(release) ? [] : [{ path: ["spec", "suspend"], to: true }]),
    ...(isFree(release) ? [] : [{ path: ["metadata", "finalizers"], to: undefined }]),
  ];
}

async function addons(cluster: Cluster): Promise<Listing<KubeObject>> {
  const found = await cluster.list(HelmRelease, {
    keep: (one) => charts.has(valueAt(one, "spec", "chartRef", "name")),
  });
  return found ?? { kind: HelmRelease, items: [] };
}

export const fluxAddons: Migration = {
  id: 55,
  title: "let go of Flux in tenants' clusters",
  why: "with its release, Flux and all that it installed in the tenant's cluster would be uninstalled",
  where: "releases of the charts for Flux in tenants' clusters",
  fails: { reads: "closed", writes: "closed" },
  onceDone: { is: "looksAgain", because: "a release that is left is uninstalled with its cluster's next change" },
  precondition: whereServed(HelmRelease),
  steps: [
    {
      title: "suspend them, and take off what would uninstall them",
      async plan(cluster) {
        return editsOf(await addons(cluster), edits, "what it installed is to stay", noticedByNobody);
      },
    },
    {
      title: "delete them",
      async plan(cluster) {
        const { kind, items } = await addons(cluster);
        return items.map((live) => ({
          do: "delete",
          kind,
          live,
          may: (now) => isSuspended(now) && isFree(now),
          because: "Flux in the tenant's cluster is the tenant's own",
        }));
      },
    },
  ],
};
