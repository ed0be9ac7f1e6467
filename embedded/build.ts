/**
 * Builds the control plane's binary on first use and keeps it by content: another version of its source or of Go is
 * another file, so that nothing stale is ever run and going back costs nothing.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { EngineError, isErrno } from "./errors.ts";
import { acquire } from "./lock.ts";

export const kubernetesVersion = "v1.35.4";

export interface BuildOptions {
  /** Per-user cache directory, as `defaultCacheDirectory` gives. */
  readonly cacheDirectory: string;
  /** Progress, one line a call. */
  readonly log: (line: string) => void;
  /** Default: this folder. */
  readonly sourceDirectory?: string;
  /** The Go command, default `go` from the PATH. */
  readonly go?: string;
  readonly signal?: AbortSignal;
}

/** `$XDG_CACHE_HOME/cozystack`, or `~/.cache/cozystack`. */
export function defaultCacheDirectory(environment: Readonly<Record<string, string | undefined>>): string {
  const base = environment["XDG_CACHE_HOME"] || join(environment["HOME"] ?? ".", ".cache");
  return join(base, "cozystack");
}

/**
 * Path of the built binary. Builds it when it is not in the cache, once however many ask at the same time.
 * @throws EngineError `EngineToolchainMissing` without Go, `EngineBuildFailed` with the compiler's last lines
 */
export async function buildEngine(options: BuildOptions): Promise<string> {
  const source = options.sourceDirectory ?? import.meta.dirname;
  const go = options.go ?? "go";
  const directory = join(options.cacheDirectory, "engine");
  const digest = digestOf(source);
  const version = await goVersion(go, source);
  if (version === undefined) {
    const built = existsSync(directory)
      ? readdirSync(directory).find((name) => name.startsWith(`${digest}-`) && !name.includes("."))
      : undefined;
    if (built !== undefined) return join(directory, built);
    throw new EngineError(
      "EngineToolchainMissing",
      "The embedded control plane is built from source on first use and needs Go 1.25 or newer, which is not in the PATH.",
      "Install Go (https://go.dev/dl, or your distribution's package golang) or use a cluster that exists with --kubeconfig FILE.",
    );
  }

  const binary = join(directory, `${digest}-${version.replaceAll(/[^A-Za-z0-9]+/g, "_")}`);
  if (existsSync(binary)) return binary;
  mkdirSync(directory, { recursive: true });
  const lock = await waitForLock(`${binary}.lock`, options);
  try {
    if (existsSync(binary)) return binary;
    await compile(go, source, `${binary}.new`, options);
    renameSync(`${binary}.new`, binary);
    return binary;
  } finally {
    rmSync(`${binary}.new`, { force: true });
    lock.release();
  }
}

function digestOf(source: string): string {
  const hash = createHash("sha256").update(JSON.stringify(buildArguments("")));
  const names = readdirSync(source).filter((name) => name.endsWith(".go") || name === "go.mod" || name === "go.sum");
  for (const name of names.sort())
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(source, name)))
      .update("\0");
  return hash.digest("hex").slice(0, 16);
}

function buildArguments(output: string): string[] {
  const stamp = {
    gitVersion: kubernetesVersion,
    gitMajor: "1",
    gitMinor: kubernetesVersion.split(".")[1],
    gitTreeState: "clean",
  };
  // Without the stamp the server reports a version that neither kubectl nor a chart's kubeVersion check can parse.
  const packages = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"];
  const link = packages.flatMap((name) =>
    Object.entries(stamp).map(([variable, value]) => `-X ${name}.${variable}=${value}`),
  );
  return ["build", "-v", "-trimpath", "-ldflags", ["-s", "-w", ...link].join(" "), "-o", output, "."];
}

async function waitForLock(path: string, { log, signal }: BuildOptions) {
  for (let told = false; ; told = true) {
    const lock = acquire(path, {});
    if ("release" in lock) return lock;
    if (!told) log(`Process ${lock.heldBy.pid} is building the control plane already; waiting for it.`);
    await sleep(500, undefined, signal === undefined ? {} : { signal });
  }
}

async function compile(go: string, source: string, output: string, { log, signal }: BuildOptions): Promise<void> {
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1000);
  log(`Building the control plane (Kubernetes ${kubernetesVersion}). Only once; about 5 minutes on 2 cores.`);
  let told = Number.NEGATIVE_INFINITY;
  /** Often enough to see that it goes on, seldom enough to be read. */
  const tell = (line: () => string): void => {
    if (seconds() - told < 5) return;
    told = seconds();
    log(`${line()}, ${told} s`);
  };
  let downloaded = 0;
  const listed = await run(go, ["list", "-deps", "."], source, signal, (line) => {
    if (!line.startsWith("go: downloading ")) return;
    downloaded += 1;
    tell(() => `Downloading its source: ${downloaded} modules`);
  });
  const total = listed.stdout.length;
  let compiled = 0;
  const result = await run(go, buildArguments(output), source, signal, (line) => {
    if (!/^[\w./-]+$/.test(line)) return;
    compiled += 1;
    tell(() => `Building the control plane: ${compiled} of at most ${total} packages`);
  });
  if (result.code !== 0) {
    const last = result.stderr.filter((line) => !/^[\w./-]+$/.test(line)).slice(-15);
    throw new EngineError(
      "EngineBuildFailed",
      `Building the embedded control plane with ${go} failed:\n${last.join("\n")}`,
      "Put right what the compiler names (the network, the disk, another Go in the PATH), or use a cluster that exists with --kubeconfig FILE.",
    );
  }
  log(`Built the control plane in ${seconds()} s.`);
}

async function goVersion(go: string, source: string): Promise<string | undefined> {
  try {
    const { code, stdout, stderr } = await run(go, ["env", "GOVERSION", "GOOS", "GOARCH"], source);
    if (code !== 0) {
      const problem = `${go} env failed: ${stderr.join(" ")}`;
      throw new EngineError(
        "EngineBuildFailed",
        problem,
        "Repair the Go installation, or use another cluster with --kubeconfig FILE.",
      );
    }
    return stdout.join("_");
  } catch (error) {
    if (isErrno(error, "ENOENT")) return undefined;
    throw error;
  }
}

interface Finished {
  readonly code: number | null;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
}

function run(
  command: string,
  args: readonly string[],
  cwd: string,
  signal?: AbortSignal,
  onLine?: (line: string) => void,
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-buildvcs=false", GOWORK: "off" },
      stdio: ["ignore", "pipe", "pipe"],
      ...(signal === undefined ? {} : { signal }),
    });
    const stdout = lines(child.stdout);
    const stderr = lines(child.stderr, onLine);
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Collects a stream's lines as they arrive. */
function lines(stream: NodeJS.ReadableStream, onLine?: (line: string) => void): string[] {
  const collected: string[] = [];
  let rest = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      collected.push(line);
      onLine?.(line);
    }
  });
  return collected;
}
