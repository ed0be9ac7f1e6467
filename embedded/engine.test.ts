import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent, request } from "undici";
import { type Engine, purge, runningEngine, startEngine } from "./engine.ts";
import { isErrno } from "./errors.ts";
import { identify, isAlive, type ProcessIdentity } from "./lock.ts";
import { detach, stopRunning } from "./supervisor.ts";

const directory = mkdtempSync(join(tmpdir(), "engine-"));
const supervisors: ChildProcess[] = [];
after(async () => {
  await stopRunning(join(directory, "detached"));
  for (const child of supervisors) child.kill("SIGKILL"); // where a test failed before it ended its own
  rmSync(directory, { recursive: true, force: true });
});

const supervisor = join(import.meta.dirname, "supervisor.ts");
const small = ["etcd", "kube-apiserver"] as const;

async function call(
  engine: Engine,
  method: "GET" | "POST",
  path: string,
  body?: object,
  token: string | null = engine.token,
) {
  const dispatcher = new Agent({ connect: { ca: engine.caData } });
  try {
    const answer = await request(`${engine.server}${path}`, {
      method,
      dispatcher,
      headers: { "content-type": "application/json", ...(token === null ? {} : { authorization: `Bearer ${token}` }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.statusCode, body: await answer.body.text() };
  } finally {
    await dispatcher.close();
  }
}

async function until(what: string, condition: () => boolean, seconds = 60): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!condition()) {
    assert.ok(performance.now() < deadline, `not within ${seconds} s: ${what}`);
    await sleep(20);
  }
}

function supervise(dataDir: string, ...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [supervisor, dataDir, "--no-fsync", ...args], { stdio: "ignore" });
  supervisors.push(child);
  return child;
}

/** A supervisor process with its engine ready, and who its processes are. */
async function supervised(dataDir: string, ...args: string[]) {
  const child = supervise(dataDir, ...args);
  await until(
    "the supervised engine is ready",
    () => runningEngine(dataDir)?.ready === true || child.exitCode !== null,
  );
  return { child, processes: processesIn(dataDir) };
}

/** Every process that runs in a data directory, whether or not anyone recorded it. */
function processesIn(dataDir: string): ProcessIdentity[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name) && cwdOf(name) === dataDir);
  return pids.map((pid) => identify(Number(pid))).filter((identity) => identity !== undefined);
}

function cwdOf(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch (error) {
    // Ended meanwhile, a kernel thread, or another user's.
    if (["ENOENT", "ESRCH", "EACCES"].some((code) => isErrno(error, code))) return undefined;
    throw error;
  }
}

async function exitOf(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return child.exitCode;
}

const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "kept" }, data: { answer: "42" } };
const configMaps = "/api/v1/namespaces/default/configmaps";

test("a killed supervisor leaves no process, a usable directory, and the data", async () => {
  const dataDir = join(directory, "killed");
  const { child, processes } = await supervised(dataDir);
  assert.equal(processes.length, 4);
  child.kill("SIGKILL");
  await exitOf(child);
  assert.equal(runningEngine(dataDir), undefined, "the lock of a dead process is none");
  // Started at once, while the old processes may still be ending.
  const engine = await startEngine({ dataDir, fsync: false, components: small });
  try {
    await until("every process of the killed supervisor has gone", () => !processes.some(isAlive), 10);
    assert.equal((await call(engine, "GET", "/api/v1/namespaces/kube-system")).status, 200);
    assert.equal((await call(engine, "POST", configMaps, configMap)).status, 201);
  } finally {
    await engine.stop();
  }
  const again = await startEngine({ dataDir, fsync: false, components: small });
  try {
    const { status, body } = await call(again, "GET", `${configMaps}/kept`);
    assert.equal(status, 200);
    assert.equal(JSON.parse(body).data.answer, "42");
    assert.notEqual(again.token, engine.token, "an old token opens nothing");
    assert.equal((await call(again, "GET", configMaps, undefined, engine.token)).status, 401);
  } finally {
    await again.stop();
  }
});

for (const delay of [0, 300, 1000]) {
  test(`a supervisor killed ${delay} ms after its first process started leaves none`, async () => {
    const dataDir = join(directory, `early-${delay}`);
    const child = supervise(dataDir);
    await until("the first process has started", () => processesIn(dataDir).length > 0);
    await sleep(delay);
    child.kill("SIGKILL");
    await exitOf(child);
    await until("every process has gone", () => processesIn(dataDir).length === 0, 10);
    assert.equal(runningEngine(dataDir), undefined);
    assert.equal(purge(dataDir), true);
  });
}

