/**
 * The embedded control plane: a whole Kubernetes API server and its controllers on loopback, for a machine without a
 * cluster and for tests. Its data directory keeps everything between runs and belongs to one engine at a time.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { totalmem } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Access, type Endpoint, endpointAt, grantAccess, probe } from "./access.ts";
import { buildEngine, defaultCacheDirectory } from "./build.ts";
import { ensureCertificates } from "./certificates.ts";
import { EngineError } from "./errors.ts";
import { type Component, components, type Settings, serverAddresses } from "./flags.ts";
import { acquire, holderOf, type Lock } from "./lock.ts";
import { endAll, lastLines, type Running, startComponent } from "./processes.ts";

export interface EngineOptions {
  /** Kept between runs; made when absent. */
  readonly dataDir: string;
  /** Whether etcd waits for the disk. Default true; false only where losing the data does not matter (tests). */
  readonly fsync?: boolean;
  /** Which processes run, etcd and kube-apiserver always. Default all. */
  readonly components?: readonly Component[];
  /** Controllers of kube-controller-manager, as its `--controllers`. Default: `defaultControllers` of flags.ts. */
  readonly controllers?: readonly string[];
  /** PEM file of what ServiceAccounts are told to trust. Default: the engine's own authority. */
  readonly rootCaFile?: string;
  /** More flags of kube-apiserver, without dashes: features that are not on by default; undefined takes one away. Default none. */
  readonly apiserver?: Readonly<Record<string, string | undefined>>;
  /** Bytes of memory that all its processes together may count on. Default: the machine's. */
  readonly memory?: number;
  /** Progress, one line a call. Default: none. */
  readonly log?: (line: string) => void;
  /** Where built binaries are kept. Default: the user's cache. */
  readonly cacheDirectory?: string;
  /** Milliseconds the API server may take to become ready. Default 180,000. */
  readonly readyTimeout?: number;
  /** Ends a build or a start under way; an engine that has started is ended by `stop`. */
  readonly signal?: AbortSignal;
}

export interface Engine {
  /** The administrator's kubeconfig, mode 0600. */
  readonly kubeconfigPath: string;
  /** `https://127.0.0.1:PORT`; the port is another at every start. */
  readonly server: string;
  /** PEM of the certificate authority. */
  readonly caData: string;
  /** The administrator's bearer token. */
  readonly token: string;
  readonly pids: ReadonlyMap<Component, number>;
  /** Path of etcd's unix socket, for etcd.ts. */
  readonly etcdSocket: string;
  /** Resolves once nothing runs any more: undefined after `stop`, else the crash that ended it. */
  readonly ended: Promise<EngineError | undefined>;
  /** Ends every process and gives the lock back. Safe to call again. */
  stop(): Promise<void>;
}

/** What a running engine tells others in its lock. */
export interface EngineRecord {
  /** False while the binary is built and the components start. */
  readonly ready: boolean;
  readonly server?: string;
  readonly kubeconfigPath?: string;
  readonly pids?: Readonly<Partial<Record<Component, number>>>;
}

const lockName = "lock";
const markerName = "cozystack-engine";

/** Where the engine keeps its data unless told: `$XDG_DATA_HOME/cozystack`, or `~/.local/share/cozystack`. */
export function defaultDataDirectory(environment: Readonly<Record<string, string | undefined>>): string {
  const base = environment["XDG_DATA_HOME"] || join(environment["HOME"] ?? ".", ".local", "share");
  return join(base, "cozystack");
}

