/**
 * The context of every tenant namespace, derived from three things that are watched: Namespaces (place and values, by
 * annotation and labels), the platform's values, and which APIs are served. A namespace's labels are the only copy of what
 * its tenant hands on, so nothing else has to be read.
 */
import { placeOf, ROOT, valuesOfLabels } from "../apps/tenant/place.ts";
import type { ObjectMeta, ObjectRef } from "../kube/object.ts";
import type { ContextAnswer } from "../reconcile/context.ts";
import { type AppContext, type ClusterValues, clusterFlag, clusterText, type NamespaceValues } from "../sdk/context.ts";

/** What the table keeps of a Namespace. */
export type NamespaceFacts = Pick<ObjectMeta, "labels" | "annotations">;

type Place = Pick<AppContext, "tenant" | "namespace">;

/** Called with the namespace whose context changed; undefined: all of them. */
export type ContextListener = (namespace: string | undefined) => void;

export class ContextTable {
  readonly #chartVersion: string;
  readonly #places = new Map<string, Place>();
  readonly #known = new Set<string>();
  readonly #listeners = new Set<ContextListener>();
  #cluster: ClusterValues | undefined;
  #problem: string | undefined;
  #apis: ReadonlySet<string> = new Set();

  /** `chartVersion`: what new objects are stamped with, see AppContext. */
  constructor(chartVersion: string) {
    this.#chartVersion = chartVersion;
  }

  answer(namespace: string): ContextAnswer {
    const cluster = this.#cluster;
    if (cluster === undefined)
      return waiting(PACKAGE, this.#problem ?? "the platform's configuration was not read yet");
    const place = this.#places.get(namespace);
    if (place === undefined) {
      const on = namespaceRef(namespace);
      return this.#known.has(namespace) ? { is: "notATenant", on } : waiting(on, "does not exist");
    }
    const values = namespace === ROOT ? rootValues(cluster) : place.namespace;
    const { tenant } = place;
    return {
      is: "known",
      context: { cluster, namespace: values, tenant, chartVersion: this.#chartVersion, apis: this.#apis },
    };
  }

  setNamespace(name: string, facts: NamespaceFacts): void {
    this.#known.add(name);
    const tenant = placeOf(name, facts.annotations);
    this.#replace(name, tenant === undefined ? undefined : { tenant, namespace: valuesOfLabels(facts.labels) });
  }

  removeNamespace(name: string): void {
    this.#known.delete(name);
    this.#replace(name, undefined);
  }

  setCluster(cluster: ClusterValues): void {
    const same = JSON.stringify(cluster) === JSON.stringify(this.#cluster);
    this.#cluster = cluster;
    this.#problem = undefined;
    if (!same) this.#tell(undefined);
  }

  /** The platform's configuration cannot be used: the last good one stays in force, or everything waits with this reason. */
  setProblem(problem: string): void {
    this.#problem = problem;
  }

  setApis(apis: ReadonlySet<string>): void {
    const same = apis.size === this.#apis.size && [...apis].every((api) => this.#apis.has(api));
    this.#apis = apis;
    if (!same) this.#tell(undefined);
  }

  onChange(listener: ContextListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #replace(name: string, place: Place | undefined): void {
    const before = this.#places.get(name);
    if (JSON.stringify(before) === JSON.stringify(place)) return;
    if (place === undefined) this.#places.delete(name);
    else this.#places.set(name, place);
    this.#tell(name);
  }

  #tell(namespace: string | undefined): void {
    for (const listener of this.#listeners) listener(namespace);
  }
}

/** What tenant-root hands on comes from the platform's configuration: its Namespace carries no such labels. */
export function rootValues(cluster: ClusterValues): NamespaceValues {
  return {
    host: clusterText(cluster, "root-host"),
    etcd: ROOT,
    ingress: ROOT,
    gateway: clusterFlag(cluster, "gateway-enabled") ? ROOT : "",
    monitoring: ROOT,
    seaweedfs: ROOT,
    schedulingClass: "",
  };
}

const PACKAGE: ObjectRef = { group: "cozystack.io", kind: "Package", name: "cozystack.cozystack-platform" };

const namespaceRef = (name: string): ObjectRef => ({ group: "", kind: "Namespace", name });

function waiting(on: ObjectRef, why: string): ContextAnswer {
  return { is: "waiting", on, why };
}
