/**
 * Why migrations did not go on. Values of Secrets are in none of them.
 */
import { CozystackError } from "../../kube/errors.ts";
import type { ObjectRef } from "../../kube/object.ts";

export type MigrationErrorCode =
  | "KindNotReady"
  | "MigrationNotDone"
  | "MigrationRefused"
  | "MigrationsRunning"
  | "StampBeyond"
  | "StampInvalid"
  | "StampMissing"
  | "StampTooOld";

export class MigrationError extends CozystackError {
  declare readonly code: MigrationErrorCode;

  constructor(code: MigrationErrorCode, message: string, remedy: string, options: { readonly cause?: unknown } = {}) {
    super(code, message, remedy, options);
  }
}

/** `Deployment cozy-fluxcd/flux-tenants`, for messages. */
export function nameText({ kind, namespace, name }: ObjectRef): string {
  return `${kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** One object that could not be migrated. */
export interface Failure {
  readonly object: ObjectRef;
  readonly code: string;
  readonly message: string;
}

export function failureOf(object: ObjectRef, error: unknown): Failure {
  const code = error instanceof CozystackError ? error.code : "Failed";
  const message = error instanceof Error ? error.message : String(error);
  return { object, code, message };
}

/** Why something cannot be done; of a refusal nothing was written. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
}

export function problemOf(error: unknown): Problem {
  if (error instanceof CozystackError) return { code: error.code, message: error.message, remedy: error.remedy };
  throw error;
}
