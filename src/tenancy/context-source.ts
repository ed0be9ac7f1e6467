/**
 * Keeps the {@link ContextTable} current from the cluster, and answers the reconcile path from it.
 */
import { ConfigMap, Namespace } from "../contracts/core.ts";
import { Package } from "../contracts/cozystack-io.ts";
import { KeycloakRealmGroup } from "../contracts/v1-edp-epam-com.ts";
import type { AnyKind, KubeObject } from "../kube/object.ts";
import { apiVersionOf } from "../kube/object.ts";
import type { Store } from "../kube/store.ts";
import type { Stores } from "../kube/stores.ts";
import type { ContextSource } from "../reconcile/context.ts";
import type { ClusterValues } from "../sdk/context.ts";
import { ContextTable } from "./context-table.ts";

/** What the installation-wide values are derived from. */
export interface PlatformInputs {
  /** Package `cozystack.cozystack-platform`; undefined where there is none. */
  readonly package: KubeObject | undefined;
  /** `ca.crt` of ConfigMap `kube-system/kube-root-ca.crt`. */
  readonly rootCertificate?: string;
  /** `data` of ConfigMap `cozy-system/cozystack` of old installations. */
  readonly legacy?: Readonly<Record<string, string>>;
}

export interface ContextSourceOptions {
  readonly stores: Stores;
  /** See AppContext. */
  readonly chartVersion: string;
  /** Pure. Throws for a configuration that cannot be used. */
  readonly clusterValues: (inputs: PlatformInputs) => ClusterValues;
  readonly onError?: (error: unknown) => void;
}

/** Of each API that some render asks for, a kind whose store tells whether it is served. */
const PROBED: readonly AnyKind[] = [KeycloakRealmGroup, Package];

const settled = ({ state }: Store<KubeObject>): boolean => state.is === "synced" || state.is === "unserved";

/** A ContextSource over the process's stores; it lasts as long as they do. */
export function contextSource(options: ContextSourceOptions): ContextSource {
  const { stores, chartVersion, onError = () => undefined } = options;
  const named = (name: string) => ({ fieldSelector: `metadata.name=${name}` });
  const { store: namespaces } = stores.useMetadata(Namespace);
  const { store: packages } = stores.use(Package, named("cozystack.cozystack-platform"));
  const { store: rootCa } = stores.use(ConfigMap, { namespace: "kube-system", ...named("kube-root-ca.crt") });
  const { store: legacy } = stores.use(ConfigMap, { namespace: "cozy-system", ...named("cozystack") });
  // One object at most of each: it is the kind that is watched.
  const probes = PROBED.map((kind) => stores.useMetadata(kind, named("cozystack-probe")).store);
  const table = new ContextTable(chartVersion);

  function derive(): void {
    if (![packages, rootCa, legacy].every(settled)) return;
    const certificate = rootCa.list()[0]?.data?.["ca.crt"];
    const old = legacy.list()[0]?.data;
    try {
      const inputs: PlatformInputs = {
        package: packages.list()[0],
        ...(certificate === undefined ? {} : { rootCertificate: certificate }),
        ...(old === undefined ? {} : { legacy: old }),
      };
      table.setCluster(options.clusterValues(inputs));
    } catch (error) {
      onError(error);
      table.setProblem(error instanceof Error ? error.message : String(error));
    }
  }

  function probe(): void {
    if (!probes.every(settled)) return;
    table.setApis(new Set(probes.filter(({ state }) => state.is === "synced").map(({ kind }) => apiVersionOf(kind))));
  }

  namespaces.subscribe(({ type, object }) => {
    const { name, labels = {}, annotations = {} } = object.metadata;
    if (type === "deleted") table.removeNamespace(name);
    else table.setNamespace(name, { labels, annotations });
  });
  packages.subscribe(derive);
  rootCa.subscribe(derive);
  legacy.subscribe(derive);
  for (const { onState } of [packages, rootCa, legacy]) onState(derive);
  for (const { onState } of probes) onState(probe);
  // Stores that others use already may tell nothing new.
  derive();
  probe();

  const all: readonly Pick<Store<KubeObject>, "ready">[] = [namespaces, packages, rootCa, legacy, ...probes];
  return {
    async contextOf(namespace, signal) {
      await Promise.all(all.map((store) => store.ready(signal)));
      return table.answer(namespace);
    },
    onChange: (listener) => table.onChange(listener),
  };
}
