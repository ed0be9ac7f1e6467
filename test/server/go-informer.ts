/** client-go's own informer, as controllers in Go have it, against the aggregated API. */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { defaultCacheDirectory } from "../../embedded/build.ts";
import { Namespace, RoleBinding, Secret } from "../../src/kube/core-kinds.ts";
import { isRecord } from "../../src/kube/json.ts";
import { systemWorld } from "../../src/kube/world.ts";
import type { ServerEngine } from "../support/server-engine.ts";
import { grant, shownSecret, tenant, unique } from "./fixtures.ts";

const source = join(import.meta.dirname, "go-informer");
/** The Go command, from the PATH. */
const go: string = "go";
const isGoThere = spawnSync(go, ["version"]).status === 0;

/** The program, built once for each content of its source. */
function built(): string {
  const hash = createHash("sha256").update(execFileSync(go, ["env", "GOVERSION"]));
  for (const name of ["main.go", "go.mod", "go.sum"]) hash.update(readFileSync(join(source, name)));
  const directory = join(defaultCacheDirectory(process.env), "go-informer");
  const binary = join(directory, hash.digest("hex").slice(0, 16));
  if (existsSync(binary)) return binary;
  mkdirSync(directory, { recursive: true });
  const made = `${binary}.${process.pid}`;
  try {
    const env = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-buildvcs=false", GOWORK: "off" };
    execFileSync(go, ["build", "-trimpath", "-o", made, "."], {
      cwd: source,
      env,
      stdio: ["ignore", "ignore", "inherit"],
    });
    renameSync(made, binary);
  } finally {
    rmSync(made, { force: true });
  }
  return binary;
}

interface Told {
  readonly event: string;
  readonly name: string;
  readonly version: string;
  readonly error: string;
}

const PATIENCE_MS = 30_000;

/** What the informer told its handlers so far, and waiting for more. */
function openInformer(kubeconfig: string, resource: string, namespace: string, user: string) {
  const child = spawn(built(), [kubeconfig, resource, namespace, user], { stdio: ["pipe", "pipe", "inherit"] });
  const told: Told[] = [];
  createInterface({ input: child.stdout }).on("line", (text) => {
    const value: unknown = JSON.parse(text);
    const at = (key: string): string => String((isRecord(value) ? value[key] : undefined) ?? "");
    told.push({ event: at("event"), name: at("name"), version: at("version"), error: at("error") });
  });
  return {
    told,
    async hears(event: string, name = ""): Promise<Told> {
      const until = Date.now() + PATIENCE_MS;
      for (;;) {
        const found = told.find((each) => each.event === event && each.name === name);
        if (found !== undefined) return found;
        assert.ok(
          Date.now() < until && child.exitCode === null,
          `${event} ${name}: ${JSON.stringify(told.slice(-10))}`,
        );
        await systemWorld.sleep(20);
      }
    },
    async end(): Promise<void> {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.stdin.end();
      await ended;
    },
  };
}

export function goInformerSuite(engine: () => ServerEngine): void {
  const skip = !isGoThere && "no Go in the PATH";

  test("client-go's informer of TenantSecrets hears of what is there, comes, changes and goes", {
    skip,
    timeout: 300_000,
  }, async () => {
    const client = engine().client();
    const user = unique("user-");
    const namespace = await tenant(client, user);
    await client.create(Secret, shownSecret("first", namespace));
    const informer = openInformer(engine().kubeconfig, "tenantsecrets", namespace, user);
    try {
      await informer.hears("synced");
      const first = await informer.hears("added", "first");
      await client.create(Secret, shownSecret("second", namespace));
      await informer.hears("added", "second");
      await client.mergePatch(Secret, "first", namespace, { metadata: { labels: { changed: "1" } } });
      const updated = await informer.hears("updated", "first");
      assert.ok(BigInt(updated.version) > BigInt(first.version));
      await client.mergePatch(Secret, "second", namespace, {
        metadata: { labels: { "internal.cozystack.io/tenantresource": "false" } },
      });
      await informer.hears("deleted", "second");
      await client.delete(Secret, "first", namespace);
      await informer.hears("deleted", "first");
      assert.deepEqual(
        informer.told.filter(({ event }) => event === "problem"),
        [],
      );
    } finally {
      await informer.end();
    }
  });

  test("client-go's informer of TenantNamespaces hears of a grant and of its end", {
    skip,
    timeout: 300_000,
  }, async () => {
    const client = engine().client();
    const user = unique("user-");
    const mine = await tenant(client, user);
    const other = await tenant(client);
    const informer = openInformer(engine().kubeconfig, "tenantnamespaces", "", user);
    try {
      await informer.hears("synced");
      await informer.hears("added", mine);
      assert.equal(
        informer.told.some(({ name }) => name === other),
        false,
      );
      await grant(client, other, "people", [user]);
      await informer.hears("added", other);
      await client.mergePatch(Namespace, other, undefined, { metadata: { labels: { changed: "1" } } });
      await informer.hears("updated", other);
      await client.delete(RoleBinding, "people", other);
      await informer.hears("deleted", other);
      assert.deepEqual(
        informer.told.filter(({ event }) => event === "problem"),
        [],
      );
    } finally {
      await informer.end();
    }
  });
}
