/** Names of what etcd is made of. They are fixed, as the module's own name is. */

/** Cluster, its Service and its objects. */
export const cluster = "etcd";

/** Certificates, each with a Secret `<name>-tls`. */
export const certificates = {
  peerAuthority: "etcd-peer-ca",
  authority: "etcd-ca",
  server: "etcd-server",
  peer: "etcd-peer",
  client: "etcd-client",
} as const;

/** The Secret of a certificate. */
export const secretOf = (certificate: string): string => `${certificate}-tls`;

/** Label of everything that the operator makes for the cluster. */
export const clusterLabel = { "etcd-operator.cozystack.io/cluster": cluster };

/** Label by which the platform's policies know the servers. */
export const serviceLabel = { "cozystack.io/service": "etcd" };

/** Port of clients. */
export const clientPort = 2379;

/** Where clients reach the servers: host and port. */
export const endpoint = (namespace: string): string => `${cluster}.${namespace}.svc:${clientPort}`;
