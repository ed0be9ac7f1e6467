/**
 * The operators' real definitions, where they lie beside the checkout.
 */
import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import { isRecord, valueAt } from "../../src/kube/json.ts";
import type { CustomResourceDefinition } from "../../src/kube/kinds/extension.ts";

/** Absent in a checkout of its own; suites that need it skip then. */
export const crdDirectory = resolve(import.meta.dirname, "../../../shared/crds");
export const crdsPresent = existsSync(crdDirectory);

function isDefinition(value: unknown): value is CustomResourceDefinition {
  return (
    isRecord(value) && value["kind"] === "CustomResourceDefinition" && Array.isArray(valueAt(value, "spec", "versions"))
  );
}

/** The real definition of a kind; undefined when it is not among them. */
export function realCrd(group: string, plural: string): CustomResourceDefinition | undefined {
  const file = resolve(crdDirectory, group, `${plural}.yaml`);
  if (!existsSync(file)) return undefined;
  const value: unknown = parse(readFileSync(file, "utf8"));
  if (!isDefinition(value)) throw new Error(`${file} is no CustomResourceDefinition`);
  return value;
}
