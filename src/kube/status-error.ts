/**
 * From an answer of the API server that is no success to the error that says what it means.
 */
import { ApiError, type ApiErrorCode, type ApiErrorDetails, apiProblems, type ErrorCause } from "./errors.ts";
import { isRecord } from "./json.ts";

/** The request that failed, as far as errors need to know it. */
export interface FailedRequest {
  readonly verb: string;
  readonly path: string;
  readonly ref?: NonNullable<ApiErrorDetails["ref"]>;
}

interface StatusBody {
  readonly reason: string | undefined;
  readonly message: string | undefined;
  /** Whether the server says which object it means: an object, rather than a kind, was not found. */
  readonly namesObject: boolean;
  readonly causes: readonly ErrorCause[];
  readonly retryAfterSeconds: number | undefined;
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

function readCause(value: unknown): ErrorCause {
  if (!isRecord(value)) return {};
  const [reason, field, message] = [text(value["reason"]), text(value["field"]), text(value["message"])];
  return {
    ...(reason === undefined ? {} : { reason }),
    ...(field === undefined ? {} : { field }),
    ...(message === undefined ? {} : { message }),
  };
}

function readStatus(body: unknown): StatusBody {
  const status = isRecord(body) && body["kind"] === "Status" ? body : {};
  const details = isRecord(status["details"]) ? status["details"] : {};
  const seconds = details["retryAfterSeconds"];
  return {
    reason: text(status["reason"]),
    message: text(status["message"]),
    namesObject: text(details["name"]) !== undefined,
    causes: Array.isArray(details["causes"]) ? details["causes"].map(readCause) : [],
    retryAfterSeconds: typeof seconds === "number" && seconds > 0 ? seconds : undefined,
  };
}

const byReason: Readonly<Record<string, ApiErrorCode>> = {
  BadRequest: "BadRequest",
  Unauthorized: "Unauthorized",
  Forbidden: "Forbidden",
  NotFound: "NotFound",
  AlreadyExists: "AlreadyExists",
  Conflict: "Conflict",
  Gone: "Expired",
  Expired: "Expired",
  Invalid: "Invalid",
  Timeout: "Timeout",
  ServerTimeout: "Timeout",
  StoreReadError: "InternalError",
  TooManyRequests: "TooManyRequests",
  MethodNotAllowed: "MethodNotAllowed",
  NotAcceptable: "NotAcceptable",
  RequestEntityTooLarge: "TooLarge",
  UnsupportedMediaType: "UnsupportedMediaType",
  InternalError: "InternalError",
  ServiceUnavailable: "ServiceUnavailable",
};

const byStatus: ReadonlyMap<number, ApiErrorCode> = new Map<number, ApiErrorCode>([
  [400, "BadRequest"],
  [401, "Unauthorized"],
  [403, "Forbidden"],
  [404, "NotFound"],
  [405, "MethodNotAllowed"],
  [406, "NotAcceptable"],
  [409, "Conflict"],
  [410, "Expired"],
  [413, "TooLarge"],
  [415, "UnsupportedMediaType"],
  [422, "Invalid"],
  [429, "TooManyRequests"],
  [502, "ServiceUnavailable"],
  [503, "ServiceUnavailable"],
  [504, "Timeout"],
]);

/**
 * Server-side apply answers 500 to a value of a type that the schema does not have, as to a fault of its own, which waiting
 * would cure: `failed to create typed patch object (NAME; VERSION, Kind=KIND): .spec.replicas: expected numeric, got string`.
 */
const wrongType =
  /^failed to create typed (?:patch|live|new) object \(.*?\): (?:\.?(?<field>[^:\s]+): )?(?<problem>.+)$/s;

/** A policy or webhook said no: permissions would not help, and its message says what does. */
const deniedByRule = /\bdenied (?:the )?request\b/;

function codeOf(httpStatus: number, status: StatusBody): ApiErrorCode {
  if (wrongType.test(status.message ?? "")) return "Invalid";
  const code =
    byReason[status.reason ?? ""] ??
    byStatus.get(httpStatus) ??
    (httpStatus >= 400 && httpStatus < 500 ? "BadRequest" : "InternalError");
  // A kind without a definition is a 404 too, as text or as a Status that names no object. It says nothing of the object.
  if (code === "NotFound" && !status.namesObject) return "Unserved";
  if (code !== "Forbidden") return code;
  if (status.causes.some((cause) => cause.reason === "NamespaceTerminating")) return "NamespaceTerminating";
  return status.message?.includes("exceeded quota: ") === true ? "QuotaExceeded" : code;
}

/** `Retry-After` in seconds; the date form is not used by API servers. */
function retryAfterOf(header: string | undefined): number | undefined {
  const seconds = Number(header);
  return header !== undefined && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

function place(request: FailedRequest): string {
  const { ref } = request;
  if (ref === undefined) return `${request.verb} ${request.path}`;
  const name = ref.name === undefined ? "" : ` ${ref.namespace === undefined ? "" : `${ref.namespace}/`}${ref.name}`;
  const within = ref.name === undefined && ref.namespace !== undefined ? ` in ${ref.namespace}` : "";
  return `${request.verb} ${ref.kind}${ref.group === "" ? "" : `.${ref.group}`}${name}${within}`;
}

/** The API server quotes refused values: for a Secret only the names of the fields may go on. */
function withoutValues(causes: readonly ErrorCause[]): readonly ErrorCause[] {
  return causes.map(({ message: _, ...rest }) => rest);
}

/** The error for an answer of `httpStatus` with `body` (parsed JSON, or text). */
export function statusError(
  request: FailedRequest,
  httpStatus: number,
  body: unknown,
  retryAfterHeader?: string,
): ApiError {
  const read = readStatus(body);
  const code = codeOf(httpStatus, read);
  const typed = wrongType.exec(read.message ?? "")?.groups;
  const status =
    typed?.["field"] === undefined || typed["problem"] === undefined
      ? read
      : { ...read, causes: [{ reason: "FieldValueTypeInvalid", field: typed["field"], message: typed["problem"] }] };
  const secret =
    request.ref?.group === "" && request.ref.kind === "Secret" && (code === "Invalid" || code === "BadRequest");
  const causes = secret ? withoutValues(status.causes) : status.causes;
  const fields = causes.flatMap((cause) => cause.field ?? []).join(", ");
  const said = status.message ?? (typeof body === "string" ? body.trim().slice(0, 300) : "");
  const message = secret ? `refused${fields === "" ? "" : ` at ${fields}`}` : said === "" ? `HTTP ${httpStatus}` : said;
  const retryAfterSeconds = status.retryAfterSeconds ?? retryAfterOf(retryAfterHeader);
  return new ApiError(code, `${place(request)}: ${message}`, {
    status: httpStatus,
    verb: request.verb,
    causes,
    // The server may have stored the object and then failed to answer, as after a timeout.
    ambiguous: httpStatus >= 500 && code !== "Invalid",
    ...(code === "Forbidden" && deniedByRule.test(said)
      ? { remedy: "Do what the rule asks for that refuses it." }
      : {}),
    ...(request.ref === undefined ? {} : { ref: request.ref }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
}

/** The error for a request that got no usable answer. */
export function connectionError(
  code: Extract<ApiErrorCode, "Network" | "Malformed" | "Aborted" | "Closed" | "Timeout">,
  request: FailedRequest,
  cause: unknown,
  ambiguous: boolean,
): ApiError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ApiError(code, `${place(request)}: ${reason === "" ? apiProblems[code].remedy : reason}`, {
    status: 0,
    verb: request.verb,
    ambiguous,
    cause,
    ...(request.ref === undefined ? {} : { ref: request.ref }),
  });
}
