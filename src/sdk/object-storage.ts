/**
 * The object storage that a tenant has, or inherits: names of its classes derive from the namespace that has it.
 */
import type { AppContext } from "./context.ts";
import { refuse } from "./errors.ts";

type Placed = { readonly context: Pick<AppContext, "namespace"> };

/** Whether the tenant, or one above it, has object storage at all. */
export const hasStorage = ({ context }: Placed): boolean => context.namespace.seaweedfs !== "";

/** Refuses what needs object storage where there is none; upstream leaves a claim that never becomes ready. */
export function requireStorage(input: Placed): void {
  if (hasStorage(input)) return;
  refuse({
    code: "InvalidPlatform",
    field: "metadata.namespace",
    message: "neither this tenant nor one above it has object storage",
    remedy: "Switch it on in a Tenant: set spec.seaweedfs to true on this tenant or one above it.",
  });
}
