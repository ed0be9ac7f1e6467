/**
 * Pools of worker machines, before there is an application that orders them: their objects and the configuration with which
 * machines start are those that running installations have, for every case that is at hand.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { parse } from "yaml";
import { isRecord, valueAt } from "../../src/kube/json.ts";
import type { Json } from "../../src/sdk/context.ts";
import { Refusal } from "../../src/sdk/errors.ts";
import { checkPool } from "../../src/sdk/node-pool/checks.ts";
import { machineTemplate, templateName } from "../../src/sdk/node-pool/machine-template.ts";
import { machineDeployment, machineHealthCheck, poolMonitor } from "../../src/sdk/node-pool/machines.ts";
import { instanceTypeOf, type NodePool } from "../../src/sdk/node-pool/pool.ts";
import { machineSize, reserve } from "../../src/sdk/node-pool/sizes.ts";
import { type ClusterAccess, talosConfigTemplate } from "../../src/sdk/node-pool/talos-config.ts";
import { type KubernetesVersion, kubernetesVersions, talosDefaults } from "../../src/sdk/node-pool/versions.ts";
import { namespaceValues } from "../support/render.ts";

const directory = resolve(import.meta.dirname, "../../../shared/parity/kubernetes-nodes");
const skip = existsSync(directory) ? false : "the cases are not at hand";

type Case = Readonly<Record<string, unknown>>;

function readCase(file: string): Case {
  const content: unknown = JSON.parse(readFileSync(join(directory, file), "utf8"));
  assert.ok(isRecord(content));
  return content;
}

const text = (value: unknown, otherwise: string): string => (typeof value === "string" ? value : otherwise);
const number = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);
const record = (value: unknown): Readonly<Record<string, unknown>> => (isRecord(value) ? value : {});
const texts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const amount = (value: unknown): string | number | undefined =>
  typeof value === "string" || typeof value === "number" ? value : undefined;

function isJson(value: unknown): value is Json {
  return value !== undefined;
}

const isVersion = (version: string): version is KubernetesVersion => version in kubernetesVersions;

/** A map without what is not set. */
function set(values: Readonly<Record<string, string | number | undefined>>): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  );
}

function kubeletOf(given: Readonly<Record<string, unknown>>): NodePool["kubelet"] {
  const names = ["systemReservedMemory", "kubeReservedMemory", "systemReservedCpu", "kubeReservedCpu"];
  return {
    ...Object.fromEntries(names.flatMap((name) => (typeof given[name] === "string" ? [[name, given[name]]] : []))),
    evictionHardMemory: text(given["evictionHardMemory"], "7%"),
    evictionSoftMemory: text(given["evictionSoftMemory"], "10%"),
  };
}

function poolOf(testCase: Case): NodePool {
  const values = record(testCase["values"]);
  const release = record(testCase["release"]);
  const name = text(release["name"], "").replace(`kubernetes-nodes-${text(values["cluster"], "")}-`, "");
  const version = text(values["version"], "v1.35");
  const cluster = Object.fromEntries(
    Object.entries(record(testCase["cluster"])).flatMap(([key, value]) => (isJson(value) ? [[key, value]] : [])),
  );
  const namespace = text(release["namespace"], "");
  const resources = record(values["resources"]);
  const gpus = Array.isArray(values["gpus"]) ? values["gpus"] : [];
  return {
    cluster: `kubernetes-${text(values["cluster"], "")}`,
    application: text(values["cluster"], ""),
    name,
    namespace,
    field: "spec",
    context: {
      cluster,
      namespace: namespaceValues,
      tenant: { namespace, ancestors: ["tenant-root"] },
      chartVersion: "0.0.0",
      apis: new Set(),
    },
    minReplicas: number(values["minReplicas"], 0),
    maxReplicas: number(values["maxReplicas"], 10),
    instanceType: text(values["instanceType"], "u1.medium"),
    diskSize: text(values["diskSize"], "20Gi"),
    storageClass: text(values["storageClass"], "replicated"),
    roles: texts(values["roles"]),
    resources: set({ cpu: amount(resources["cpu"]), memory: amount(resources["memory"]) }),
    ...set({ podCpuLimit: amount(values["podCpuLimit"]), podCpuRequest: amount(values["podCpuRequest"]) }),
    gpus: gpus.map((gpu) => ({ name: text(valueAt(gpu, "name"), "") })),
    kubelet: kubeletOf(record(values["kubelet"])),
    logSerialConsole: values["logSerialConsole"] === true,
    maxUnhealthy: text(values["maxUnhealthy"], "50%"),
    nodeStartupTimeout: text(values["nodeStartupTimeout"], "20m"),
    readyUnknownTimeout: text(values["readyUnknownTimeout"], "5m"),
    readyFalseTimeout: text(values["readyFalseTimeout"], "10m"),
    maxNodeProvisionTime: text(values["maxNodeProvisionTime"], "30m"),
    version: isVersion(version) ? version : assert.fail(`no version ${version}`),
    talos: { ...talosDefaults, registryMirrors: {} },
  };
}

const existing = (testCase: Case) => (Array.isArray(testCase["existing"]) ? testCase["existing"] : []);

