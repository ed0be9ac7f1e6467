/**
 * Names of the classes that the tenant's object storage serves: its namespace, the pool, and what is asked for.
 */
import type { AppInput } from "../../sdk/app.ts";
import { refuse } from "../../sdk/errors.ts";
import type { Spec } from "./spec.ts";

type Input = Pick<AppInput<Spec>, "spec" | "context">;

/** Whether the tenant, or one above it, has object storage at all. */
export const hasStorage = ({ context }: Pick<Input, "context">): boolean => context.namespace.seaweedfs !== "";

/** Refuses a bucket where there is no object storage; upstream leaves a claim that never becomes ready. */
export function requireStorage(input: Pick<Input, "context">): void {
  if (hasStorage(input)) return;
  refuse({
    code: "InvalidPlatform",
    field: "metadata.namespace",
    message: "neither this tenant nor one above it has object storage",
    remedy: "Switch it on in a Tenant: set spec.seaweedfs to true on this tenant or one above it.",
  });
}

function base({ spec, context }: Input): string {
  const storage = context.namespace.seaweedfs;
  return spec.storagePool === "" ? storage : `${storage}-${spec.storagePool}`;
}

/** The BucketClass. With `locking` the one whose buckets keep object versions and outlive their claim. */
export function bucketClass(input: Input): string {
  return input.spec.locking ? `${base(input)}-lock` : base(input);
}

/** A user's BucketAccessClass. */
export function accessClass(input: Input, readonly: boolean): string {
  return readonly ? `${base(input)}-readonly` : base(input);
}
