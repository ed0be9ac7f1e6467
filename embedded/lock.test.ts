import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { acquire, holderOf, identify, isAlive, type Lock } from "./lock.ts";

const directory = mkdtempSync(join(tmpdir(), "lock-"));
after(() => rmSync(directory, { recursive: true }));

let count = 0;
const fresh = (): string => join(directory, `lock-${++count}`);

function taken<R>(result: ReturnType<typeof acquire<R>>): Lock<R> {
  assert.ok("release" in result, `held by ${JSON.stringify(result)}`);
  return result;
}

test("a second taker is told who holds the lock and what it recorded", () => {
  const path = fresh();
  const lock = taken(acquire(path, { phase: "starting" }));
  lock.update({ phase: "ready" });
  const second = acquire(path, { phase: "mine" });
  assert.ok("heldBy" in second);
  assert.equal(second.heldBy.pid, process.pid);
  assert.deepEqual(second.record, { phase: "ready" });
  lock.release();
  assert.equal(holderOf(path), undefined);
  taken(acquire(path, { phase: "mine" })).release();
});

test("release leaves no file, and not the lock of a successor", () => {
  const path = fresh();
  const first = taken(acquire(path, {}));
  first.release();
  const second = taken(acquire(path, {}));
  first.release();
  assert.ok(holderOf(path) !== undefined);
  second.release();
  assert.deepEqual(
    readdirSync(directory).filter((name) => path.endsWith(name)),
    [],
  );
});

const deadHolders = [
  { why: "no process has the pid", holder: { pid: 2 ** 22 + 1, startTime: "1" } },
  { why: "another process has got the pid since", holder: { pid: process.pid, startTime: "1" } },
];
for (const { why, holder } of deadHolders) {
  test(`a lock is stale when ${why}`, () => {
    const path = fresh();
    writeFileSync(path, JSON.stringify({ holder, token: "old", record: {} }));
    assert.equal(holderOf(path), undefined);
    taken(acquire(path, {})).release();
  });
}

test("a file that is no lock does not lock", () => {
  const path = fresh();
  writeFileSync(path, "");
  taken(acquire(path, {})).release();
});

test("a killed holder's lock is free at once", async () => {
  const path = fresh();
  const program = `import { acquire } from ${JSON.stringify(join(import.meta.dirname, "lock.ts"))};
    acquire(${JSON.stringify(path)}, {}); console.log("held"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  assert.equal(holderOf(path)?.heldBy.pid, child.pid);
  child.kill("SIGKILL");
  await once(child, "exit");
  assert.equal(holderOf(path), undefined);
  taken(acquire(path, {})).release();
});

test("of many that take over a stale lock at once, exactly one has it", async () => {
  const path = fresh();
  writeFileSync(path, JSON.stringify({ holder: { pid: 2 ** 22 + 1, startTime: "1" }, token: "old", record: {} }));
  const program = `import { acquire } from ${JSON.stringify(join(import.meta.dirname, "lock.ts"))};
    const mine = "release" in acquire(${JSON.stringify(path)}, {});
    console.log(mine); process.stdin.resume(); process.stdin.on("end", () => process.exit());`;
  const children = Array.from({ length: 6 }, () =>
    spawn(process.execPath, ["--input-type=module", "-e", program], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  const answers = await Promise.all(
    children.map(async (child) => String((await once(child.stdout, "data"))[0]).trim()),
  );
  const winner = children[answers.indexOf("true")];
  assert.deepEqual(answers.toSorted(), ["false", "false", "false", "false", "false", "true"]);
  assert.equal(JSON.parse(readFileSync(path, "utf8")).holder.pid, winner?.pid);
  for (const child of children) child.stdin.end();
  await Promise.all(children.map((child) => once(child, "exit")));
});

test("an identity outlives neither its process nor a zombie", async () => {
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  const identity = identify(child.pid ?? 0);
  assert.ok(identity !== undefined && isAlive(identity));
  await once(child, "exit");
  assert.equal(isAlive(identity), false);
  assert.ok(isAlive(identify(process.pid) ?? { pid: 0, startTime: "" }));
});
