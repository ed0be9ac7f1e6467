/**
 * P8 and P9: storage classes that tenants' clusters get from this one, and what is there by the same names.
 */
import { propagated, storageClasses } from "../../apps/kubernetes/addons/storage-classes.ts";
import type { StorageClassObject } from "../../contracts/storage-k8s-io.ts";
import { isRecord } from "../../kube/json.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import {
  type Cluster,
  clusterRef,
  clustersSource,
  clusterText,
  controlPlanesSource,
  type Inside,
  insideEach,
  unreadClusters,
} from "./kubernetes-clusters.ts";
import { defineSource, listOf, type Resource, read, resourceText, type Source, valueIn } from "./source.ts";

const resource: Resource = { group: "storage.k8s.io", plural: "storageclasses" };

const textsOf = (value: unknown): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(isRecord(value) ? value : {}).map(([key, text]) => [key, String(text)]));

/** Storage classes of this cluster. */
const classesSource: Source<readonly StorageClassObject[]> = listOf(
  resource,
  ({ apiVersion, kind, metadata, provisioner, parameters }): StorageClassObject => ({
    apiVersion,
    kind,
    metadata: { name: metadata.name },
    provisioner: String(provisioner),
    parameters: textsOf(parameters),
  }),
);

/** A class inside a tenant's cluster. */
interface TenantClass {
  readonly name: string;
  /** Whether a release of Helm says that it is its own. */
  readonly released: boolean;
}

const tenantClassesSource = listOf(resource, ({ metadata }): TenantClass => {
  const release = metadata.annotations?.["meta.helm.sh/release-name"] ?? "";
  return { name: metadata.name, released: release !== "" };
});

/** What each cluster has. */
const insideSource: Source<readonly Inside<readonly TenantClass[]>[]> = defineSource(
  [...clustersSource.reads, "secrets RELEASE-admin-kubeconfig", "in each cluster: storageclasses.storage.k8s.io"],
  async (reader) => {
    const clusters = await clustersSource.answer(reader);
    if (clusters.is !== "read") return clusters;
    const running = await controlPlanesSource.answer(reader);
    if (running.is === "unreadable") return running;
    return read(
      await insideEach(reader, clusters.value, new Set(valueIn(running, [])), (within) =>
        tenantClassesSource.answer(within),
      ),
    );
  },
);

function collisions(classes: readonly StorageClassObject[], { cluster, answer }: Inside<readonly TenantClass[]>) {
  const coming = new Set(Object.keys(storageClasses(cluster.storageClass, classes)));
  const there = answer?.is === "read" ? answer.value : [];
  return there.filter(({ name, released }) => !released && coming.has(name)).map(({ name }) => name);
}

const collisionFinding = (cluster: Cluster, names: readonly string[]): Finding => ({
  object: clusterRef(cluster),
  severity: "blocking",
  what: `has ${names.length === 1 ? "a storage class" : "storage classes"} made by hand by the name of what comes: ${names.join(", ")}`,
  remedy: names.map(
    (name) =>
      `kubectl delete storageclass ${name}   # in ${clusterText(cluster)}; its volumes and claims stay as they are`,
  ),
});

export const collisionCheck = defineCheck({
  id: "P8",
  title: "Storage classes in tenants' clusters",
  severity: "blocking",
  why: "Helm takes over no object that somebody else made: the release of the storage driver in such a cluster never gets ready, nor does whatever waits for it.",
  remedy: ["kubectl delete storageclass NAME   # in the tenant's cluster; its volumes and claims stay as they are"],
  sources: { classes: classesSource, inside: insideSource },
  classify({ classes, inside }): Classified {
    const all = valueIn(inside, []);
    const live = valueIn(classes, []);
    const waiting = all.filter(({ answer }) => answer === undefined);
    return {
      applies: all.length > waiting.length,
      findings: all.flatMap((one) => {
        const names = collisions(live, one);
        return names.length === 0 ? [] : [collisionFinding(one.cluster, names)];
      }),
      unread: unreadClusters(all),
      notes: waiting.map(({ cluster }) => `${clusterText(cluster)} has no control plane yet`),
    };
  },
});

const remoteParameter = "linstor.csi.linbit.com/allowRemoteVolumeAccess";

/** A parameter with or without the driver's prefix. */
const parameter = ({ parameters }: StorageClassObject, name: string): string | undefined =>
  parameters?.[`linstor.csi.linbit.com/${name}`] ?? parameters?.[name];

/** Whether volumes of the class are on one node alone: nothing replicates them. */
function isOnOneNode(one: StorageClassObject): boolean {
  const layers = parameter(one, "layerList");
  const copies = parameter(one, "placementCount") ?? parameter(one, "autoPlace");
  return (layers !== undefined && !/drbd/i.test(layers)) || copies === "1";
}

export const nodeLocalCheck = defineCheck({
  id: "P9",
  title: "Storage classes of single nodes",
  severity: "warning",
  why: "A class that does not say that its volumes stay on their node is offered in every tenant's cluster. A machine on another node cannot use such a volume.",
  remedy: [
    `Delete the class and make it anew with the parameter ${remoteParameter}: "false"; parameters cannot be changed. Volumes stay as they are.`,
  ],
  sources: { classes: classesSource },
  classify({ classes }): Classified {
    const ofLinstor = valueIn(classes, []).filter(({ provisioner }) => provisioner === "linstor.csi.linbit.com");
    return {
      applies: ofLinstor.length > 0,
      findings: ofLinstor
        .filter((one) => propagated(one) && parameter(one, "allowRemoteVolumeAccess") === undefined && isOnOneNode(one))
        .map(({ metadata: { name } }) => ({
          object: { group: resource.group, kind: "StorageClass", name },
          severity: "warning",
          what: "keeps volumes on one node and does not say so: tenants' clusters get it as one of any node",
          remedy: [
            `kubectl get ${resourceText(resource)} ${name} -o yaml > ${name}.yaml   # then add ${remoteParameter}: "false"`,
            `kubectl replace --force -f ${name}.yaml`,
          ],
        })),
      notes: ofLinstor
        .filter((one) => propagated(one))
        .map(({ metadata: { name } }) => `${name} is offered in tenants' clusters`),
    };
  },
});
