/**
 * Requests on the wire: authentication, bounded retries where they are safe, and the errors of connections.
 */
import type { Dispatcher } from "undici";
import type { ClusterAccess, Credentials } from "./access.ts";
import { ApiError, isApiError } from "./errors.ts";
import { type Answer, exchange } from "./exchange.ts";
import { openPools } from "./pools.ts";
import {
  type Intercept,
  type InterceptEvent,
  type Request,
  type RequestCounters,
  type RequestOutcome,
  requestCounters,
} from "./request.ts";
import { connectionError, type FailedRequest, statusError } from "./status-error.ts";
import { backoff, type World } from "./world.ts";

export interface TransportOptions {
  readonly access: ClusterAccess;
  readonly connections: number;
  readonly timeout: number;
  readonly userAgent: string;
  readonly world: World;
  readonly intercept?: Intercept;
  readonly interceptEvent?: InterceptEvent;
  readonly onRequest?: (outcome: RequestOutcome) => void;
}

/** Headers of one identity, on top of the connection's own. */
export type Headers = Readonly<Record<string, string | string[]>>;

export interface Transport {
  readonly counters: RequestCounters;
  readonly world: World;
  readonly interceptEvent: InterceptEvent | undefined;
  /** The parsed answer of a request that succeeded. */
  send(request: Request, headers: Headers, signal?: AbortSignal): Promise<unknown>;
  /** The open body of a watch. The caller must read it to its end or destroy it. */
  open(request: Request, headers: Headers, signal: AbortSignal): Promise<Dispatcher.ResponseData["body"]>;
  close(): Promise<void>;
}

const retryBase = 100;
const retryCap = 5_000;
const retryAfterCap = 30_000;
/** A read that fails this often in a row fails for its caller, which has a slower rhythm of its own. */
const attempts = 4;

const neverSent = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);
const timedOut = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
/** Of what was asked, or watched, after `close`. */
const closed = new Set(["UND_ERR_CLOSED", "UND_ERR_DESTROYED"]);

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return "code" in error && typeof error.code === "string" ? error.code : "";
}

/** Whether the connection failed before a byte of the request went out. */
function failedToConnect(error: unknown): boolean {
  const code = codeOf(error);
  return neverSent.has(code) || code === "UND_ERR_CONNECT_TIMEOUT" || code.includes("CERT") || code.includes("TLS");
}

/** What became of a request, or a watch, that got no answer of the server, or no whole one. */
export function asApiError(error: unknown, request: Request, signal: AbortSignal | undefined): ApiError {
  if (error instanceof ApiError) return error;
  const failed = failure(request);
  if (signal?.aborted === true) return connectionError("Aborted", failed, signal.reason, request.write);
  // Requests under way are waited for: one that meets a closed connection was not sent.
  if (closed.has(codeOf(error))) return connectionError("Closed", failed, new Error("the client is closed"), false);
  const code = timedOut.has(codeOf(error)) ? "Timeout" : "Network";
  return connectionError(code, failed, error, request.write && !failedToConnect(error));
}

/** The request, as errors name it. */
export function failure(request: Request): FailedRequest {
  const { verb, path, group, kind, namespace, name } = request;
  if (group === undefined || kind === undefined) return { verb, path };
  return {
    verb,
    path,
    ref: { group, kind, ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) },
  };
}

/** Reads and dry runs change nothing and may be sent again; writes only when the server certainly did nothing. */
function mayRetry(request: Request, error: ApiError): boolean {
  if (error.code === "TooManyRequests") return true;
  if (error.code === "Network" && !error.ambiguous && failedToConnect(error.cause)) return true;
  if (request.write) return false;
  return error.status === 500 || isApiError(error, "Network", "Malformed", "Timeout", "ServiceUnavailable");
}

function parse(request: Request, text: string, contentType: string): unknown {
  if (!contentType.includes("json")) {
    if (request.verb === "raw") return text;
    throw connectionError("Malformed", failure(request), new Error(`answer of type ${contentType}`), request.write);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw connectionError("Malformed", failure(request), error, request.write);
  }
}

function statusBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A proxy's or the server's plain text: the message itself.
    return text;
  }
}