test("one engine: closed to strangers, refused twice, purged only when stopped", async () => {
  const dataDir = join(directory, "one");
  const engine = await startEngine({ dataDir, fsync: false, controllers: ["serviceaccount-controller"] });
  try {
    assert.equal((await call(engine, "GET", "/api/v1/namespaces", undefined, null)).status, 401, "anonymous");
    assert.equal((await call(engine, "GET", "/version", undefined, null)).status, 401, "anonymous, even the version");
    assert.equal((await call(engine, "GET", "/version", undefined, "guess")).status, 401, "wrong token");
    assert.match((await call(engine, "GET", "/version")).body, /"gitVersion": "v1\.35\.\d+"/);

    assert.match(engine.server, /^https:\/\/127\.0\.0\.1:\d+$/);
    assert.deepEqual(listeners(engine.pids.values()), [new URL(engine.server).port], "one port, on loopback only");
    assert.equal(statSync(dataDir).mode & 0o777, 0o700);
    for (const file of ["kubeconfig", "tokens.csv", "kube-scheduler.kubeconfig", "lock"]) {
      assert.equal(statSync(join(dataDir, file)).mode & 0o777, 0o600, file);
    }
    assert.ok(readFileSync(engine.kubeconfigPath, "utf8").includes(engine.token));
    assert.ok(!readFileSync(join(dataDir, "lock"), "utf8").includes(engine.token));
    for (const pid of engine.pids.values())
      assert.ok(!readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(engine.token));

    await assert.rejects(startEngine({ dataDir }), {
      code: "EngineInUse",
      message: new RegExp(`${process.pid} .*${dataDir}`),
    });
    assert.throws(() => purge(dataDir), { code: "EngineInUse" });
  } finally {
    await engine.stop();
  }
  await engine.stop();
  assert.equal(await engine.ended, undefined);
  assert.equal(existsSync(join(dataDir, "lock")), false);
  assert.equal(purge(dataDir), true);
  assert.equal(existsSync(dataDir), false);
  assert.equal(purge(dataDir), false);
});

/** Ports that processes listen on; asserts that each is on 127.0.0.1. */
function listeners(pids: Iterable<number>): string[] {
  const sockets = new Set<string>();
  for (const pid of pids) {
    for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
      const open = statSync(`/proc/${pid}/fd/${descriptor}`, { throwIfNoEntry: false }); // closed meanwhile
      if (open !== undefined) sockets.add(String(open.ino));
    }
  }
  const rows = ["tcp", "tcp6"].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, "utf8").trim().split("\n").slice(1),
  );
  const listening = rows
    .map((row) => row.trim().split(/\s+/))
    .filter((row) => row[3] === "0A" && sockets.has(row[9] ?? ""));
  return listening.map((row) => {
    const [address, port] = (row[1] ?? "").split(":");
    assert.equal(address, "0100007F");
    return String(Number.parseInt(port ?? "", 16));
  });
}

test("when a component crashes, all end and the error says which and why", async () => {
  const dataDir = join(directory, "crash");
  const engine = await startEngine({ dataDir, fsync: false, components: small });
  const processes = processesIn(dataDir);
  process.kill(engine.pids.get("etcd") ?? 0, "SIGKILL");
  const error = await engine.ended;
  assert.equal(error?.code, "EngineCrashed");
  assert.match(error?.message ?? "", /^etcd ended by itself \(signal SIGKILL\)/);
  assert.ok(!processes.some(isAlive));
  assert.equal(runningEngine(dataDir), undefined);
  assert.equal(existsSync(join(dataDir, "lock")), false);
});

test("a detached engine outlives its starter and ends by `stopRunning`", async () => {
  const dataDir = join(directory, "detached");
  const command: [string, ...string[]] = [
    process.execPath,
    supervisor,
    dataDir,
    "--no-fsync",
    `--components=${small.join()}`,
  ];
  const lines: string[] = [];
  await detach({
    command,
    dataDir,
    logFile: join(directory, "detached.log"),
    log: (line) => void lines.push(line),
  });
  const processes = processesIn(dataDir);
  assert.equal(processes.length, 2);
  assert.ok(processes.every(isAlive));
  assert.equal(await stopRunning(dataDir), true);
  assert.ok(!processes.some(isAlive));
  assert.equal(existsSync(join(dataDir, "lock")), false);
  assert.equal(await stopRunning(dataDir), false);
});

test("Ctrl-C while it starts ends everything in order, with exit code 0", async () => {
  const dataDir = join(directory, "interrupted-early");
  const child = supervise(dataDir, `--components=${small.join()}`);
  await until("its first process runs", () => processesIn(dataDir).length > 0 || child.exitCode !== null);
  const processes = processesIn(dataDir);
  child.kill("SIGINT");
  assert.equal(await exitOf(child), 0);
  assert.ok(!processes.some(isAlive));
  assert.deepEqual(processesIn(dataDir), []);
  assert.equal(existsSync(join(dataDir, "lock")), false);
});

test("Ctrl-C ends everything in order, with exit code 0", async () => {
  const dataDir = join(directory, "interrupted");
  const { child, processes } = await supervised(dataDir, `--components=${small.join()}`);
  child.kill("SIGINT");
  assert.equal(await exitOf(child), 0);
  assert.ok(!processes.some(isAlive));
  assert.equal(existsSync(join(dataDir, "lock")), false);
});

test("a directory with other files is neither used nor purged", async () => {
  const dataDir = join(directory, "theirs");
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, "thesis.txt"), "");
  await assert.rejects(startEngine({ dataDir }), { code: "EngineNotOurs" });
  assert.throws(() => purge(dataDir), { code: "EngineNotOurs" });
  assert.deepEqual(readdirSync(dataDir), ["thesis.txt"]);
});

test("a supervisor that fails to start gives its last lines", async () => {
  const dataDir = join(directory, "theirs");
  const starting = detach({
    command: [process.execPath, supervisor, dataDir],
    dataDir,
    logFile: join(directory, "failed.log"),
  });
  await assert.rejects(starting, { code: "EngineStartFailed", message: /EngineNotOurs/ });
});
