/** Values of charts: what is given here, and what a user lays over it. */
import { isRecord } from "../../../kube/json.ts";

export type Values = Readonly<Record<string, unknown>>;

/** Maps are laid over each other key by key; anything else, lists and null included, takes the place of what was there. */
export function overlay(base: Values, override: Values): Values {
  const laid = Object.entries(override).map(([key, value]) => {
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    return [key, isRecord(below) && isRecord(value) ? overlay(below, value) : value] as const;
  });
  return { ...base, ...Object.fromEntries(laid) };
}
