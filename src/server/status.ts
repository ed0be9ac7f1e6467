/**
 * What a refused request is answered with: Kubernetes' Status objects, so that every client understands them.
 */
import { type ApiError, type ApiErrorCode, type ErrorCause, isApiError } from "../kube/errors.ts";

/** Kubernetes' own reasons, with the HTTP status of each. */
const reasons = {
  BadRequest: 400,
  Unauthorized: 401,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  AlreadyExists: 409,
  Conflict: 409,
  Expired: 410,
  RequestEntityTooLarge: 413,
  UnsupportedMediaType: 415,
  Invalid: 422,
  TooManyRequests: 429,
  InternalError: 500,
  ServiceUnavailable: 503,
  Timeout: 504,
} as const;

export type StatusReason = keyof typeof reasons;

/** The kind of object that a request is about, as error messages name it. */
export interface Subject {
  readonly group: string;
  readonly plural: string;
  readonly name?: string;
}

export interface StatusDetails {
  readonly subject?: Subject;
  readonly causes?: readonly ErrorCause[];
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** A request that is refused; it becomes the answer. The message is for the caller and holds no Secret's values. */
export class StatusError extends Error {
  readonly reason: StatusReason;
  readonly details: StatusDetails;

  constructor(reason: StatusReason, message: string, details: StatusDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.name = "StatusError";
    this.reason = reason;
    this.details = details;
  }

  get status(): number {
    return reasons[this.reason];
  }
}

const quoted = ({ group, plural, name = "" }: Subject): string => `${plural}.${group} ${JSON.stringify(name)}`;

export const notFound = (subject: Subject): StatusError =>
  new StatusError("NotFound", `${quoted(subject)} not found`, { subject });

export const alreadyExists = (subject: Subject): StatusError =>
  new StatusError("AlreadyExists", `${quoted(subject)} already exists`, { subject });

export const conflict = (subject: Subject, why: string): StatusError =>
  new StatusError("Conflict", `Operation cannot be fulfilled on ${quoted(subject)}: ${why}`, { subject });

/** One or more fields are wrong. `causes` name them. */
export function invalid(subject: Subject, causes: readonly Required<Pick<ErrorCause, "field" | "message">>[]) {
  const found = causes.map(({ field, message }) => `${field}: ${message}`).join(", ");
  return new StatusError("Invalid", `${quoted(subject)} is invalid: ${found}`, {
    subject,
    causes: causes.map((cause) => ({ reason: "FieldValueInvalid", ...cause })),
  });
}

export const badRequest = (message: string): StatusError => new StatusError("BadRequest", message);

/** The change at `version` is no longer known: the client must list anew. */
export const expired = (version: string): StatusError =>
  new StatusError("Expired", `too old resource version: ${version}; list again and continue from there`);

export function methodNotAllowed(subject: Subject, verb: string): StatusError {
  return new StatusError(
    "MethodNotAllowed",
    `${verb} is not supported on resources of kind "${subject.plural}.${subject.group}"`,
    {
      subject,
    },
  );
}

/** A resource version that this replica has not reached in time. Clients recognise it by the cause. */
export function tooNew(version: string, current: string): StatusError {
  return new StatusError("Timeout", `Too large resource version: ${version}, current: ${current}`, {
    retryAfterSeconds: 1,
    causes: [{ reason: "ResourceVersionTooLarge", message: "Too large resource version" }],
  });
}

const byCode: Readonly<Record<ApiErrorCode, StatusReason>> = {
  BadRequest: "BadRequest",
  // The API server refused us, not our caller.
  Unauthorized: "ServiceUnavailable",
  Forbidden: "Forbidden",
  QuotaExceeded: "Forbidden",
  NamespaceTerminating: "Forbidden",
  NotFound: "NotFound",
  Unserved: "NotFound",
  MethodNotAllowed: "MethodNotAllowed",
  NotAcceptable: "NotAcceptable",
  AlreadyExists: "AlreadyExists",
  Conflict: "Conflict",
  Expired: "Expired",
  TooLarge: "RequestEntityTooLarge",
  UnsupportedMediaType: "UnsupportedMediaType",
  Invalid: "Invalid",
  TooManyRequests: "TooManyRequests",
  InternalError: "InternalError",
  ServiceUnavailable: "ServiceUnavailable",
  Timeout: "Timeout",
  Network: "ServiceUnavailable",
  Malformed: "ServiceUnavailable",
  Aborted: "ServiceUnavailable",
  Closed: "ServiceUnavailable",
};

/**
 * The answer for any failure. Of the API server's refusals the reason and the causes are passed on; faults of this program
 * are told without their text, which may hold anything.
 */
export function asStatusError(error: unknown, subject?: Subject): StatusError {
  if (error instanceof StatusError) return error;
  const about = subject === undefined ? {} : { subject };
  if (!isApiError(error)) return new StatusError("InternalError", "internal error", { ...about, cause: error });
  return fromApiError(error, about);
}

function fromApiError(error: ApiError, about: Pick<StatusDetails, "subject">): StatusError {
  const { subject } = about;
  if (subject?.name !== undefined && error.code === "NotFound") return notFound(subject);
  if (subject?.name !== undefined && error.code === "AlreadyExists") return alreadyExists(subject);
  const { retryAfterSeconds, causes } = error;
  return new StatusError(byCode[error.code], withoutPlace(error.message), {
    ...about,
    cause: error,
    ...(causes.length === 0 ? {} : { causes }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** Our client's errors begin with what it was doing, which names the object behind the view. */
const withoutPlace = (message: string): string => message.replace(/^[a-z]+ [^:]*: /, "");

/** The Status object of an error. */
export function statusBody(error: StatusError) {
  const { subject, causes, retryAfterSeconds } = error.details;
  const details = {
    ...(subject === undefined
      ? {}
      : {
          ...(subject.name === undefined ? {} : { name: subject.name }),
          group: subject.group,
          kind: subject.plural,
        }),
    ...(causes === undefined ? {} : { causes }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: error.message,
    reason: error.reason,
    ...(Object.keys(details).length === 0 ? {} : { details }),
    code: error.status,
  };
}

/** A Status that the object is deleted. */
export function deletedBody(subject: Subject, uid: string | undefined) {
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Success",
    details: {
      name: subject.name,
      group: subject.group,
      kind: subject.plural,
      ...(uid === undefined ? {} : { uid }),
    },
  };
}
