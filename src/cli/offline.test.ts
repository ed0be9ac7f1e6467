/** What works without a cluster, as a process of its own. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { parseAllDocuments } from "yaml";
import { cli } from "../../test/support/cli.ts";
import { apps } from "../apps/index.ts";
import { valueAt } from "../kube/json.ts";
import { appNamed } from "./applications.ts";
import { fieldAt } from "./field-help.ts";
import { program } from "./main.ts";

const folder = mkdtempSync(join(tmpdir(), "cli-"));
after(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const redis = "apiVersion: apps.cozystack.io/v1alpha1\nkind: Redis\nmetadata: {name: q, namespace: tenant-x}\n";

test("render prints every object, and no value of a Secret unless asked to", async () => {
  const masked = await cli(["render", "-f", file("redis.yaml", redis)]);
  assert.equal(masked.code, 0, masked.stderr);
  const objects: unknown[] = parseAllDocuments(masked.stdout).map((document) => document.toJS());
  assert.deepEqual(
    objects.map((object) => valueAt(object, "kind")).filter((kind) => kind === "RedisFailover" || kind === "Secret"),
    ["Secret", "RedisFailover"],
  );
  const secret = objects.find((object) => valueAt(object, "kind") === "Secret");
  assert.equal(valueAt(secret, "data", "password"), "(secret)");
  assert.equal(valueAt(secret, "metadata", "namespace"), "tenant-x");
  assert.equal((await cli(["render", "-f", "-"], { input: redis })).stdout, masked.stdout, "two runs are equal");

  const shown = await cli(["render", "-f", "-", "--show-secrets", "-o", "json"], { input: redis });
  const again = await cli(["render", "-f", "-", "--show-secrets", "-o", "json"], { input: redis });
  assert.notEqual(shown.stdout, again.stdout, "what could be used is never the same twice");
  assert.doesNotMatch(shown.stdout, /\(secret\)/);
});

test("render warns of a field that nobody reads, and prints all the same", async () => {
  const { code, stdout, stderr } = await cli(["render", "-f", "-"], { input: `${redis}spec: {replica: 3}\n` });
  assert.equal(code, 0);
  assert.match(stderr, /^warning: standard input, document 1: spec\.replica \(did you mean replicas\?\) is not known/);
  assert.match(stdout, /kind: RedisFailover/);
});

test("render names the version of a kind that is written in another one", async () => {
  const { code, stderr } = await cli(["render", "-f", "-"], { input: redis.replace("v1alpha1", "v1") });
  assert.equal(code, 1);
  assert.match(
    stderr,
    /serves no Redis of apps\.cozystack\.io\/v1; did you mean apiVersion: apps\.cozystack\.io\/v1alpha1\?/,
  );
});

test("render says how long the name of a new application can be, not how long one object's would", async () => {
  const { stderr } = await cli(["render", "-f", "-"], { input: redis.replace("name: q", `name: ${"q".repeat(45)}`) });
  assert.match(
    stderr,
    /^warning: standard input, document 1: the name has 45 characters; a new Redis can have at most 42/,
  );
});

const postgres = "apiVersion: apps.cozystack.io/v1alpha1\nkind: Postgres\nmetadata: {name: db, namespace: tenant-x}\n";

test("render says which fields an API server would judge further, and nothing where it would not", async () => {
  const { code, stderr } = await cli(["render", "-f", "-"], {
    input: `${postgres}---\n${postgres.replace("db", "other")}`,
  });
  assert.equal(code, 0);
  const warnings = stderr.split("\n").filter((line) => line.includes("no API server was asked"));
  assert.equal(warnings.length, 1, "said once a kind");
  for (const field of ["spec.users", "spec.databases", "spec.bootstrap.oldName", "spec.postgresql.parameters"]) {
    assert.match(warnings[0] ?? "", new RegExp(`[ ,]${field}(,|$)`));
  }
  assert.doesNotMatch(warnings[0] ?? "", /spec\.size/, "what is judged here as well");
  assert.equal((await cli(["render", "-f", "-"], { input: redis })).stderr, "");
});

test("render leaves open the name of a Job that generated values decide, unless they are shown or exist", async () => {
  const jobs = async (...words: readonly string[]) => {
    const { stdout } = await cli(["render", "-f", "-", "-o", "json", ...words], {
      input: `${postgres}spec: {users: {a: {}}}\n`,
    });
    const items = valueAt(JSON.parse(stdout), "items");
    assert.ok(Array.isArray(items));
    return {
      items,
      jobs: items.filter((item) => valueAt(item, "kind") === "Job").map((item) => valueAt(item, "metadata", "name")),
    };
  };
  assert.deepEqual((await jobs()).jobs, ["postgres-db-init-<decided at apply>"]);
  const shown = await jobs("--show-secrets");
  assert.match(String(shown.jobs[0]), /^postgres-db-init-[0-9a-f]{8}$/);
  const live = shown.items
    .filter((item) => valueAt(item, "kind") === "Secret")
    .map((item) => {
      const texts = Object.entries(Object(valueAt(item, "stringData")));
      return {
        ...item,
        stringData: undefined,
        data: Object.fromEntries(texts.map(([key, text]) => [key, Buffer.from(String(text)).toString("base64")])),
      };
    });
  const existing = file("secrets.yaml", live.map((one) => JSON.stringify(one)).join("\n---\n"));
  assert.deepEqual((await jobs("--existing", existing)).jobs, shown.jobs);
});

test("render takes the surroundings and what exists from files", async () => {
  const context = file("context.yaml", "cluster: {cluster-domain: my.domain}\nnamespace: {host: shop.example.com}\n");
  const bucket = "apiVersion: apps.cozystack.io/v1alpha1\nkind: Bucket\nmetadata: {name: b, namespace: tenant-x}\n";
  const { stdout, code } = await cli(["render", "-f", "-", "--context", context], { input: bucket });
  assert.equal(code, 0);
  assert.match(stdout, /host: bucket-b\.shop\.example\.com/);
  const machine = await cli(["render", "-f", "examples/vm.yaml", "-o", "name"]);
  assert.match(machine.stdout, /virtualmachine\.kubevirt\.io\/vm-instance-web/, "documents see what earlier ones make");
});

const unreachable = file(
  "unreachable.yaml",
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:9" } }],
    users: [{ name: "u", user: { token: "t" } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  }),
);
const refusals: {
  readonly why: string;
  readonly words: readonly string[];
  readonly input?: string;
  readonly code: number;
  readonly says: RegExp;
}[] = [
  {
    why: "a spec that is wrong: document, line, object, field, limit and way out",
    words: ["render", "-f", "-"],
    input: `${redis}spec: {replicas: many}\n`,
    code: 1,
    says: /error: standard input, document 1, line 4: Redis tenant-x\/q: spec\.replicas: must be integer, not string \(InvalidSpec\)\n {2}\S/,
  },
  {
    why: "a machine without its disk",
    words: ["render", "-f", "-"],
    input:
      "apiVersion: apps.cozystack.io/v1alpha1\nkind: VMInstance\nmetadata: {name: a}\nspec: {disks: [{name: d}]}\n",
    code: 1,
    says: /needs DataVolume vm-disk-d to exist \(ObjectNeeded\)/,
  },
  {
    why: "a kind that is not ours",
    words: ["render", "-f", "-"],
    input: "apiVersion: apps.cozystack.io/v1alpha1\nkind: Rediss\nmetadata: {name: a}\n",
    code: 1,
    says: /standard input, document 1: "Rediss" is no kind of application; did you mean Redis\? \(UnknownKind\)/,
  },
  {
    why: "a field that does not exist",
    words: ["explain", "postgres.spec.replica"],
    code: 1,
    says: /did you mean replicas\?/,
  },
  ...["render", "plan", "apply"].map((command) => ({
    why: `${command} without documents, whether or not there is a cluster`,
    words: [command],
    code: 64,
    says: /name the documents with -f/,
  })),
  {
    why: "flags of kubectl's without the dashes before them",
    words: ["kubectl", "get", "pods", "-A"],
    code: 64,
    says: /unknown option '-A'\n\(what is for kubectl comes after --, as in: cozystack kubectl -- get pods -A\)/,
  },
  { why: "every namespace and one", words: ["get", "-A", "-n", "x"], code: 64, says: /cannot be used with option/ },
  { why: "nothing to delete", words: ["delete", "redis"], code: 64, says: /name a kind and a name/ },
  {
    why: "a cluster that does not answer: which, and what to do",
    words: ["get", "--kubeconfig", unreachable],
    code: 1,
    says: /error: https:\/\/127\.0\.0\.1:9 gives no answer: connect ECONNREFUSED \S+ \(Network\)\n {2}Check the address in \S+unreachable\.yaml, and that the cluster runs\./,
  },
  {
    why: "a kubeconfig that is not there",
    words: ["get", "--kubeconfig", "/nonexistent/config"],
    code: 1,
    says: /error: \/nonexistent\/config: there is no such file \(KubeconfigInvalid\)/,
  },
  { why: "an unknown command", words: ["plna"], code: 64, says: /unknown command 'plna'/ },
  {
    why: "an unknown format",
    words: ["explain", "-o", "xml"],
    code: 64,
    says: /Allowed choices are text, json, yaml, name/,
  },
  { why: "a time that is none", words: ["apply", "--timeout", "soon"], code: 64, says: /Write a time such as 90s/ },
  { why: "a shell that is none", words: ["completion", "tcsh"], code: 64, says: /say bash, zsh or fish/ },
  {
    why: "no cluster",
    words: ["get", "--data-dir", "/nonexistent/data"],
    code: 1,
    says: /\(NoCluster\)\n {2}Start one with/,
  },
  {
    why: "no cluster, said by status",
    words: ["status", "--data-dir", "/nonexistent/data"],
    code: 1,
    says: /\(NoCluster\)/,
  },
];

test("a kubeconfig that `up` left behind is no cluster", async () => {
  const dataDir = join(folder, "ended");
  mkdirSync(dataDir);
  const kubeconfig = join(dataDir, "kubeconfig");
  writeFileSync(kubeconfig, "apiVersion: v1\nkind: Config\n");
  const { code, stderr } = await cli(["get", "--data-dir", dataDir], { env: { HOME: folder, KUBECONFIG: kubeconfig } });
  assert.equal(code, 1);
  assert.match(stderr, /no control plane runs on .*\(NoCluster\)\n {2}Start one with `cozystack up`/);
});

for (const { why, words, input, code, says } of refusals) {
  test(`a command line is refused: ${why}`, async () => {
    const result = await cli(words, { ...(input === undefined ? {} : { input }), env: { HOME: folder } });
    assert.equal(result.code, code, result.stderr);
    assert.match(result.stderr, says);
    assert.equal(result.stdout, "");
  });
}

for (const words of [["up"], ["up", "--detach"]])
  test(`${words.join(" ")} refuses a folder of applications that cannot be read before it starts anything`, async () => {
    const dataDir = join(folder, "never");
    const { code, stderr } = await cli([...words, "--apps", join(folder, "nope"), "--data-dir", dataDir]);
    assert.equal(code, 1);
    assert.match(stderr, /^error: \S+nope is no folder \(AppsInvalid\)\n.*\n$/);
    assert.equal(existsSync(dataDir), false);
  });

test("explain describes a kind, a field, a field in a map, and lists all kinds", async () => {
  const kind = await cli(["explain", "postgres"]);
  assert.match(kind.stdout, /^KIND: {5}Postgres\nVERSION: {2}apps\.cozystack\.io\/v1alpha1\n/);
  assert.match(kind.stdout, /\n {2}replicas {2}<integer>\n {4}Number of servers.*\n {4}Default: 2\n/);
  const user = await cli(["explain", "postgres.spec.users.alice.password", "-o", "json"]);
  assert.equal(valueAt(JSON.parse(user.stdout), "field", "path"), "spec.users.<name>.password");
  assert.match((await cli(["explain", "vminstance.spec.externalPorts"])).stdout, /At most 256 items/);
  const all = await cli(["explain", "-o", "name"]);
  assert.ok(all.stdout.split("\n").includes("Postgres"));
});

test("no command and no kind builds applications, as in 1.6 (feature 201)", () => {
  const words = [...program().commands.map((command) => command.name()), ...apps.map(({ kind }) => kind)];
  assert.deepEqual(
    words.filter((word) => /build/i.test(word)),
    [],
  );
});

test("a field may be named as it is listed, without spec", () => {
  const redis = appNamed("redis", apps);
  assert.equal(fieldAt(redis, ["size"]).path, fieldAt(redis, ["spec", "size"]).path);
  assert.equal(fieldAt(redis, ["status", "version"]).path, "status.version");
  assert.throws(() => fieldAt(redis, ["sise"]), /has no field spec\.sise; did you mean size\?/);
});

test("every command has help with examples", () => {
  const commands = program().commands.flatMap((one) => (one.commands.length === 0 ? [one] : one.commands));
  assert.ok(commands.length >= 16);
  for (const command of commands) {
    let help = "";
    command.configureOutput({
      writeOut: (text) => {
        help += text;
      },
    });
    command.outputHelp();
    assert.match(help, /\nExamples:\n {2}cozystack|\n {2}source/, command.name());
    assert.match(help, /--kubeconfig <file>/, command.name());
    assert.doesNotMatch(help, /default: \d+\)/, `${command.name()}: a time without its unit`);
    const flags = [...help.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag]) => flag);
    assert.deepEqual(flags, [...new Set(flags)], `${command.name()}: a flag that is explained twice`);
  }
});
