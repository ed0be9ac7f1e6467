/**
 * Every flag and every setting of the control plane's processes, each with its reason. What is not here has the
 * component's own default, so that the engine behaves as any Kubernetes 1.35 does.
 */
import type { Certificates } from "./certificates.ts";
import { frontProxyName } from "./certificates.ts";

export const components = ["etcd", "kube-apiserver", "kube-controller-manager", "kube-scheduler"] as const;
export type Component = (typeof components)[number];

/** What the flags depend on. Paths that are not absolute are relative to the data directory, where every process runs. */
export interface Settings {
  readonly certificates: Certificates;
  /** Unix socket of etcd, relative: the path of a unix socket is limited to 107 bytes. */
  readonly etcdSocket: string;
  readonly port: number;
  readonly tokenFile: string;
  /** Kubeconfig of each component that is a client. */
  readonly kubeconfigs: Readonly<Record<"kube-controller-manager" | "kube-scheduler", string>>;
  readonly fsync: boolean;
  /** As kube-controller-manager's `--controllers`; absent runs `defaultControllers`. */
  readonly controllers?: readonly string[];
  /** What ServiceAccounts are told to trust; absent: the engine's own authority. */
  readonly rootCaFile?: string;
  /** More flags of kube-apiserver, such as features that are not on by default; undefined takes one away. Absent adds none. */
  readonly apiserver?: Readonly<Record<string, string | undefined>>;
  /** Bytes of memory that the whole engine may count on; each process may use a share of it before it collects garbage harder. */
  readonly totalMemory: number;
}

export const clusterDomain = "cozy.local";
export const serviceCidr = "10.96.0.0/16";

/** Where clients reach the API server: by these only. The last are for workloads that go through its Service. */
export const serverAddresses = [
  "127.0.0.1",
  "localhost",
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  `kubernetes.default.svc.${clusterDomain}`,
  "10.96.0.1",
] as const;

/** All that Kubernetes runs, but for those that need machines or a cloud beneath them, which the engine has not. */
export const defaultControllers = [
  "*",
  "-cloud-node-lifecycle-controller",
  "-node-ipam-controller",
  "-node-route-controller",
  "-persistentvolume-attach-detach-controller",
  "-service-lb-controller",
  "-ttl-controller",
] as const;

const GiB = 2 ** 30;

/** Environment of a component's process. */
export function environment(component: Component, totalMemory: number): Record<string, string> {
  // GOGC: collecting garbage less often saves a quarter to a third of the API server's CPU per write, at the price of
  // memory; GOMEMLIMIT makes it collect harder again before that price is too high.
  const table: Record<Component, { gogc: number; share: number; most: number }> = {
    etcd: { gogc: 200, share: 0.08, most: 1 * GiB },
    "kube-apiserver": { gogc: 400, share: 0.25, most: 4 * GiB },
    "kube-controller-manager": { gogc: 200, share: 0.08, most: 1 * GiB },
    "kube-scheduler": { gogc: 200, share: 0.08, most: 1 * GiB },
  };
  const { gogc: usual, share, most } = table[component];
  // Where there is little, the CPU is the lower price.
  const gogc = totalMemory < 4 * GiB ? 100 : usual;
  return { GOGC: String(gogc), GOMEMLIMIT: String(Math.floor(Math.min(most, totalMemory * share))) };
}

/** Command line of a component, without the program. */
export function flags(component: Component, settings: Settings): string[] {
  const table: Record<Component, () => Record<string, string | number | boolean | undefined>> = {
    etcd: () => etcdFlags(settings),
    "kube-apiserver": () => apiserverFlags(settings),
    "kube-controller-manager": () => controllerManagerFlags(settings),
    "kube-scheduler": () => schedulerFlags(settings),
  };
  const wanted = Object.entries(table[component]()).filter(([, value]) => value !== undefined);
  return wanted.map(([name, value]) => `--${name}=${value}`);
}

