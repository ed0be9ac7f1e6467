/**
 * Digests of objects as we want them and as the API server accepted them (api-machinery rule 2).
 */
import { createHash } from "node:crypto";
import { isRecord } from "../kube/json.ts";

/** JSON with sorted keys: equal values give equal text. Undefined fields are left out, as JSON does. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item ?? null)).join(",")}]`;
  if (!isRecord(value)) return JSON.stringify(value ?? null);
  const fields = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${fields.join(",")}}`;
}

/** 16 characters (96 bits) of the SHA-256 of {@link canonical}. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("base64url").slice(0, 16);
}
