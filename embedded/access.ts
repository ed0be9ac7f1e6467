/** Who may enter the engine, and the kubeconfig files that say so. */
import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { stringify } from "yaml";

/** Where the API server is and how it is trusted. */
export interface Endpoint {
  readonly server: string;
  /** PEM of the certificate authority. */
  readonly ca: string;
}

export interface Access {
  /** Bearer token of the administrator (group `system:masters`). */
  readonly token: string;
  /** kubeconfig of the administrator. */
  readonly kubeconfig: string;
  readonly tokenFile: string;
  readonly kubeconfigs: Readonly<Record<"kube-controller-manager" | "kube-scheduler", string>>;
}

const users = [
  { name: "admin", user: "cozystack-admin", group: "system:masters" },
  { name: "kube-controller-manager", user: "system:kube-controller-manager", group: "" },
  { name: "kube-scheduler", user: "system:kube-scheduler", group: "" },
] as const;

/** Writes the token file and the kubeconfigs, readable by their owner only. Tokens are new at every start: an old copy opens nothing. */
export function grantAccess(directory: string, endpoint: Endpoint): Access {
  const tokens = users.map(({ name, user, group }) => {
    const token = randomBytes(32).toString("base64url");
    const kubeconfig = join(directory, name === "admin" ? "kubeconfig" : `${name}.kubeconfig`);
    writePrivate(kubeconfig, stringify(kubeconfigOf(endpoint, user, token)));
    return { token, user, group, kubeconfig };
  });
  const [admin, controllerManager, scheduler] = tokens;
  if (admin === undefined || controllerManager === undefined || scheduler === undefined)
    throw new Error("users are a fixed table");
  const tokenFile = join(directory, "tokens.csv");
  writePrivate(tokenFile, tokens.map(({ token, user, group }) => `${token},${user},${user},"${group}"\n`).join(""));
  return {
    token: admin.token,
    kubeconfig: admin.kubeconfig,
    tokenFile,
    kubeconfigs: { "kube-controller-manager": controllerManager.kubeconfig, "kube-scheduler": scheduler.kubeconfig },
  };
}

function kubeconfigOf({ server, ca }: Endpoint, user: string, token: string) {
  const name = "cozystack-engine";
  return {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority-data": Buffer.from(ca).toString("base64") } }],
    users: [{ name: user, user: { token } }],
    contexts: [{ name, context: { cluster: name, user } }],
    "current-context": name,
  };
}

function writePrivate(file: string, text: string): void {
  // A new file each time: an existing one keeps its mode, and a reader never sees half of it.
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function endpointAt(port: number, caFile: string): Endpoint {
  return { server: `https://127.0.0.1:${port}`, ca: readFileSync(caFile, "utf8") };
}

/** HTTP status of a GET, or undefined when nothing answered. */
export function probe(endpoint: Endpoint, path: string, token?: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const call = request(`${endpoint.server}${path}`, {
      ca: endpoint.ca,
      agent: false,
      timeout: 5000,
      headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    });
    call.on("response", (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    call.on("timeout", () => call.destroy());
    call.on("error", () => resolve(undefined)); // not up yet is what the caller waits out
    call.end();
  });
}
