/**
 * One watch connection: the decoded events, until the server ends it or it fails.
 */
import type { WatchEvent } from "./client.ts";
import type { Decoder } from "./decode.ts";
import { ApiError } from "./errors.ts";
import { isRecord, valueAt } from "./json.ts";
import { lineSplitter } from "./lines.ts";
import type { KubeObject } from "./object.ts";
import type { Request } from "./request.ts";
import { connectionError, statusError } from "./status-error.ts";
import { asApiError, failure, type Headers, type Transport } from "./transport.ts";

const initialEventsEnd = "k8s.io/initial-events-end";

/** How much longer than the time limit we gave the server we wait for it to keep to it. */
const grace = 30_000;

function malformed(request: Request, problem: string): ApiError {
  return connectionError("Malformed", failure(request), new Error(problem), false);
}

function parseLine(request: Request, line: string): Readonly<Record<string, unknown>> {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch (error) {
    throw connectionError(
      "Malformed",
      failure(request),
      new Error("an event that is no JSON", { cause: error }),
      false,
    );
  }
  if (isRecord(parsed)) return parsed;
  throw malformed(request, "an event that is no object");
}

/** @throws ApiError for an `ERROR` event, `Expired` among them. */
function toEvent<T extends KubeObject>(request: Request, line: string, decode: Decoder<T>): WatchEvent<T> {
  const { type, object } = parseLine(request, line);
  switch (type) {
    case "ADDED":
      return { type: "added", object: decode(object) };
    case "MODIFIED":
      return { type: "modified", object: decode(object) };
    case "DELETED":
      return { type: "deleted", object: decode(object) };
    case "BOOKMARK": {
      const resourceVersion = valueAt(object, "metadata", "resourceVersion");
      if (typeof resourceVersion !== "string") throw malformed(request, "a bookmark without a resource version");
      const ended = valueAt(object, "metadata", "annotations", initialEventsEnd) === "true";
      return { type: ended ? "synced" : "bookmark", resourceVersion };
    }
    case "ERROR": {
      const code = valueAt(object, "code");
      throw statusError(failure(request), typeof code === "number" ? code : 500, object);
    }
    default:
      throw malformed(request, `an event of type ${JSON.stringify(type)}`);
  }
}

/** The events of one connection. `timeoutSeconds` is the limit the request gave the server. */
export async function* watchConnection<T extends KubeObject>(
  transport: Transport,
  headers: Headers,
  request: Request,
  decode: Decoder<T>,
  timeoutSeconds: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<WatchEvent<T>, void, undefined> {
  const limit = AbortSignal.timeout(timeoutSeconds * 1000 + grace);
  const body = await transport.open(request, headers, signal === undefined ? limit : AbortSignal.any([signal, limit]));
  const splitter = lineSplitter();
  try {
    for await (const chunk of body) {
      if (!(chunk instanceof Uint8Array)) throw malformed(request, "a stream that is not of bytes");
      for (const line of splitter.push(chunk)) {
        const event = toEvent(request, line, decode);
        const verdict = transport.interceptEvent?.({
          group: request.group ?? "",
          kind: request.kind ?? "",
          type: event.type,
        });
        if (verdict === "drop") continue;
        if (verdict === "disconnect") throw new ApiError("Network", "watch: disconnected by the interceptor");
        if (verdict === "expire") throw new ApiError("Expired", "watch: expired by the interceptor");
        yield event;
      }
    }
    if (splitter.incomplete) {
      throw connectionError("Network", failure(request), new Error("closed within an event"), false);
    }
  } catch (error) {
    throw asApiError(error, request, signal);
  } finally {
    // Ends the connection also when the caller stops reading early; the error that causes is nobody's.
    body.on("error", () => {}).destroy();
  }
}
