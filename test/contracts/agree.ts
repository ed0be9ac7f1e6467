/**
 * Whether a contract's schema fits the real one: whatever the contract says exists there and means the same.
 */
import type { StructuralSchema } from "../../src/kube/structural-schema.ts";

/** What every object has, whether its definition says so or not. */
const everyObject: readonly string[] = ["apiVersion", "kind", "metadata"];

function isOpen(real: StructuralSchema): boolean {
  return real["x-kubernetes-preserve-unknown-fields"] === true && real.properties === undefined;
}

function childOf(real: StructuralSchema, name: string): StructuralSchema | undefined {
  return (
    real.properties?.[name] ?? (typeof real.additionalProperties === "object" ? real.additionalProperties : undefined)
  );
}

function typesFit(ours: StructuralSchema, real: StructuralSchema): boolean {
  const [mine, theirs] = [ours["x-kubernetes-int-or-string"] === true, real["x-kubernetes-int-or-string"] === true];
  if (mine || theirs) return mine && theirs;
  if (real.type === undefined) return real["x-kubernetes-preserve-unknown-fields"] === true;
  if (ours.type === undefined) return ours["x-kubernetes-preserve-unknown-fields"] === true && real.type === "object";
  return ours.type === real.type;
}

/** Every disagreement, with its path. */
export function disagreements(ours: StructuralSchema, real: StructuralSchema, path = ""): readonly string[] {
  const at = path === "" ? "(root)" : path;
  const found: string[] = [];
  if (!typesFit(ours, real)) found.push(`${at}: ${ours.type ?? "any"} here, ${real.type ?? "any"} there`);
  if (isOpen(real)) return found;

  const values = real.enum;
  if (values !== undefined && ours.type === "string") {
    const own = ours.enum?.filter((value) => !values.includes(value));
    if (own === undefined) found.push(`${at}: any text here, there one of ${values.join(", ")}`);
    else if (own.length > 0) found.push(`${at}: ${own.join(", ")} is no value there`);
  }

  if (ours["x-kubernetes-preserve-unknown-fields"] !== true) {
    for (const name of real.required ?? []) {
      if (path === "" && everyObject.includes(name)) continue;
      if (
        ours.type === "object" &&
        ours.required?.includes(name) !== true &&
        real.properties?.[name]?.default === undefined
      ) {
        found.push(`${at}: ${name} is required there`);
      }
    }
  }
  for (const [name, child] of Object.entries(ours.properties ?? {})) {
    if (path === "" && everyObject.includes(name)) continue;
    const theirs = childOf(real, name);
    const below = path === "" ? name : `${path}.${name}`;
    found.push(...(theirs === undefined ? [`${below}: does not exist there`] : disagreements(child, theirs, below)));
  }
  if (ours.items !== undefined && real.items !== undefined)
    found.push(...disagreements(ours.items, real.items, `${path}[*]`));
  if (typeof ours.additionalProperties === "object") {
    const theirs = typeof real.additionalProperties === "object" ? real.additionalProperties : undefined;
    if (theirs === undefined) found.push(`${at}: a map here, fixed fields there`);
    else found.push(...disagreements(ours.additionalProperties, theirs, `${path}{*}`));
  }
  return found;
}
