/** R15: whatever a text in a spec says, it is refused, or it is a text and nothing more. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { apps } from "../../src/apps/index.ts";
import { DataVolume } from "../../src/contracts/cdi-kubevirt-io.ts";
import { Namespace } from "../../src/contracts/core.ts";
import {
  VirtualMachineClusterInstancetype,
  VirtualMachineClusterPreference,
} from "../../src/contracts/instancetype-kubevirt-io.ts";
import { BucketAccessClass, BucketClass } from "../../src/contracts/objectstorage-k8s-io.ts";
import { isApiError } from "../../src/kube/errors.ts";
import { valueAt } from "../../src/kube/json.ts";
import type { KubeObject } from "../../src/kube/object.ts";
import { concurrently } from "../../src/reconcile/concurrently.ts";
import type { App } from "../../src/sdk/app.ts";
import { Refusal } from "../../src/sdk/errors.ts";
import { kindOf } from "../schema/install.ts";
import { controlPlaneOf, talosSecretsOf } from "../support/machines.ts";
import { platformEngine } from "../support/platform.ts";
import { renderApp } from "../support/render.ts";
import { structureDifferences } from "./same-structure.ts";
import { type Json, plainTexts, type StringField, stringFields } from "./string-fields.ts";

const engine = await platformEngine();
const client = engine.client();
const namespace = await engine.namespace("tenant-inject");

const hostile: Readonly<Record<string, string>> = {
  quotes: `a"b'c\`d`,
  "a line break and YAML": "a\nkind: Pod\nb: [",
  "a YAML document": "---\n- &x y\n- *x",
  "flow and comments": "a: {b} # c",
  shell: `$(id)\`id\`; rm -rf / & ${"$"}{PATH} | true`,
  templates: `{{ .Values.x }}${"$"}{x}%s<%= 1 %>`,
  XML: "</clickhouse><x a='1'>&lt;",
  SQL: "'; DROP TABLE x; --",
  "a backslash at the end": "a\\",
  unicode: "ünï\u202ecødé\u2028\ud83d\ude00",
  "the character zero": "a\u0000b",
  "control characters": "a\u0007\u001b[31m\rb",
  "blanks around": "  a\t",
  "a word that is no text": "null",
  "a number": "1e3",
  "a path": "../../etc/passwd",
  "an option": "--help",
  "a mebibyte": "a".repeat(1 << 20),
};

const machine = { instanceType: "", resources: { cpu: 1, sockets: 1, memory: "1Gi" } };
const bootstrap = { backup: { enabled: true, s3AccessKey: "a", s3SecretKey: "b" }, bootstrap: { oldName: "old" } };
const inZones = { topology: "MultiZone", replicationFactor: 1 };
const zoneFields = ["*key", "*.dataCenter", "*.nodeSelector", "*.size", "*.storageClass", "*.pools.*key"];
const sized = { instanceType: "", resources: { cpu: 8, memory: "16Gi" } };
const thresholds = { evictionHardMemory: "1", evictionSoftMemory: "512Mi" };
/** Fields of machines that count, or are acceptable, only beside others. */
const ofMachines: Readonly<Record<string, Json>> = {
  ...Object.fromEntries(["cpu", "memory"].map((name) => [`resources.${name}`, sized])),
  ...Object.fromEntries(["podCpuLimit", "podCpuRequest"].map((name) => [name, sized])),
  ...Object.fromEntries(["systemReservedCpu", "kubeReservedCpu"].map((name) => [`kubelet.${name}`, sized])),
  ...Object.fromEntries(Object.keys(thresholds).map((name) => [`kubelet.${name}`, { ...sized, kubelet: thresholds }])),
};
const machineBases = Object.fromEntries(
  Object.entries(ofMachines).flatMap(([field, base]) => [
    [`Kubernetes nodeGroups.*.${field}`, { nodeGroups: { other: base } }],
    [`KubernetesNodes ${field}`, { cluster: "x", ...base }],
  ]),
);
const authentication = "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\njwt: []\n";
const ownLogin = { oidc: { mode: "CustomConfig", customConfig: { config: authentication } } };
/** What makes fields count, and acceptable: those of a kind, or one of them. */
const bases: Readonly<Record<string, Json>> = {
  ComputePlane: { nodeGroups: { md0: { roles: ["ingress-nginx"] } } },
  "Postgres bootstrap.oldName": bootstrap,
  "Postgres bootstrap.serverName": bootstrap,
  "Postgres bootstrap.recoveryTime": bootstrap,
  ...Object.fromEntries(zoneFields.map((field) => [`SeaweedFS volume.zones.${field}`, inZones])),
  "VMInstance resources.cpu": machine,
  "VMInstance resources.memory": machine,
  "VMInstance resources.sockets": machine,
  ...machineBases,
  KubernetesNodes: { cluster: "x" },
  "Kubernetes oidc.users.*.email": ownLogin,
  "Kubernetes oidc.customConfig.config": { oidc: { mode: "CustomConfig" } },
  "Kubernetes oidc.customConfig.secretRef.name": { oidc: { mode: "CustomConfig" } },
  ExternalDNS: { provider: "inmemory" },
  FoundationDB: { backup: { s3: { bucket: "fdb", credentials: { accessKeyId: "a", secretAccessKey: "b" } } } },
  MongoDB: {
    databases: { d: { roles: { admin: ["plain", "other"] } } },
    backup: { s3AccessKey: "a", s3SecretKey: "b" },
    bootstrap: { backupName: "b" },
  },
};

