/**
 * One request to our listener, independent of the HTTP version it came by.
 */
import { isRecord } from "../kube/json.ts";
import { StatusError } from "./status.ts";

/** The authenticated user on whose behalf the API server asks. */
export interface Caller {
  readonly user: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

export interface Incoming {
  /** Upper case. */
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The first value of a header, by its name in lower case. */
  header(name: string): string | undefined;
  /** Aborted when the client is gone. */
  readonly signal: AbortSignal;
  /** @throws StatusError `RequestEntityTooLarge` above the listener's limit. */
  body(): Promise<string>;
}

/** The media type of the body, lower case, without parameters. */
export function mediaType(incoming: Pick<Incoming, "header">): string {
  return (incoming.header("content-type") ?? "application/json").split(";")[0]?.trim().toLowerCase() ?? "";
}

/** Parses a body. Errors do not quote it: it may hold a Secret. */
export function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    throw new StatusError("BadRequest", "the body is not valid JSON", { cause: error });
  }
}

/** Parses a body that must be a JSON object. */
export function parseObject(body: string): Readonly<Record<string, unknown>> {
  const value = parseJson(body);
  if (!isRecord(value)) throw new StatusError("BadRequest", "the body is not an object");
  return value;
}
