/**
 * Digests of objects as we want them and as the API server accepted them (api-machinery rule 2).
 */
import { hash } from "node:crypto";
import { isRecord } from "../kube/json.ts";

/** JSON with sorted keys: equal values give equal text. Undefined fields are left out, as JSON does. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) {
    let text = "";
    for (const item of value) text += `${text === "" ? "" : ","}${canonical(item ?? null)}`;
    return `[${text}]`;
  }
  if (!isRecord(value)) return JSON.stringify(value ?? null);
  let text = "";
  for (const key of Object.keys(value).sort()) {
    const field = value[key];
    if (field !== undefined) text += `${text === "" ? "" : ","}${JSON.stringify(key)}:${canonical(field)}`;
  }
  return `{${text}}`;
}

/** 16 characters (96 bits) of the SHA-256 of {@link canonical}. */
export function digestOf(value: unknown): string {
  return hash("sha256", canonical(value), "base64url").slice(0, 16);
}
