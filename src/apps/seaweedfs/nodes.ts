/** Labels of a zone's nodes: a text that the chart writes into its documents. */
import { parse } from "yaml";
import { isRecord } from "../../kube/json.ts";

// The chart's YAML is of the old kind, in which yes is no text.
const read = (text: string): unknown => parse(text, { version: "1.1", uniqueKeys: false });

/** The label whose value YAML takes for something else than a text; undefined where there is none. */
export function oddLabel(nodeSelector: string): string | undefined {
  const labels = read(nodeSelector);
  return isRecord(labels) ? Object.keys(labels).find((key) => typeof labels[key] !== "string") : undefined;
}

/** The nodes of a zone, where nothing else is said. */
export function zoneNodes(zone: string): string {
  const value = typeof read(zone) === "string" ? zone : JSON.stringify(zone);
  return `topology.kubernetes.io/zone: ${value}\n`;
}
