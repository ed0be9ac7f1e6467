/**
 * Exec plugins of kubeconfigs (`client.authentication.k8s.io/v1`): a program that prints credentials.
 */
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import type { ClusterAccess, CredentialSource } from "./access.ts";
import { type Expiring, renewing } from "./credentials.ts";
import { CozystackError } from "./errors.ts";
import { isRecord, valueAt } from "./json.ts";
import type { World } from "./world.ts";

const versions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];
const timeout = 60_000;

/** An exec plugin that could not be run or gave nothing. Its output is never quoted: it holds credentials. */
export class ExecPluginError extends CozystackError {
  constructor(command: string, problem: string, hint: string | undefined) {
    super(
      "ExecPluginFailed",
      `exec plugin ${command}: ${problem}`,
      hint ?? "Run the plugin by hand to see why it fails.",
    );
  }
}

interface Plugin {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly provideClusterInfo: boolean;
  readonly hint: string | undefined;
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

function readPlugin(fields: Readonly<Record<string, unknown>>, directory: string): Plugin {
  const command = text(fields["command"]) ?? "";
  const hint = text(fields["installHint"]);
  const apiVersion = text(fields["apiVersion"]) ?? "";
  if (command === "") throw new ExecPluginError("(none)", "the kubeconfig names no command", hint);
  if (!versions.includes(apiVersion))
    throw new ExecPluginError(command, `apiVersion ${apiVersion} is not supported`, hint);
  const args: unknown = fields["args"] ?? [];
  const env: unknown = fields["env"] ?? [];
  return {
    apiVersion,
    // As kubectl does: a name without a slash is looked up in PATH, a relative path starts at the kubeconfig.
    command: command.includes("/") ? resolve(directory, command) : command,
    args: Array.isArray(args) ? args.map(String) : [],
    env: Object.fromEntries(
      (Array.isArray(env) ? env : []).map((entry) => [String(valueAt(entry, "name")), String(valueAt(entry, "value"))]),
    ),
    provideClusterInfo: fields["provideClusterInfo"] === true,
    hint,
  };
}

function execInfo(plugin: Plugin, cluster: ClusterAccess): string {
  const spec = {
    interactive: false,
    ...(plugin.provideClusterInfo
      ? {
          cluster: {
            server: cluster.server,
            ...(cluster.tlsServerName === undefined ? {} : { "tls-server-name": cluster.tlsServerName }),
            ...(cluster.ca === undefined
              ? {}
              : { "certificate-authority-data": Buffer.from(cluster.ca).toString("base64") }),
          },
        }
      : {}),
  };
  return JSON.stringify({ apiVersion: plugin.apiVersion, kind: "ExecCredential", spec });
}

function readAnswer(plugin: Plugin, stdout: string): Expiring {
  let answer: unknown;
  try {
    answer = JSON.parse(stdout);
  } catch {
    throw new ExecPluginError(plugin.command, "printed no JSON", plugin.hint);
  }
  const status = valueAt(answer, "status");
  if (!isRecord(status)) throw new ExecPluginError(plugin.command, "printed no status", plugin.hint);
  const token = text(status["token"]);
  const clientCert = text(status["clientCertificateData"]);
  const clientKey = text(status["clientKeyData"]);
  if (token === undefined && (clientCert === undefined || clientKey === undefined)) {
    throw new ExecPluginError(plugin.command, "gave neither a token nor a certificate with its key", plugin.hint);
  }
  const until = Date.parse(text(status["expirationTimestamp"]) ?? "");
  return {
    credentials: {
      ...(token === undefined ? {} : { token }),
      ...(clientCert === undefined || clientKey === undefined ? {} : { clientCert, clientKey }),
    },
    until: Number.isNaN(until) ? undefined : until,
  };
}

/** The credentials of a kubeconfig's `exec` entry. `directory` is the kubeconfig's. */
export function execCredentials(
  fields: Readonly<Record<string, unknown>>,
  directory: string,
  cluster: ClusterAccess,
  env: Readonly<Record<string, string | undefined>>,
  world: World,
): CredentialSource {
  const plugin = readPlugin(fields, directory);
  const run = promisify(execFile);
  const fetch = async (): Promise<Expiring> => {
    const surroundings = { ...env, ...plugin.env, KUBERNETES_EXEC_INFO: execInfo(plugin, cluster) };
    try {
      const { stdout } = await run(plugin.command, [...plugin.args], { env: surroundings, timeout });
      return readAnswer(plugin, stdout);
    } catch (error) {
      if (error instanceof ExecPluginError) throw error;
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      throw new ExecPluginError(plugin.command, `failed (${code})`, plugin.hint);
    }
  };
  return renewing(fetch, world, true);
}
