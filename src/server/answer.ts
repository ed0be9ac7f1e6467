/**
 * Answers as values: what a handler gives and the listener writes.
 */
import { type StatusError, statusBody } from "./status.ts";

/** A whole answer. */
export interface Document {
  readonly is: "document";
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the `Warning` header: told to the user, the request succeeded. */
  readonly warnings?: readonly string[];
}

/** An answer without an end of its own. The listener stops reading when the client is gone. */
export interface Stream {
  readonly is: "stream";
  readonly contentType: string;
  readonly lines: AsyncIterable<string>;
}

export type Answer = Document | Stream;

export function json(value: unknown, status = 200): Document {
  return { is: "document", status, contentType: "application/json", body: JSON.stringify(value) };
}

export function text(body: string, status = 200): Document {
  return { is: "document", status, contentType: "text/plain; charset=utf-8", body };
}

export function failure(error: StatusError): Document {
  const answer = json(statusBody(error), error.status);
  const { retryAfterSeconds } = error.details;
  return retryAfterSeconds === undefined
    ? answer
    : { ...answer, headers: { "retry-after": String(retryAfterSeconds) } };
}
