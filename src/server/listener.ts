/**
 * The one TLS listener of the process: HTTP/2, and HTTP/1.1 for those who speak nothing else. Certificates and the front
 * proxy's authority are exchanged while it runs. What it serves is a list of routes: the aggregated API, webhooks, probes.
 */
import { constants } from "node:crypto";
import { once } from "node:events";
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { type Answer, type Document, failure } from "./answer.ts";
import { callerOf, type FrontProxy, type Peer } from "./authentication.ts";
import type { Caller, Incoming } from "./incoming.ts";
import { asStatusError, notFound, StatusError } from "./status.ts";

/** What the listener serves below a path. */
export type Route = {
  /** `/healthz`; with a trailing slash everything below it. */
  readonly path: string;
} & (
  | {
      /** Only users whom the API server's front proxy names reach the handler. */
      readonly for: "users";
      handle(incoming: Incoming, caller: Caller): Answer | Promise<Answer>;
    }
  | {
      /** Whoever can connect: probes, and webhooks, whose caller the API server does not authenticate. */
      readonly for: "anyone";
      handle(incoming: Incoming): Answer | Promise<Answer>;
    }
);

/** PEM texts. */
export interface ServingCertificate {
  readonly certificate: string;
  readonly key: string;
}

export interface ListenerOptions {
  readonly routes: readonly Route[];
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  readonly serving: ServingCertificate;
  /** Told of faults of this program and of clients' connections that failed. */
  readonly onError?: (error: unknown) => void;
}

export interface Listener {
  readonly port: number;
  /** Serves new connections with it. */
  setServing(serving: ServingCertificate): void;
  /** Verifies new connections by it; users of another one must connect anew. */
  setFrontProxy(frontProxy: FrontProxy | undefined): void;
  /** Ends everything at once. */
  close(): Promise<void>;
}

/** Largest body of a request, as the API server's own. */
const bodyLimit = 3 * 1024 * 1024;

