/** An object of every kind that some role may touch, in every place, for the cells to be tried on. */
import { apps } from "../../../src/apps/index.ts";
import type { Client } from "../../../src/kube/client.ts";
import { isApiError } from "../../../src/kube/errors.ts";
import type { KubeObject } from "../../../src/kube/object.ts";
import { concurrently } from "../../../src/reconcile/concurrently.ts";
import type { Served } from "../support/cluster.ts";

const pod = { spec: { containers: [{ name: "a", image: "a" }] } };

/** Fields without which the API server would not take the object. By `group/plural`. */
const fields: Readonly<Record<string, (namespace: string) => object>> = {
  pods: () => pod,
  services: () => ({ spec: { ports: [{ port: 80 }] } }),
  events: (namespace) => ({ involvedObject: { namespace, kind: "Pod", name: "a" }, reason: "Tried", type: "Normal" }),
  endpoints: () => ({}),
  secrets: () => ({ type: "Opaque" }),
  configmaps: () => ({}),
  persistentvolumeclaims: () => ({
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  }),
  "discovery.k8s.io/endpointslices": () => ({ addressType: "IPv4", endpoints: [] }),
  "networking.k8s.io/ingresses": () => ({
    spec: { defaultBackend: { service: { name: "a", port: { number: 80 } } } },
  }),
  "rbac.authorization.k8s.io/roles": () => ({ rules: [] }),
  "cozystack.io/workloadmonitors": () => ({ spec: { selector: { a: "a" } } }),
  "cozystack.io/workloads": () => ({}),
  "kubevirt.io/virtualmachines": () => ({
    spec: { runStrategy: "Halted", template: { spec: { domain: { devices: {} } } } },
  }),
  "core.cozystack.io/tenantsecrets": () => ({ stringData: { a: "a" } }),
  "core.cozystack.io/applicationplans": (namespace) => ({
    spec: {
      application: {
        apiVersion: "apps.cozystack.io/v1alpha1",
        kind: "Redis",
        metadata: { name: "planned", namespace },
        spec: {},
      },
    },
  }),
  "authorization.k8s.io/selfsubjectaccessreviews": () => ({
    spec: { resourceAttributes: { verb: "get", resource: "pods", namespace: "default" } },
  }),
  "authorization.k8s.io/selfsubjectrulesreviews": () => ({ spec: { namespace: "default" } }),
  "authentication.k8s.io/selfsubjectreviews": () => ({}),
};

const key = ({ group, plural }: Served): string => (group === "" ? plural : `${group}/${plural}`);

/** Name of the object that is there. */
export function probeName(kind: Served): string {
  // A Secret that is not shown has the name of all others: it must not come up among those that are.
  const views: Readonly<Record<string, string>> = {
    options: "storageclass",
    tenantmodules: "info",
    tenantsecrets: "shown",
  };
  if (kind.group === "core.cozystack.io") return views[kind.plural] ?? "probe";
  const app = apps.find(({ group, plural }) => group === kind.group && plural === kind.plural);
  return app?.module === true ? app.kind.toLowerCase() : "probe";
}

export function bodyOf(kind: Served, name: string, namespace: string | undefined): KubeObject {
  return {
    apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
    kind: kind.kind,
    // Questions about oneself have no names.
    metadata: kind.plural.startsWith("selfsubject")
      ? { name: "" }
      : { name, ...(namespace === undefined ? {} : { namespace }) },
    ...(fields[key(kind)]?.(namespace ?? "") ?? { spec: {} }),
  };
}

/** The live objects, by kind and namespace. Kinds that have none by nature are left out. */
export async function plantProbes(
  admin: Client,
  kinds: readonly Served[],
  namespaces: readonly string[],
): Promise<ReadonlyMap<string, KubeObject>> {
  const planted = new Map<string, KubeObject>();
  const wanted = kinds.flatMap((kind) => namespaces.map((namespace) => ({ kind, namespace })));
  await concurrently(wanted, 8, async ({ kind, namespace }) => {
    const name = probeName(kind);
    const { group, version, plural } = kind;
    const of = { group, version, plural, kind: kind.kind, namespaced: true };
    try {
      await admin.create<KubeObject>(of, bodyOf(kind, name, namespace));
    } catch (error) {
      // Views have no objects of their own; a module may be there already.
      if (!isApiError(error, "AlreadyExists", "MethodNotAllowed", "Forbidden")) throw error;
    }
    const live = await admin.get<KubeObject>(of, name, namespace);
    if (live !== undefined) planted.set(`${key(kind)} ${namespace}`, live);
  });
  return planted;
}

export const probeKey = (kind: Served, namespace: string): string => `${key(kind)} ${namespace}`;
