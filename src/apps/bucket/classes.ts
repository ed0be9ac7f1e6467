/**
 * Names of the classes that the tenant's object storage serves: its namespace, the pool, and what is asked for.
 */
import type { AppInput } from "../../sdk/app.ts";
import type { Spec } from "./spec.ts";

type Input = Pick<AppInput<Spec>, "spec" | "context">;

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
