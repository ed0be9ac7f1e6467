/** What several of its objects have. */

/** Labels of upstream's chart, which running installations have. */
export const commonLabels = (release: string) => ({
  "app.kubernetes.io/name": "foundationdb",
  "app.kubernetes.io/instance": release,
  "app.kubernetes.io/managed-by": "Helm",
});

/** A label that the operator puts on pods and claims. */
export const clusterLabels = (release: string) => ({ "foundationdb.org/fdb-cluster-name": release });

export const classLabel = "foundationdb.org/fdb-process-class";

const amounts = { cpu: "100m", memory: "128Mi" };

/** Resources of what runs beside the processes. */
export const small = { limits: amounts, requests: amounts };
