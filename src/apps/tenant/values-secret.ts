/**
 * Secret `cozystack-values`: the context of a namespace in upstream's form, for what still reads it there.
 */
import { stringify } from "yaml";
import { Secret } from "../../contracts/core.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { ClusterValues, NamespaceValues } from "../../sdk/context.ts";

/** The document: `_cluster` as it is, `_namespace` with a scheduling class only where there is one. */
export function valuesDocument(cluster: ClusterValues, values: NamespaceValues): string {
  const { schedulingClass, ...always } = values;
  const document = {
    _cluster: cluster,
    _namespace: { ...always, ...(schedulingClass === "" ? {} : { schedulingClass }) },
  };
  // Readers differ in what they take for a boolean or a number; a quoted text is a text for all of them.
  return stringify(document, {
    sortMapEntries: true,
    lineWidth: 0,
    defaultStringType: "QUOTE_DOUBLE",
    defaultKeyType: "QUOTE_DOUBLE",
  });
}

export function valuesSecret(namespace: string, cluster: ClusterValues, values: NamespaceValues): KubeObject {
  return Secret("cozystack-values", {
    namespace,
    labels: { "reconcile.fluxcd.io/watch": "Enabled" },
    type: "Opaque",
    stringData: { "values.yaml": valuesDocument(cluster, values) },
  });
}
