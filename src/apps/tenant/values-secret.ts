/**
 * Secret `cozystack-values`: the context of a namespace in upstream's form, for what still reads it there.
 */
import { stringify } from "yaml";
import { Secret } from "../../contracts/core.ts";
import type { KubeObject } from "../../kube/object.ts";
import type { ClusterValues, NamespaceValues } from "../../sdk/context.ts";

/** What the Secret's key `values.yaml` holds. */
export interface ValuesDocument {
  readonly _cluster: ClusterValues;
  readonly _namespace?: Partial<NamespaceValues>;
}

/** The document as YAML, keys in order. */
export function valuesDocument(document: ValuesDocument): string {
  // Readers differ in what they take for a boolean or a number; a quoted text is a text for all of them.
  return stringify(document, {
    sortMapEntries: true,
    lineWidth: 0,
    defaultStringType: "QUOTE_DOUBLE",
    defaultKeyType: "QUOTE_DOUBLE",
  });
}

/** `_cluster` as it is; `_namespace` with a scheduling class only where there is one. */
export function valuesSecret(namespace: string, cluster: ClusterValues, values: NamespaceValues): KubeObject {
  const { schedulingClass, ...always } = values;
  const handedOn = schedulingClass === "" ? always : values;
  return Secret("cozystack-values", {
    namespace,
    labels: { "reconcile.fluxcd.io/watch": "Enabled" },
    type: "Opaque",
    stringData: { "values.yaml": valuesDocument({ _cluster: cluster, _namespace: handedOn }) },
  });
}