/** What applications must find to be rendered, whatever it is called. */
function existing(text: string): readonly KubeObject[] {
  const classes = ["tenant-root", `tenant-root-${text}`].flatMap((name) => [
    BucketClass(name, { driverName: "x", deletionPolicy: "Delete" }),
    BucketAccessClass(name, { driverName: "x", authenticationType: "KEY" }),
  ]);
  const sizes = [text, "u1.medium"].map((name) =>
    VirtualMachineClusterInstancetype(name, { spec: { cpu: { guest: 1 }, memory: { guest: "1Gi" } } }),
  );
  const guests = [text, "ubuntu"].map((name) => VirtualMachineClusterPreference(name, { spec: {} }));
  const disk = DataVolume(`vm-disk-${text}`, { spec: { storage: { resources: { requests: { storage: "1Gi" } } } } });
  const clusters = ["kubernetes-x", `kubernetes-${plainTexts[0]}`];
  const machines = clusters.flatMap((name) => [...controlPlaneOf(name), talosSecretsOf(name)]);
  return [disk, ...classes, ...sizes, ...guests, ...machines, Namespace("tenant-foo")];
}

/** A pool of machines is named after its cluster. */
function nameOf(app: App, path = ""): string {
  if (app.kind === "KubernetesNodes") return path === "cluster" ? `${plainTexts[0]}-md1` : "x-md1";
  return app.module ? app.kind.toLowerCase() : "x";
}

/** The one place where a kind can be, for those that have one. */
const placeOf = (app: App) => (app.kind === "BootBox" ? { place: { namespace: "tenant-root", ancestors: [] } } : {});

/** The spec as the API server would store it, or why it would not. */
async function stored(
  app: App,
  spec: Json,
  name = nameOf(app),
): Promise<{ readonly spec: unknown } | { readonly refused: string }> {
  const kind = kindOf(app);
  try {
    const made = await client.create(kind, kind(name, { namespace, spec }), { dryRun: true });
    return { spec: valueAt(made, "spec") };
  } catch (error) {
    if (!isApiError(error, "Invalid", "BadRequest", "TooLarge", "Forbidden")) throw error;
    return { refused: error.message };
  }
}

/** The objects, or why there are none. */
function rendered(
  app: App,
  spec: unknown,
  text: string,
  name: string,
): { readonly objects: readonly KubeObject[] } | { readonly refused: string } {
  try {
    return { objects: renderApp(app, { name, spec, existing: existing(text), ...placeOf(app) }).objects };
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  }
}

type Outcome = { readonly objects: readonly KubeObject[] } | { readonly refused: string };

/** Settings of a provider count where it is the one that is used. */
function baseOf({ kind }: App, { path }: StringField): Json {
  const [first = "", second] = path.split(".");
  if (kind === "ExternalDNS" && second !== undefined && !["domainFilters", "extraArgs", "resources"].includes(first))
    return { provider: first };
  return bases[`${kind} ${path}`] ?? bases[kind] ?? {};
}

async function outcome(app: App, field: StringField, text: string): Promise<Outcome> {
  const name = nameOf(app, field.path);
  const kept = await stored(app, field.put(baseOf(app, field), text), name);
  return "refused" in kept ? kept : rendered(app, kept.spec, text, name);
}

async function plainOutcome(app: App, field: StringField) {
  const refusals: string[] = [];
  for (const text of [...plainTexts, authentication]) {
    const result = await outcome(app, field, text);
    if ("objects" in result) return { text, objects: result.objects };
    refusals.push(`${text}: ${result.refused}`);
  }
  return assert.fail(`${field.path}: no plain text is accepted: ${refusals.join("\n")}`);
}

describe("R15: hostile texts are refused with a reason, or change nothing but a text", () => {
  for (const app of apps) {
    const fields = stringFields(app);
    if (fields.length === 0) continue;
    test(`${app.kind}, ${fields.length} fields`, async () => {
      const problems: string[] = [];
      let accepted = 0;
      await concurrently(fields, 4, async (field) => {
        const plain = await plainOutcome(app, field);
        for (const [what, text] of Object.entries(hostile)) {
          const result = await outcome(app, field, text);
          if ("refused" in result) {
            assert.ok(result.refused.length > 0);
            continue;
          }
          accepted += 1;
          const found = structureDifferences(plain, { text, objects: result.objects });
          problems.push(...found.map((each) => `${field.path}, ${what}: ${each.slice(0, 300)}`));
        }
      });
      assert.deepEqual(problems, []);
      assert.ok(accepted > 0 || fields.length < 5, "some texts are accepted");
    });
  }
});

test("a quota of a resource that no ResourceQuota can name is refused at once", async () => {
  const tenant = apps.find(({ kind }) => kind === "Tenant");
  assert.ok(tenant);
  for (const name of ["a b", "a/b/c", "-a", "", "a\u0000b"]) {
    const result = await stored(tenant, { resourceQuotas: { [name]: "1" } });
    assert.ok("refused" in result && result.refused.includes("resourceQuotas"), name);
  }
  assert.ok(
    "spec" in
      (await stored(tenant, { resourceQuotas: { "requests.nvidia.com/gpu": "1", "services.loadbalancers": 2 } })),
  );
});
