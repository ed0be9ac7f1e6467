/**
 * Access to an API server from kubeconfig files or from a pod's service account.
 */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import type { ClusterAccess } from "./access.ts";
import { tokenFile } from "./credentials.ts";
import { CozystackError } from "./errors.ts";
import { execCredentials } from "./exec-credentials.ts";
import { isRecord, valueAt } from "./json.ts";
import { systemWorld, type World } from "./world.ts";

/** A kubeconfig that cannot be read or does not say how to reach a cluster. Messages never hold credentials. */
export class KubeconfigError extends CozystackError {
  constructor(path: string, problem: string, options: { readonly cause?: unknown } = {}) {
    super(
      "KubeconfigInvalid",
      `${path}: ${problem}`,
      "Correct the kubeconfig, or name another with --kubeconfig.",
      options,
    );
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** One named entry and the file it came from: paths in it are relative to that file. */
interface Entry {
  readonly fields: Fields;
  readonly file: string;
}

interface Merged {
  readonly currentContext: string | undefined;
  find(list: "clusters" | "users" | "contexts", name: string): Entry | undefined;
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const isAbsent = isRecord(error) && error["code"] === "ENOENT";
    throw new KubeconfigError(file, isAbsent ? "there is no such file" : "cannot be read", { cause: error });
  }
}

/** @param place for messages */
function parseText(source: string, place: string): Fields {
  let parsed: unknown;
  try {
    parsed = parse(source);
  } catch {
    // The YAML parser's own message quotes the text around the fault, which may be a key.
    throw new KubeconfigError(place, "is no YAML");
  }
  if (!isRecord(parsed)) throw new KubeconfigError(place, "is no kubeconfig");
  return parsed;
}

/** As kubectl does: the first file that has an entry, or a current context, wins. */
function merge(read: readonly { readonly file: string; readonly config: Fields }[]): Merged {
  return {
    currentContext: read.map(({ config }) => text(config["current-context"])).find((name) => name !== undefined),
    find(list, name) {
      for (const { file, config } of read) {
        const entries: unknown = config[list];
        const found = Array.isArray(entries) ? entries.find((entry) => valueAt(entry, "name") === name) : undefined;
        const fields = valueAt(found, list.slice(0, -1));
        if (isRecord(fields)) return { file, fields };
      }
      return undefined;
    },
  };
}

/** A PEM text given as base64 data or as the name of a file. */
function pem(entry: Entry, key: string): string | undefined {
  const data = text(entry.fields[`${key}-data`]);
  if (data !== undefined) return Buffer.from(data, "base64").toString("utf8");
  const file = text(entry.fields[key]);
  return file === undefined ? undefined : readText(resolve(dirname(entry.file), file));
}

function clusterOf(entry: Entry): ClusterAccess {
  const server = text(entry.fields["server"]);
  if (server === undefined || !URL.canParse(server)) throw new KubeconfigError(entry.file, "the cluster has no server");
  if (entry.fields["proxy-url"] !== undefined) throw new KubeconfigError(entry.file, "proxy-url is not supported");
  const ca = pem(entry, "certificate-authority");
  const tlsServerName = text(entry.fields["tls-server-name"]);
  return {
    server,
    ...(ca === undefined ? {} : { ca }),
    ...(tlsServerName === undefined ? {} : { tlsServerName }),
    ...(entry.fields["insecure-skip-tls-verify"] === true ? { insecureSkipTlsVerify: true } : {}),
  };
}

function userOf(entry: Entry, cluster: ClusterAccess, surroundings: Surroundings): Partial<ClusterAccess> {
  const { fields, file } = entry;
  if (fields["auth-provider"] !== undefined)
    throw new KubeconfigError(file, "auth-provider is not supported: use exec");
  if (text(fields["username"]) !== undefined) throw new KubeconfigError(file, "basic authentication is not supported");
  if (isRecord(fields["exec"])) {
    return {
      credentials: execCredentials(fields["exec"], dirname(file), cluster, surroundings.env, surroundings.world),
    };
  }
  const source = text(fields["tokenFile"]);
  if (source !== undefined) return { credentials: tokenFile(resolve(dirname(file), source), surroundings.world) };
  const token = text(fields["token"]);
  const clientCert = pem(entry, "client-certificate");
  const clientKey = pem(entry, "client-key");
  if ((clientCert === undefined) !== (clientKey === undefined)) {
    throw new KubeconfigError(file, "a client certificate and its key must come together");
  }
  return {
    ...(token === undefined ? {} : { token }),
    ...(clientCert === undefined || clientKey === undefined ? {} : { clientCert, clientKey }),
  };
}

/** What loading depends on besides the files. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly world: World;
}

const system: Surroundings = { env: process.env, world: systemWorld };

/**
 * The access a kubeconfig gives: of `context`, else of its current context. Several files are merged as kubectl merges
 * `KUBECONFIG`. Token files and exec plugins are asked again when their credentials expire.
 * @throws KubeconfigError when it is incomplete, or asks for what is not supported.
 */
export function loadKubeconfig(
  paths: string | readonly string[],
  context?: string,
  surroundings: Surroundings = system,
): ClusterAccess {
  const files = typeof paths === "string" ? [paths] : paths;
  const config = merge(files.map((file) => ({ file, config: parseText(readText(file), file) })));
  return accessIn(config, files.join(", "), context, surroundings);
}

function accessIn(
  config: Merged,
  where: string,
  context: string | undefined,
  surroundings: Surroundings,
): ClusterAccess {
  const name = context ?? config.currentContext;
  if (name === undefined) throw new KubeconfigError(where, "no current context");
  const entry = config.find("contexts", name);
  if (entry === undefined) throw new KubeconfigError(where, `no context ${name}`);
  const clusterName = text(entry.fields["cluster"]) ?? "";
  const cluster = config.find("clusters", clusterName);
  if (cluster === undefined) throw new KubeconfigError(where, `context ${name} names no cluster that exists`);
  const access = clusterOf(cluster);
  const userName = text(entry.fields["user"]);
  const user = userName === undefined ? undefined : config.find("users", userName);
  if (userName !== undefined && user === undefined) throw new KubeconfigError(where, `no user ${userName}`);
  const namespace = text(entry.fields["namespace"]);
  return {
    ...access,
    ...(user === undefined ? {} : userOf(user, access, surroundings)),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

/** What would reach beyond the text: programs, files, and servers that prove nothing. */
const reachingOut = [
  "certificate-authority",
  "insecure-skip-tls-verify",
  "client-certificate",
  "client-key",
  "tokenFile",
  "exec",
] as const;

/**
 * The access of a kubeconfig that came out of a cluster. Whoever wrote it has no say here: it may name no program and no file of this
 * machine, and its server must prove itself.
 * @param place for messages
 * @throws KubeconfigError
 */
export function storedKubeconfig(source: string, place: string): ClusterAccess {
  const config = parseText(source, place);
  for (const list of ["clusters", "users"] as const) {
    const entries: unknown = config[list];
    for (const entry of Array.isArray(entries) ? entries : []) {
      const field = reachingOut.find((key) => Boolean(valueAt(entry, list.slice(0, -1), key)));
      if (field !== undefined) throw new KubeconfigError(place, `${field} is not taken from a cluster`);
    }
  }
  const access = accessIn(merge([{ file: place, config }]), place, undefined, system);
  if (!access.server.startsWith("https://")) throw new KubeconfigError(place, "the server does not prove itself");
  return access;
}

const serviceAccountDirectory = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The access of a pod's service account; undefined outside of a pod. The token is read again as the kubelet renews it. */
export function inClusterAccess(
  surroundings: Surroundings = system,
  directory: string = serviceAccountDirectory,
): ClusterAccess | undefined {
  const host = surroundings.env["KUBERNETES_SERVICE_HOST"];
  const port = surroundings.env["KUBERNETES_SERVICE_PORT"];
  if (host === undefined || host === "" || port === undefined || port === "") return undefined;
  return {
    server: `https://${host.includes(":") ? `[${host}]` : host}:${port}`,
    ca: readText(`${directory}/ca.crt`),
    namespace: readText(`${directory}/namespace`).trim(),
    credentials: tokenFile(`${directory}/token`, surroundings.world),
  };
}
