/**
 * Secrets that a spec names. Whoever may order applications may read the Secrets that are shown to the tenant, and no
 * others; what runs for an application reads any. So only those that are shown may be named.
 */
import { Secret } from "../kube/core-kinds.ts";
import { type Need, required } from "./needs.ts";
import { TENANT_RESOURCE } from "./visibility.ts";

/**
 * The Secret of that name in the application's namespace, if it is shown to the tenant. One that is not is waited for as one
 * that is not there, so that nothing is learnt about it. Every field of a spec that names a Secret must ask for it by this.
 */
export function shownSecret(name: string): Need<string> {
  const { request } = required(Secret, name, {
    counts: {
      if: ({ metadata }) => metadata.labels?.[TENANT_RESOURCE] === "true",
      says: `is not shown to the tenant (label ${TENANT_RESOURCE}: "true")`,
    },
  });
  // Render only refers to it.
  return { request, read: () => name };
}

/** As {@link shownSecret} for each name; empty ones name nothing. */
export function shownSecrets(...names: readonly string[]): Readonly<Record<string, Need<string>>> {
  return Object.fromEntries(names.filter((name) => name !== "").map((name) => [name, shownSecret(name)]));
}
