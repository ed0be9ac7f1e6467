/**
 * How to reach and authenticate at an API server.
 */

/** What proves who we are. PEM texts. */
export interface Credentials {
  readonly token?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
}

/** Credentials that change: rotated token files, exec plugins. */
export interface CredentialSource {
  /** The current ones; cheap when nothing changed. */
  current(): Promise<Credentials>;
  /** The API server refused them (401): do not give the same ones again. */
  invalidate(): void;
  /** True when a client certificate may come: connections then ask before each handshake. */
  readonly certificates: boolean;
}

/** An API server and the way in. */
export interface ClusterAccess extends Credentials {
  /** `https://host:port`, a path allowed. */
  readonly server: string;
  /** PEM. The system's authorities when absent. */
  readonly ca?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly tlsServerName?: string;
  /** Wins over the fixed credentials. */
  readonly credentials?: CredentialSource;
  /** The context's default namespace. */
  readonly namespace?: string;
}
