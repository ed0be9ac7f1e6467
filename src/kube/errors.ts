/**
 * The errors of this layer: one table of stable codes. `code` is what programs branch on, `message` what people read,
 * `remedy` what they can do about it. Messages never contain a Secret's values.
 */
import type { ObjectRef } from "./object.ts";

/** The base of every error that this program raises on purpose. */
export class CozystackError extends Error {
  /** Stable: a program may compare it. */
  readonly code: string;
  /** What the reader can do, as a sentence. */
  readonly remedy: string;

  constructor(code: string, message: string, remedy: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = new.target.name;
    this.code = code;
    this.remedy = remedy;
  }
}

interface ApiProblem {
  /** The HTTP status when the API server answered; 0 when no answer came. */
  readonly status: number;
  readonly remedy: string;
}

/** Every way a request to the API server can fail. */
export const apiProblems = {
  BadRequest: { status: 400, remedy: "Correct the request; the message names the field." },
  Unauthorized: { status: 401, remedy: "Renew the token or certificate in the kubeconfig." },
  Forbidden: { status: 403, remedy: "Ask an administrator for the permission named in the message." },
  QuotaExceeded: {
    status: 403,
    remedy: "Free or raise the namespace's quota: the message names the resource and what is left.",
  },
  NamespaceTerminating: { status: 403, remedy: "Wait until the namespace is gone; nothing can be created in it." },
  NotFound: { status: 404, remedy: "Create the object, or correct its name and namespace." },
  Unserved: {
    status: 404,
    remedy: "Install the package that defines this kind, or wait until the API server serves it.",
  },
  MethodNotAllowed: { status: 405, remedy: "This kind does not support the operation." },
  NotAcceptable: { status: 406, remedy: "The API server cannot answer in the form asked for." },
  AlreadyExists: { status: 409, remedy: "Choose another name, or adopt the existing object." },
  Conflict: { status: 409, remedy: "The object changed, or another manager owns the field. Read it again and retry." },
  Expired: { status: 410, remedy: "The resource version is too old. List again and continue from there." },
  TooLarge: { status: 413, remedy: "Make the object smaller." },
  UnsupportedMediaType: { status: 415, remedy: "This kind does not support this kind of patch." },
  Invalid: { status: 422, remedy: "Correct the fields named in the message." },
  TooManyRequests: { status: 429, remedy: "Retry after the time the API server asked for." },
  InternalError: { status: 500, remedy: "Look at the API server's log, and at the webhooks in the request's way." },
  ServiceUnavailable: { status: 503, remedy: "The API server, or an aggregated one behind it, is not ready. Retry." },
  Timeout: { status: 504, remedy: "The API server did not answer in time. Retry." },
  Network: { status: 0, remedy: "Check that the API server's address can be reached." },
  Malformed: {
    status: 0,
    remedy: "Check that the address is a Kubernetes API server and no proxy alters its answers.",
  },
  Aborted: { status: 0, remedy: "The caller gave up; nothing to do." },
  Closed: { status: 0, remedy: "This program has closed its connection; open another one." },
} as const satisfies Record<string, ApiProblem>;

export type ApiErrorCode = keyof typeof apiProblems;

/** One finding of the API server: which field, and what is wrong with it. */
export interface ErrorCause {
  readonly reason?: string;
  /** As the API server writes it, e.g. `spec.replicas`. */
  readonly field?: string;
  readonly message?: string;
}

export interface ApiErrorDetails {
  readonly status?: number;
  readonly verb?: string;
  /** What the request was about; without a name for lists. */
  readonly ref?: Omit<ObjectRef, "name"> & { readonly name?: string };
  readonly causes?: readonly ErrorCause[];
  readonly retryAfterSeconds?: number;
  /** True when a write may have been carried out although no answer, or no usable one, came. */
  readonly ambiguous?: boolean;
  /** Default: the code's own. */
  readonly remedy?: string;
  readonly cause?: unknown;
}

/** A request to the API server that failed. */
export class ApiError extends CozystackError {
  declare readonly code: ApiErrorCode;
  readonly status: number;
  readonly verb: string | undefined;
  readonly ref: ApiErrorDetails["ref"];
  readonly causes: readonly ErrorCause[];
  readonly retryAfterSeconds: number | undefined;
  readonly ambiguous: boolean;

  constructor(code: ApiErrorCode, message: string, details: ApiErrorDetails = {}) {
    const remedy = details.remedy ?? apiProblems[code].remedy;
    super(code, message, remedy, details.cause === undefined ? {} : { cause: details.cause });
    this.status = details.status ?? apiProblems[code].status;
    this.verb = details.verb;
    this.ref = details.ref;
    this.causes = details.causes ?? [];
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.ambiguous = details.ambiguous ?? false;
  }
}

/** Whether `error` is an ApiError, with one of the codes when any are given. */
export function isApiError(error: unknown, ...codes: readonly ApiErrorCode[]): error is ApiError {
  return error instanceof ApiError && (codes.length === 0 || codes.includes(error.code));
}

/**
 * Whether the same request may succeed later without anybody changing anything. An ambiguous write counts too: its
 * caller reads before it writes again.
 */
export function isTransient(error: unknown): boolean {
  return isApiError(
    error,
    "TooManyRequests",
    "InternalError",
    "ServiceUnavailable",
    "Timeout",
    "Network",
    "Malformed",
    "Expired",
    "Conflict",
  );
}
