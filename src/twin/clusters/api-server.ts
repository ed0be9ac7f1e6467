/**
 * An API server that plays a tenant's control plane: real, on loopback, with its own authority and its own data. No machine
 * runs anything for it. Ended with its parent, like the engine that it is.
 */
import { renameSync, writeFileSync } from "node:fs";
import { type Engine, startEngine } from "../../../embedded/engine.ts";
import type { EngineError } from "../../../embedded/errors.ts";
import { serviceSubnet } from "../../sdk/node-pool/versions.ts";

/** One that runs. */
export interface ApiServer {
  /** `https://127.0.0.1:PORT`; the port is another at every start. */
  readonly server: string;
  /** PEM of the authority that its certificate is from; the same at every start. */
  readonly ca: string;
  /** The administrator's bearer token; another at every start. */
  readonly token: string;
  readonly pids: readonly number[];
  /** Takes another authentication configuration, without a new start. */
  authenticate(configuration: string): void;
  /** Resolves once nothing of it runs: undefined after `stop`, else the crash that ended it. */
  readonly ended: Promise<EngineError | undefined>;
  stop(): Promise<void>;
}

export interface ApiServerOptions {
  /** Kept between runs; made when absent. */
  readonly dataDir: string;
  /** Text of an AuthenticationConfiguration. Empty: nobody but the administrator and what the cluster itself lets in. */
  readonly configuration: string;
  /** See EngineOptions. */
  readonly fsync?: boolean;
  readonly signal?: AbortSignal;
}

/** It serves a person who looks around and some controllers: it collects garbage early instead of growing. */
const memory = 2 * 2 ** 30;

/** What people expect of an API server besides its API. Nothing schedules pods: there are no machines. */
const controllers = [
  "clusterrole-aggregation-controller",
  "deployment-controller",
  "garbage-collector-controller",
  "namespace-controller",
  "replicaset-controller",
  "root-ca-certificate-publisher-controller",
  "serviceaccount-controller",
];

const nobody = "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\njwt: []\n";

/** Starts one and waits until it is ready. Throws what `startEngine` throws. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { dataDir, fsync = true, signal } = options;
  const file = `${dataDir}.authentication.yaml`;
  const authenticate = (text: string) => {
    // Renamed: it reads at once when the file changes, and must not read half of it.
    writeFileSync(`${file}.new`, text === "" ? nobody : text, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  authenticate(options.configuration);
  const engine: Engine = await startEngine({
    dataDir,
    fsync,
    memory,
    components: ["etcd", "kube-apiserver", "kube-controller-manager"],
    controllers,
    apiserver: {
      "authentication-config": file,
      // As in any cluster that kubeadm or Kamaji makes; the configuration above may say otherwise.
      "anonymous-auth": undefined,
      // The token that machines join with.
      "enable-bootstrap-token-auth": "true",
      "service-cluster-ip-range": serviceSubnet,
      "service-account-issuer": "https://kubernetes.default.svc.cluster.local",
      "api-audiences": "https://kubernetes.default.svc.cluster.local",
    },
    ...(signal === undefined ? {} : { signal }),
  });
  const { server, caData: ca, token, pids, ended } = engine;
  return { server, ca, token, pids: [...pids.values()], authenticate, ended, stop: () => engine.stop() };
}