function instanceType(pool: NodePool, testCase: Case): Parameters<typeof machineSize>[1] {
  const wanted = instanceTypeOf(pool);
  const found = existing(testCase).find((one) => valueAt(one, "metadata", "name") === wanted);
  const [cpu, memory] = [valueAt(found, "spec", "cpu", "guest"), valueAt(found, "spec", "memory", "guest")];
  if (typeof cpu !== "number" || typeof memory !== "string") return undefined;
  return { spec: { cpu: { guest: cpu }, memory: { guest: memory } } };
}

function render(testCase: Case) {
  const pool = poolOf(testCase);
  const type = instanceType(pool, testCase);
  checkPool(pool, type !== undefined);
  const { reservations, capacity } = reserve(pool, machineSize(pool, type));
  const objects = [
    machineTemplate(pool),
    machineDeployment(pool, templateName(pool), capacity),
    machineHealthCheck(pool),
  ];
  return { pool, objects, reservations };
}

/** The answers that the cases' Jobs were given. */
function accessOf(pool: NodePool): ClusterAccess {
  const secret = (key: string) => `SECRET.${pool.cluster}-talos-secrets.${key}`;
  return {
    address: "10.96.77.7",
    nameserver: "10.96.0.10",
    machineAuthority: "VEFMT1NDQQ==",
    clusterAuthority: "SzhTQ0E=",
    token: secret("token"),
    clusterId: secret("clusterId"),
    clusterSecret: secret("clusterSecret"),
    bootstrapToken: secret("bootstrapToken"),
  };
}

/** Null and absent are the same in an object, except that the case says it. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isRecord(value)) return value;
  const kept = Object.entries(value).filter(([, one]) => one !== null && one !== undefined);
  return Object.fromEntries(kept.map(([key, one]) => [key, plain(one)]));
}

/** Cases about more than the pool: its name, and whose it is. */
const others: ReadonlySet<string> = new Set(["cluster-missing", "release-name-mismatch", "pool-owned-by-parent"]);

for (const file of skip === false ? readdirSync(directory).filter((name) => name.endsWith(".json")) : []) {
  const name = file.replace(/\.json$/, "");
  if (others.has(name)) continue;
  const testCase = readCase(file);
  if (testCase["expectError"] !== undefined) {
    test(`a pool is refused: ${name}`, () => {
      assert.throws(() => render(testCase), Refusal);
    });
    continue;
  }

  test(`a pool's objects are those that run: ${name}`, () => {
    const { pool, objects } = render(testCase);
    const wanted = Array.isArray(testCase["objects"]) ? testCase["objects"] : [];
    for (const object of objects) {
      const theirs = wanted.find((one) => valueAt(one, "kind") === object.kind);
      assert.deepEqual(plain(object), plain(theirs), object.kind);
    }
    const monitor = wanted.find((one) => valueAt(one, "kind") === "WorkloadMonitor");
    assert.deepEqual(valueAt(monitor, "spec", "selector"), poolMonitor(pool).selector);
    assert.equal(valueAt(monitor, "spec", "minReplicas"), poolMonitor(pool).minReplicas);
  });

  test(`a pool's machines start with the configuration that Jobs wrote: ${name}`, () => {
    const { pool, reservations } = render(testCase);
    const effects = Array.isArray(testCase["jobEffects"]) ? testCase["jobEffects"] : [];
    const applied = valueAt(effects[0], "applied");
    const theirs = (Array.isArray(applied) ? applied : []).find(
      (one) => valueAt(one, "kind") === "TalosConfigTemplate",
    );
    const ours = talosConfigTemplate(pool, accessOf(pool), reservations);
    assert.equal(ours.metadata.name, valueAt(theirs, "metadata", "name"));
    const at = (value: unknown, key: string) => valueAt(value, "spec", "template", "spec", key);
    assert.equal(at(ours, "generateType"), at(theirs, "generateType"));
    assert.equal(at(ours, "talosVersion"), at(theirs, "talosVersion"));
    const data: unknown = parse(String(at(ours, "data")));
    assert.deepEqual(data, valueAt(at(theirs, "data"), "$yaml"));
  });
}

test("the cases of pools are at hand", { skip }, () => {
  assert.ok(readdirSync(directory).length > 20);
});

test("whatever a tenant writes is text in the configuration of machines", () => {
  const pool: NodePool = {
    ...poolOf({ values: { cluster: "demo" }, release: { name: "kubernetes-nodes-demo-md1", namespace: "tenant-foo" } }),
    talos: {
      ...talosDefaults,
      installerRepository: "x/$(id)`id`\nmachine: {}",
      registryMirrors: { "docker.io": { endpoints: ["https://a\n  b: $(c)"] } },
    },
  };
  const { reservations } = reserve(pool, machineSize(pool, undefined));
  const data: unknown = parse(
    String(valueAt(talosConfigTemplate(pool, accessOf(pool), reservations), "spec", "template", "spec", "data")),
  );
  assert.equal(
    valueAt(data, "machine", "install", "image"),
    `x/$(id)\`id\`\nmachine: {}/${talosDefaults.schematicID}:${talosDefaults.version}`,
  );
  assert.deepEqual(valueAt(data, "machine", "registries", "mirrors"), pool.talos.registryMirrors);
});