function etcdFlags({ etcdSocket, fsync }: Settings) {
  return {
    "data-dir": "etcd",
    socket: etcdSocket, // no port, no certificate: only who may enter the data directory (0700) reaches it
    "unsafe-no-fsync": !fsync, // tests only: a crash of the machine may lose data
  };
}

function apiserverFlags({ certificates, etcdSocket, port, tokenFile, apiserver = {} }: Settings) {
  const issuer = `https://kubernetes.default.svc.${clusterDomain}`;
  return {
    "etcd-servers": `unix://${etcdSocket}`,
    // Loopback only. The advertised address would become the endpoint of Service `kubernetes`, which may not be a
    // loopback address, so nobody keeps that endpoint.
    "bind-address": "127.0.0.1",
    "secure-port": port,
    "advertise-address": "127.0.0.1",
    "endpoint-reconciler-type": "none",
    "service-cluster-ip-range": serviceCidr,
    "tls-cert-file": certificates.serving,
    "tls-private-key-file": certificates.servingKey,
    // Who may enter: bearers of our tokens and of ServiceAccount tokens, and certificates that the cluster's own CSR
    // API has signed. Tokens for our own clients, since a certificate is verified anew on every request.
    "anonymous-auth": false,
    "token-auth-file": tokenFile,
    "client-ca-file": certificates.ca,
    "authorization-mode": "RBAC", // no kubelet, so no Node authorizer
    "service-account-issuer": issuer,
    "api-audiences": issuer,
    "service-account-key-file": certificates.serviceAccountPublicKey,
    "service-account-signing-key-file": certificates.serviceAccountKey,
    // Aggregated API servers. Routing off: then a Service of type ExternalName `localhost` reaches a process on this machine.
    "enable-aggregator-routing": false,
    "requestheader-client-ca-file": certificates.frontProxyCa,
    "requestheader-allowed-names": frontProxyName,
    "requestheader-username-headers": "X-Remote-User",
    "requestheader-group-headers": "X-Remote-Group",
    "requestheader-extra-headers-prefix": "X-Remote-Extra-",
    "proxy-client-cert-file": certificates.frontProxyClient,
    "proxy-client-key-file": certificates.frontProxyClientKey,
    "allow-privileged": true, // as every distribution: PodSecurity decides, not this
    // Counting keys and asking for the database's size on a timer feeds metrics that nobody reads here.
    "etcd-count-metric-poll-period": 0,
    "etcd-db-metric-poll-interval": 0,
    profiling: false,
    ...apiserver,
  };
}

function controllerManagerFlags(settings: Settings) {
  const { certificates, kubeconfigs, controllers = defaultControllers, rootCaFile = certificates.ca } = settings;
  return {
    kubeconfig: kubeconfigs["kube-controller-manager"],
    ...clientLimits,
    ...singleInstance,
    controllers: controllers.join(","),
    "use-service-account-credentials": true, // each controller under its own name, as admission policies expect
    "service-account-private-key-file": certificates.serviceAccountKey,
    "root-ca-file": rootCaFile,
    "cluster-signing-cert-file": certificates.ca,
    "cluster-signing-key-file": certificates.caKey,
    // Deleting a tenant deletes many namespaces and objects at once; the defaults are 10 and 5.
    "concurrent-namespace-syncs": 20,
    "concurrent-resource-quota-syncs": 10,
    profiling: false,
  };
}

function schedulerFlags({ kubeconfigs }: Settings) {
  return { kubeconfig: kubeconfigs["kube-scheduler"], ...clientLimits, ...singleInstance };
}

/** The defaults (20 and 50 a second) protect a shared API server; here they would only delay the one user. */
const clientLimits = { "kube-api-qps": 1000, "kube-api-burst": 2000 } as const;

/** One process of each, ended with the engine: nothing to elect, and nobody to serve metrics to. */
const singleInstance = { "leader-elect": false, "secure-port": 0 } as const;