export function openTransport(options: TransportOptions): Transport {
  const { access, world } = options;
  const pools = openPools(access, { connections: options.connections, timeout: options.timeout });
  const { counters, count } = requestCounters();
  let dead = false;

  const headersOf = (request: Request, identity: Headers, credentials: Credentials): Headers => ({
    "user-agent": options.userAgent,
    accept: request.accept ?? "application/json",
    ...(request.contentType === undefined ? {} : { "content-type": request.contentType }),
    ...(credentials.token === undefined ? {} : { authorization: `Bearer ${credentials.token}` }),
    ...identity,
  });

  const kill = async (request: Request): Promise<never> => {
    dead = true;
    const error = new ApiError("Aborted", `${request.verb}: this client was killed by its interceptor`);
    await pools.destroy(error);
    throw error;
  };

  /** Asks the interceptor; gives what is left to do once the answer is there. */
  const interfere = async (request: Request): Promise<"loseAnswer" | "kill" | undefined> => {
    if (dead) throw new ApiError("Aborted", `${request.verb}: this client was killed by its interceptor`);
    const verdict = await options.intercept?.(request, counters.writes() + (request.write ? 1 : 0));
    if (verdict === undefined) return undefined;
    switch (verdict.do) {
      case "fail":
        throw new ApiError(verdict.code ?? "Network", `${request.verb} ${request.path}: failed by the interceptor`);
      case "delay":
        await world.sleep(verdict.ms);
        return undefined;
      case "loseAnswer":
        return "loseAnswer";
      case "kill":
        return verdict.when === "before" ? kill(request) : "kill";
    }
  };

  const dispatchOptions = async (request: Request, identity: Headers) => {
    const credentials = access.credentials === undefined ? access : await access.credentials.current();
    count(request);
    return {
      path: pools.prefix + request.path,
      method: request.method,
      headers: headersOf(request, identity, credentials),
      ...(request.body === undefined ? {} : { body: request.body }),
      // Else undici closes the connection after a DELETE that has a body, as ours have: a handshake per deletion.
      ...(request.method === "DELETE" ? { reset: false } : {}),
    };
  };

  const refusal = (request: Request, { status, headers, text }: Answer): ApiError => {
    const header = headers["retry-after"];
    return statusError(failure(request), status, statusBody(text), typeof header === "string" ? header : undefined);
  };

  const once = async (request: Request, identity: Headers, signal?: AbortSignal): Promise<unknown> => {
    const started = world.monotonic();
    let status = 0;
    try {
      const after = await interfere(request);
      const answer = await exchange(pools.requests, await dispatchOptions(request, identity), signal);
      status = answer.status;
      if (status >= 400) throw refusal(request, answer);
      if (after === "kill") await kill(request);
      if (after === "loseAnswer") throw new Error("answer lost by the interceptor");
      return parse(request, answer.text, String(answer.headers["content-type"] ?? ""));
    } catch (error) {
      throw asApiError(error, request, signal);
    } finally {
      options.onRequest?.({ request, status, milliseconds: world.monotonic() - started });
    }
  };

  /** `once`, with new credentials after a 401 when there are any to be had. */
  const authenticated = async <A>(attempt: () => Promise<A>): Promise<A> => {
    try {
      return await attempt();
    } catch (error) {
      if (access.credentials === undefined || !isApiError(error, "Unauthorized")) throw error;
      access.credentials.invalidate();
      return attempt();
    }
  };

  return {
    counters,
    world,
    interceptEvent: options.interceptEvent,
    async send(request, identity, signal) {
      for (let failures = 0; ; failures += 1) {
        try {
          return await authenticated(() => once(request, identity, signal));
        } catch (error) {
          if (!(error instanceof ApiError) || failures + 1 >= attempts || !mayRetry(request, error)) throw error;
          const asked = Math.min((error.retryAfterSeconds ?? 0) * 1000, retryAfterCap);
          const wait = Math.max(asked, backoff(failures, retryBase, retryCap, world.random));
          await world.sleep(wait, signal).catch((reason: unknown) => {
            throw asApiError(reason, request, signal);
          });
        }
      }
    },
    open: (request, identity, signal) =>
      authenticated(async () => {
        try {
          await interfere(request);
          const { statusCode, headers, body } = await pools.watches.request({
            ...(await dispatchOptions(request, identity)),
            signal,
          });
          if (statusCode >= 400) throw refusal(request, { status: statusCode, headers, text: await body.text() });
          return body;
        } catch (error) {
          throw asApiError(error, request, signal);
        }
      }),
    close: () => pools.close(),
  };
}
