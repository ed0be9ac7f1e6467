/**
 * The labels that some of upstream's charts put on what they render. Selectors name them, and running installations have
 * them, so that they are rendered still.
 */
import type { AppContext } from "./context.ts";

export interface ChartNames {
  /** Name of upstream's chart, such as `vm-instance`. */
  readonly chart: string;
  /** Its `appVersion`. */
  readonly appVersion: string;
}

/** Longest value of a label. */
const limit = 63;

/** All labels of an object of the chart. `helm.sh/chart` follows the version of the product, {@link AppContext.chartVersion}. */
export function chartLabels(names: ChartNames, release: string, context: Pick<AppContext, "chartVersion">) {
  const version = `${names.chart}-${context.chartVersion}`.replaceAll("+", "_").slice(0, limit).replace(/-$/, "");
  return {
    "helm.sh/chart": version,
    ...chartSelector(names, release),
    "app.kubernetes.io/version": names.appVersion,
    "app.kubernetes.io/managed-by": "Helm",
  };
}

/** Those of them that selectors use: they never change. */
export function chartSelector({ chart }: Pick<ChartNames, "chart">, release: string) {
  return { "app.kubernetes.io/name": chart, "app.kubernetes.io/instance": release };
}
