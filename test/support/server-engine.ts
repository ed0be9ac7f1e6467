/**
 * An engine with the platform and our server in it, for one test file. It is not the shared engine: there is one
 * registration of the API in a cluster, and while it cannot be reached no namespace in the cluster goes.
 */
import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { purge, startEngine } from "../../embedded/engine.ts";
import { type Release, tools } from "../../scripts/tools.ts";
import { apps } from "../../src/apps/index.ts";
import type { Client } from "../../src/kube/client.ts";
import { connect } from "../../src/kube/connect.ts";
import { ClusterRole, ClusterRoleBinding, ServiceAccount } from "../../src/kube/core-kinds.ts";
import { valueAt } from "../../src/kube/json.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import { installPlatform } from "../../src/platform/install.ts";
import { serverRole } from "../../src/server/access.ts";
import { type Server, type ServerOptions, startServer } from "../../src/server/server.ts";
import { tellFailure } from "./failures.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningServer extends Server {
  /** Ends it as a crash does: nothing is taken back. */
  kill(): Promise<void>;
}

export interface ServerEngine {
  readonly kubeconfig: string;
  /** A client of the administrator; closed when the test file ends. */
  client(fieldManager?: string): Client;
  /** A client of the server's account, with no rights but its own; closed when the test file ends. */
  serverClient(): Client;
  /** Starts a server of its own; ended with the test file. Resolves when it listens. */
  serve(options?: Partial<ServerOptions>): Promise<RunningServer>;
  /** Runs kubectl as the administrator, or with `--as`. */
  kubectl(args: readonly string[], how?: { readonly input?: string; readonly release?: Release }): Promise<Ran>;
}

/** @param atEnd registers what ends the engine; default: the end of the test file */
export async function serverEngine(atEnd: (end: () => Promise<void>) => void = after): Promise<ServerEngine> {
  const dataDir = mkdtempSync(join(tmpdir(), "cozystack-server-test-"));
  const engine = await startEngine({ dataDir, fsync: false });
  const access = loadKubeconfig(engine.kubeconfigPath);
  const clients: Client[] = [];
  const servers: RunningServer[] = [];
  const client = (fieldManager = "cozystack-test"): Client => {
    const made = connect({ ...access, fieldManager });
    clients.push(made);
    return made;
  };
  /** As in a cluster: with the rights of the server's account and no others. */
  const asServer = (): Client => {
    const { token: _, clientCert: __, clientKey: ___, credentials: ____, ...bare } = access;
    const made = connect({ ...bare, token: account, fieldManager: "cozystack-api" });
    clients.push(made);
    return made;
  };
  atEnd(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await Promise.all(clients.map((one) => one.close()));
    await engine.stop();
    purge(dataDir);
  });
  await installPlatform(client());
  const account = await serverAccount(client());
  const cache = join(dataDir, "kubectl-cache");
  return {
    kubeconfig: engine.kubeconfigPath,
    client,
    serverClient: asServer,
    async serve(options = {}) {
      const stop = new AbortController();
      const server = await startServer({
        client: asServer(),
        apps,
        version: "0.0.0",
        controllerManager: "cozystack",
        reach: { by: "loopback" },
        signal: stop.signal,
        onError: tellFailure,
        ...options,
      });
      const running: RunningServer = {
        ...server,
        async kill() {
          stop.abort();
          await server.ended;
        },
      };
      servers.push(running);
      return running;
    },
    kubectl: (args, { input, release = "v35" } = {}) =>
      new Promise((resolve) => {
        const child = execFile(
          tools(release).kubectl,
          [`--kubeconfig=${engine.kubeconfigPath}`, `--cache-dir=${cache}-${release}`, ...args],
          { env: { ...process.env, KUBERC: "off" }, maxBuffer: 64 * 1024 * 1024 },
          (error, stdout, stderr) => {
            const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
            resolve({ code, stdout, stderr });
          },
        );
        child.stdin?.end(input ?? "");
      }),
  };
}

/** The account of the server; gives its token. */
async function serverAccount(admin: Client): Promise<string> {
  const name = "cozystack-api";
  const namespace = "cozy-system";
  await admin.create(ServiceAccount, ServiceAccount(name, { namespace }));
  await admin.create(ClusterRole, serverRole(name, apps));
  await admin.create(
    ClusterRoleBinding,
    ClusterRoleBinding(name, {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name },
      subjects: [{ kind: "ServiceAccount", name, namespace }],
    }),
  );
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const answer = await admin.raw("POST", path, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: { expirationSeconds: 36_000 },
  });
  const token = valueAt(answer, "status", "token");
  if (typeof token !== "string") throw new Error("the API server gave no token");
  return token;
}
