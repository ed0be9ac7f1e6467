/**
 * The connections to one API server: a bounded keep-alive pool for requests, and one connection per watch apart from
 * it, so that watches never take a request's place. HTTP/1.1: measured level with HTTP/2, and without its limit of
 * 100 streams per connection that long watches would use up.
 */
import { buildConnector, Pool } from "undici";
import type { ClusterAccess } from "./access.ts";

export interface Pools {
  readonly requests: Pool;
  readonly watches: Pool;
  /** The server's own path before `/api`, without a trailing slash. */
  readonly prefix: string;
  close(): Promise<void>;
  /** Cuts every connection at once. */
  destroy(error: Error): Promise<void>;
}

export interface PoolLimits {
  /** Requests under way at a time; others wait. */
  readonly connections: number;
  /** How long an answer may take to begin, and to pause. Milliseconds. */
  readonly timeout: number;
}

/** Dead peers are noticed by TCP within about this time, also on a silent watch. */
const keepAliveInitialDelay = 15_000;
const connectTimeout = 10_000;

function connector(access: ClusterAccess): buildConnector.connector {
  const tls = {
    allowH2: false,
    timeout: connectTimeout,
    keepAlive: true,
    keepAliveInitialDelay,
    ...(access.ca === undefined ? {} : { ca: access.ca }),
    ...(access.tlsServerName === undefined ? {} : { servername: access.tlsServerName }),
    ...(access.insecureSkipTlsVerify === true ? { rejectUnauthorized: false } : {}),
  };
  const withCertificate = (cert: string | undefined, key: string | undefined): buildConnector.connector =>
    buildConnector(cert === undefined || key === undefined ? tls : { ...tls, cert, key });
  const { credentials } = access;
  if (credentials?.certificates !== true) return withCertificate(access.clientCert, access.clientKey);
  return (options, callback) => {
    credentials.current().then(
      ({ clientCert, clientKey }) => withCertificate(clientCert, clientKey)(options, callback),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  };
}

export function openPools(access: ClusterAccess, limits: PoolLimits): Pools {
  const url = new URL(access.server);
  const shared = { connect: connector(access), headersTimeout: limits.timeout, allowH2: false, pipelining: 1 };
  const requests = new Pool(url.origin, {
    ...shared,
    connections: limits.connections,
    bodyTimeout: limits.timeout,
    keepAliveTimeout: 60_000,
  });
  // A quiet watch is no dead watch: no time limit between two events. Its request carries the server's own limit.
  const watches = new Pool(url.origin, { ...shared, connections: null, bodyTimeout: 0, keepAliveTimeout: 1_000 });
  return {
    requests,
    watches,
    prefix: url.pathname.replace(/\/+$/, ""),
    async close() {
      if (requests.closed || requests.destroyed) return;
      await Promise.all([requests.close(), watches.destroy()]);
    },
    async destroy(error) {
      await Promise.all([requests.destroy(error), watches.destroy(error)]);
    },
  };
}