/** Opens the listener. Rejects when the port is taken. */
export async function listen(options: ListenerOptions): Promise<Listener> {
  const { onError = () => undefined } = options;
  let { serving } = options;
  let frontProxy: FrontProxy | undefined;
  const sessions = new Set<ServerHttp2Session>();
  const sockets = new Set<Socket>();
  const peers = new WeakMap<object, Peer>();

  const context = () => ({
    key: serving.key,
    cert: serving.certificate,
    minVersion: "TLSv1.2" as const,
    // A resumed session would keep an authorisation by an authority that is no longer trusted.
    secureOptions: constants.SSL_OP_NO_TICKET,
    ...(frontProxy === undefined ? {} : { ca: frontProxy.ca }),
  });
  const server: Http2SecureServer = createSecureServer({
    ...context(),
    allowHTTP1: true,
    requestCert: true,
    rejectUnauthorized: false,
    settings: { maxConcurrentStreams: 1000 },
  });

  const peerOf = (socket: object): Peer => {
    const known = peers.get(socket);
    if (known !== undefined) return known;
    const peer = socket instanceof TLSSocket ? readPeer(socket) : { verified: false, commonName: undefined };
    peers.set(socket, peer);
    return peer;
  };

  const answerTo = async (request: Http2ServerRequest, signal: AbortSignal): Promise<Answer> => {
    const url = new URL(request.url, "https://server");
    const route = routeOf(options.routes, url.pathname);
    if (route === undefined) throw notFound({ group: "", plural: "path", name: url.pathname });
    const incoming = incomingOf(request, url, signal);
    if (route.for === "anyone") return route.handle(incoming);
    const caller = callerOf(frontProxy, peerOf(request.socket), request.rawHeaders);
    if (caller === undefined) throw new StatusError("Unauthorized", "Unauthorized");
    return route.handle(incoming, caller);
  };

  const serve = async (request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> => {
    const gone = new AbortController();
    response.on("close", () => gone.abort(new Error("the client is gone")));
    let answer: Answer;
    try {
      answer = await answerTo(request, gone.signal);
    } catch (error) {
      const status = asStatusError(error);
      if (status.reason === "InternalError" && !gone.signal.aborted) onError(status.cause ?? status);
      answer = failure(status);
    }
    if (gone.signal.aborted) return;
    if (answer.is === "document") writeDocument(response, answer);
    else await writeStream(response, answer.contentType, answer.lines, gone.signal);
  };

  server.on("request", (request, response) => {
    serve(request, response).catch((error: unknown) => {
      onError(error);
      response.stream?.destroy();
    });
  });
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
    session.on("error", () => session.destroy());
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  // Scanners and clients that do not trust us: nothing to do about them.
  server.on("tlsClientError", () => undefined);
  server.listen(options.port, options.host);
  await once(server, "listening");
  server.on("error", onError);
  const address = server.address();

  return {
    port: address !== null && typeof address === "object" ? address.port : options.port,
    setServing(next) {
      serving = next;
      server.setSecureContext(context());
    },
    setFrontProxy(next) {
      const renewed = next?.ca !== frontProxy?.ca;
      frontProxy = next;
      if (!renewed) return;
      server.setSecureContext(context());
      // What runs on a connection may end; what comes next must be verified by the new authority.
      const ending = new Set([...sessions].map(({ socket }) => socket.remotePort));
      for (const session of sessions) session.close();
      for (const socket of sockets) if (!ending.has(socket.remotePort)) socket.destroy();
    },
    async close() {
      server.close();
      for (const session of sessions) session.destroy();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function readPeer(socket: TLSSocket): Peer {
  if (!socket.authorized) return { verified: false, commonName: undefined };
  const name: unknown = socket.getPeerCertificate().subject?.CN;
  return { verified: true, commonName: typeof name === "string" ? name : undefined };
}

/** The most specific route. */
function routeOf(routes: readonly Route[], path: string): Route | undefined {
  return routes
    .filter((route) => (route.path.endsWith("/") ? path.startsWith(route.path) : path === route.path))
    .sort((a, b) => b.path.length - a.path.length)[0];
}

function incomingOf(request: Http2ServerRequest, url: URL, signal: AbortSignal): Incoming {
  return {
    method: request.method.toUpperCase(),
    path: url.pathname,
    query: url.searchParams,
    signal,
    header(name) {
      const value = request.headers[name];
      return Array.isArray(value) ? value[0] : value;
    },
    async body() {
      const chunks: Buffer[] = [];
      let size = 0;
      for await (const chunk of request) {
        const bytes = Buffer.from(chunk);
        size += bytes.length;
        if (size > bodyLimit) {
          throw new StatusError("RequestEntityTooLarge", `limit is ${bodyLimit} bytes`);
        }
        chunks.push(bytes);
      }
      return Buffer.concat(chunks).toString("utf8");
    },
  };
}

function writeDocument(response: Http2ServerResponse, answer: Document): void {
  const { status, contentType, body, headers = {}, warnings = [] } = answer;
  if (warnings.length > 0) response.setHeader("warning", warnings.map(warning));
  response.writeHead(status, { "content-type": contentType, "cache-control": "no-cache, private", ...headers });
  response.end(body);
}

const warning = (text: string): string =>
  `299 - "${text.replaceAll(/[^\x20-\x7e]/g, "?").replaceAll(/["\\]/g, "\\$&")}"`;

async function writeStream(
  response: Http2ServerResponse,
  contentType: string,
  lines: AsyncIterable<string>,
  gone: AbortSignal,
): Promise<void> {
  response.writeHead(200, { "content-type": contentType, "cache-control": "no-cache, private" });
  // HTTP/1.1 would wait for the first line.
  if ("flushHeaders" in response && typeof response.flushHeaders === "function") response.flushHeaders();
  for await (const line of lines) {
    if (gone.aborted) break;
    if (response.write(line)) continue;
    // A client that reads too slowly holds its own stream up, and the producer's queue ends it in time.
    await Promise.race([once(response, "drain"), once(response, "close")]);
  }
  if (!gone.aborted) response.end();
}