/**
 * Starts the control plane and waits until it is ready. When a component ends by itself, all end (`Engine.ended`).
 * @throws EngineError `EngineInUse` when a living process has the data directory, `EngineNotOurs` when the directory
 * holds something else, `EngineStartFailed` with the component's last lines, and what `buildEngine` throws
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { log = () => undefined, cacheDirectory = defaultCacheDirectory(process.env), signal } = options;
  const dataDir = claimDirectory(options.dataDir);
  const lock = acquire<EngineRecord>(join(dataDir, lockName), { ready: false });
  if ("heldBy" in lock) throw inUse(dataDir, lock.heldBy.pid);
  // Runs on every way out but a kill; after one of those the lock is seen to be a dead process's.
  const release = () => lock.release();
  process.once("exit", release);
  try {
    // Under the lock, although it takes minutes: so that whoever asks finds who is at it, and can end it.
    const binary = await buildEngine({ cacheDirectory, log, ...(signal === undefined ? {} : { signal }) });
    signal?.throwIfAborted();
    return await startLocked(binary, dataDir, { ...options, log }, lock, () => process.removeListener("exit", release));
  } catch (error) {
    process.removeListener("exit", release);
    release();
    throw error;
  }
}

async function startLocked(
  binary: string,
  dataDir: string,
  options: EngineOptions & { readonly log: (line: string) => void },
  lock: Lock<EngineRecord>,
  forget: () => void,
): Promise<Engine> {
  for (const name of readdirSync(dataDir)) if (name.includes(".sock")) rmSync(join(dataDir, name), { force: true });
  const certificates = await ensureCertificates(join(dataDir, "pki"), serverAddresses, new Date());
  const port = await freePort();
  const endpoint = endpointAt(port, certificates.ca);
  const access = grantAccess(dataDir, endpoint);
  const settings: Settings = {
    certificates,
    // A name of its own: a predecessor that still closes would remove the socket of that name.
    etcdSocket: `etcd-${process.pid}-${port}.sock`,
    port,
    tokenFile: access.tokenFile,
    kubeconfigs: access.kubeconfigs,
    fsync: options.fsync ?? true,
    totalMemory: options.memory ?? totalmem(),
    ...(options.controllers === undefined ? {} : { controllers: options.controllers }),
    ...(options.rootCaFile === undefined ? {} : { rootCaFile: options.rootCaFile }),
    ...(options.apiserver === undefined ? {} : { apiserver: options.apiserver }),
  };

  const wanted = components.filter(
    (name) => name === "etcd" || name === "kube-apiserver" || (options.components ?? components).includes(name),
  );
  const running: Running[] = [];
  const crash = Promise.withResolvers<EngineError>();
  const start = async (component: Component): Promise<void> => {
    const one = await startComponent(binary, component, dataDir, settings);
    running.push(one);
    void one.ended.then((how) =>
      crash.resolve(
        new EngineError(
          "EngineCrashed",
          `${component} ended by itself (${how}). It last said:\n${lastLines(dataDir, component)}`,
          "Start it again: the data is kept. If it ends again, the log named above says why.",
        ),
      ),
    );
  };
  const { signal } = options;
  try {
    await start("etcd");
    await start("kube-apiserver");
    await Promise.race([
      ready(endpoint, access, dataDir, options.readyTimeout ?? 180_000, signal),
      crash.promise.then((error) => Promise.reject(error)),
    ]);
    for (const component of wanted.slice(2)) await start(component);
    signal?.throwIfAborted();
  } catch (error) {
    await endAll(running);
    throw error;
  }

  const pids = new Map(running.map(({ component, pid }) => [component, pid]));
  lock.update({
    ready: true,
    server: endpoint.server,
    kubeconfigPath: access.kubeconfig,
    pids: Object.fromEntries(pids),
  });
  options.log(`The control plane is ready at ${endpoint.server}.`);
  const etcdSocket = join(dataDir, settings.etcdSocket);
  return supervised(running, crash.promise, { endpoint, access, pids, etcdSocket }, () => {
    forget();
    lock.release();
  });
}

function supervised(
  running: readonly Running[],
  crash: Promise<EngineError>,
  {
    endpoint,
    access,
    ...rest
  }: { endpoint: Endpoint; access: Access; pids: ReadonlyMap<Component, number>; etcdSocket: string },
  release: () => void,
): Engine {
  const stopping = Promise.withResolvers<undefined>();
  const ended = Promise.race([stopping.promise, crash]).then(async (error) => {
    await endAll(running);
    release();
    return error;
  });
  return {
    kubeconfigPath: access.kubeconfig,
    server: endpoint.server,
    caData: endpoint.ca,
    token: access.token,
    ...rest,
    ended,
    async stop() {
      stopping.resolve(undefined);
      await ended;
    },
  };
}

/** The engine that runs on a data directory, in whatever process; undefined when none does. */
export function runningEngine(dataDir: string): (EngineRecord & { readonly pid: number }) | undefined {
  const held = holderOf<EngineRecord>(join(dataDir, lockName));
  return held === undefined ? undefined : { ...held.record, pid: held.heldBy.pid };
}

/**
 * Removes a data directory and all it holds. False when there is none.
 * @throws EngineError `EngineInUse` while an engine runs on it, `EngineNotOurs` when no engine ever kept data there
 */
export function purge(dataDir: string): boolean {
  if (!existsSync(dataDir)) return false;
  const holder = runningEngine(dataDir);
  if (holder !== undefined) throw inUse(dataDir, holder.pid);
  if (!existsSync(join(dataDir, markerName))) throw notOurs(dataDir);
  rmSync(realpathSync(dataDir), { recursive: true, force: true });
  return true;
}

function claimDirectory(dataDir: string): string {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const directory = realpathSync(dataDir);
  const marker = join(directory, markerName);
  if (!existsSync(marker)) {
    if (readdirSync(directory).length > 0) throw notOurs(dataDir);
    writeFileSync(marker, "Data of a cozystack embedded control plane. Remove it with `cozystack down --purge`.\n");
  }
  chmodSync(directory, 0o700);
  return directory;
}

function inUse(dataDir: string, pid: number): EngineError {
  return new EngineError(
    "EngineInUse",
    `Process ${pid} runs a control plane on ${dataDir}.`,
    `Use that one, end it with \`cozystack down\`, or give another directory with \`--data-dir\`.`,
  );
}

function notOurs(dataDir: string): EngineError {
  return new EngineError(
    "EngineNotOurs",
    `${dataDir} holds files that are not a control plane's data, so it is left alone.`,
    `Give an empty directory or one that does not exist.`,
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = address !== null && typeof address === "object" ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

async function ready(
  endpoint: Endpoint,
  access: Access,
  dataDir: string,
  timeout: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const deadline = performance.now() + timeout;
  while ((await probe(endpoint, "/readyz", access.token)) !== 200) {
    if (performance.now() > deadline) {
      const seconds = Math.round(timeout / 1000);
      throw new EngineError(
        "EngineStartFailed",
        `kube-apiserver was not ready within ${seconds} s. It last said:\n${lastLines(dataDir, "kube-apiserver")}`,
        "See whether the machine is short of memory, processor or disk, then start it again.",
      );
    }
    await sleep(50, undefined, signal === undefined ? {} : { signal });
  }
}
