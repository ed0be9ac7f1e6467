/**
 * Where pods may run.
 */
import { parse, YAMLParseError } from "yaml";
import type { LabelSelector, TopologySpreadConstraint } from "../kube/core-kinds.ts";
import { isRecord } from "../kube/json.ts";
import type { AppContext } from "./context.ts";
import { refuse } from "./errors.ts";

const isConstraint = (value: unknown): value is TopologySpreadConstraint =>
  isRecord(value) &&
  typeof value["maxSkew"] === "number" &&
  typeof value["topologyKey"] === "string" &&
  (value["whenUnsatisfiable"] === "DoNotSchedule" || value["whenUnsatisfiable"] === "ScheduleAnyway");

function refuseText(message: string): never {
  return refuse({
    code: "InvalidPlatform",
    field: "_cluster.scheduling.globalAppTopologySpreadConstraints",
    message,
    remedy: "An administrator writes it as YAML: a map with the list topologySpreadConstraints.",
  });
}

function read(text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof YAMLParseError) return refuseText(`is not YAML (${error.code})`);
    throw error;
  }
}

/**
 * The platform's constraints for application pods, with `labelSelector` on the last of them (as upstream has it); undefined
 * when the platform sets none.
 */
export function topologySpread(
  context: Pick<AppContext, "cluster">,
  labelSelector: LabelSelector,
): readonly TopologySpreadConstraint[] | undefined {
  const scheduling = context.cluster["scheduling"];
  const text = isRecord(scheduling) ? scheduling["globalAppTopologySpreadConstraints"] : undefined;
  if (typeof text !== "string" || text.trim() === "") return undefined;
  const document = read(text);
  const list = isRecord(document) ? document["topologySpreadConstraints"] : undefined;
  if (!Array.isArray(list) || !list.every(isConstraint)) {
    return refuseText(
      "has no list topologySpreadConstraints of constraints with maxSkew, topologyKey and whenUnsatisfiable",
    );
  }
  return list.map((constraint, index) => (index === list.length - 1 ? { ...constraint, labelSelector } : constraint));
}
