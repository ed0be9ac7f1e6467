/**
 * What keeps one object from being written, for conditions and the CLI: the object, where in it, and the way out.
 */
import { CozystackError, isApiError, isTransient } from "../kube/errors.ts";
import type { ObjectRef } from "../kube/object.ts";

/** Codes of problems found by this room; problems of the API server keep its code. docs/errors.md explains each. */
export const reconcileProblems = {
  ForeignObject: {
    message: "exists and belongs to something else",
    remedy: "Rename the application, or remove the object if it is not needed.",
  },
  FightingOver: {
    message: "is changed back by another manager after every correction",
    remedy: "Stop the other manager from writing this field, or change the application so that both agree.",
  },
  SecretLost: {
    message: "held generated values and is gone",
    remedy:
      "Restore the Secret from a backup, or have new values made: `cozystack rotate`, or a new value of the annotation apps.cozystack.io/rotate.",
  },
  OwnershipUnproven: {
    message: "is not proven to be this application's, so it is not deleted",
    remedy: "Look at the object and delete it by hand if it is not needed.",
  },
  ConfirmationRequired: {
    message: "data would be lost",
    remedy: "Look at the plan, then set the annotation apps.cozystack.io/allow-data-loss to its hash.",
  },
  DuplicateObject: {
    message: "is rendered twice",
    remedy: "Report this application as faulty.",
  },
} as const satisfies Record<string, { readonly message: string; readonly remedy: string }>;

export type ReconcileProblemCode = keyof typeof reconcileProblems;

export interface ObjectProblem {
  readonly object: ObjectRef;
  readonly code: string;
  readonly field?: string;
  readonly message: string;
  readonly remedy: string;
  /** Whether the same attempt may succeed later without anybody changing anything. */
  readonly transient: boolean;
}

/** A problem of this room's table; `detail` ends the sentence. */
export function problemOf(
  object: ObjectRef,
  code: ReconcileProblemCode,
  detail: { readonly message?: string; readonly field?: string } = {},
): ObjectProblem {
  const { message, remedy } = reconcileProblems[code];
  return {
    object,
    code,
    message: detail.message === undefined ? message : `${message}: ${detail.message}`,
    remedy,
    transient: false,
    ...(detail.field === undefined ? {} : { field: detail.field }),
  };
}

/** What an error says about an object. Unknown errors are faults of the program and pass through. */
export function problemOfError(object: ObjectRef, error: unknown): ObjectProblem {
  if (!(error instanceof CozystackError)) throw error;
  const field = isApiError(error) ? error.causes.find((cause) => cause.field !== undefined)?.field : undefined;
  return {
    object,
    code: error.code,
    message: error.message,
    remedy: error.remedy,
    transient: isTransient(error),
    ...(field === undefined ? {} : { field }),
  };
}

/** `Secret tenant-a/db-auth`: how conditions name an object. */
export function nameOf(object: ObjectRef): string {
  return `${object.kind} ${object.namespace === undefined ? "" : `${object.namespace}/`}${object.name}`;
}
