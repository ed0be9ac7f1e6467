/**
 * Helm's word for what it must not delete.
 */
import type { KubeObject } from "../../kube/object.ts";
import { annotation } from "./steps.ts";
import type { Edit } from "./writes.ts";

export const KEEP = "helm.sh/resource-policy";

/** Marks an object as one that Helm keeps when its manifest no longer has it. An empty value does not. */
export function keep(live: KubeObject): readonly Edit[] {
  return annotation(live, KEEP, "keep");
}
