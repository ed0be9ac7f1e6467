/**
 * The object storage that a tenant has, or inherits: names of its classes derive from the namespace that has it.
 */
import { valueAt } from "../kube/json.ts";
import type { AppContext } from "./context.ts";
import { refuse } from "./errors.ts";
import type { Counts } from "./needs.ts";

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

const ownDriver = /^(tenant-[a-z0-9-]+)\.seaweedfs\.objectstorage\.k8s\.io$/;

/**
 * Which classes a need of the tenant's may take. Their names are put together from the storage's namespace and a pool that
 * users name, and so can be those of another tenant's storage: `tenant-a` with a pool `b` and `tenant-a-b`.
 */
export function ownStorage({ context }: Placed): Counts {
  return {
    if: (object) => {
      const [, namespace] = ownDriver.exec(String(valueAt(object, "driverName"))) ?? [];
      return namespace === undefined || namespace === context.namespace.seaweedfs;
    },
    says: "is not of the tenant's object storage",
  };
}
