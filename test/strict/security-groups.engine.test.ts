/**
 * Security groups against an engine of their own: Cilium's real definition judges the policies, and mutating admission
 * policies, which are not on by default in this version, put the membership on while a pod is stored.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { after, before } from "node:test";
import { type Engine, startEngine } from "../../embedded/engine.ts";
import { CiliumNetworkPolicy } from "../../src/contracts/cilium-io.ts";
import { Namespace, Pod, type PodObject, ServiceAccount } from "../../src/contracts/core.ts";
import { contractCrd } from "../../src/contracts/crd.ts";
import { SecurityGroup } from "../../src/contracts/sdn-cozystack-io.ts";
import type { Client } from "../../src/kube/client.ts";
import { connect } from "../../src/kube/connect.ts";
import { CustomResourceDefinition } from "../../src/kube/kinds/extension.ts";
import { loadKubeconfig } from "../../src/kube/kubeconfig.ts";
import { keepAtAdmission } from "../../src/network/at-admission.ts";
import { FINALIZER, type Group } from "../../src/network/names.ts";
import { policyOf } from "../../src/network/policy.ts";
import { crdsPresent, realCrd } from "../contracts/real-crds.ts";
import { eventually } from "../support/eventually.ts";

const skip = !crdsPresent && "no ../shared/crds";
const dataDir = join(mkdtempSync(join(tmpdir(), "strict-sg-")), "data");
const features = {
  "feature-gates": "MutatingAdmissionPolicy=true",
  "runtime-config": "admissionregistration.k8s.io/v1beta1=true",
};
const namespaces = ["tenant-a", "tenant-b"];
let engine: Engine;
let client: Client;

before(async () => {
  if (!crdsPresent) return;
  engine = await startEngine({ dataDir, fsync: false, components: ["etcd", "kube-apiserver"], apiserver: features });
  client = connect({ ...loadKubeconfig(engine.kubeconfigPath), fieldManager: "cozystack-test" });
  for (const namespace of namespaces) {
    await client.create(Namespace, Namespace(namespace));
    // Nobody runs here who would make it.
    await client.create(ServiceAccount, ServiceAccount("default", { namespace }));
  }
  const cilium = realCrd("cilium.io", "ciliumnetworkpolicies");
  assert.ok(cilium);
  for (const definition of [cilium, contractCrd(SecurityGroup, true)]) {
    const { name } = (await client.apply(CustomResourceDefinition, definition)).metadata;
    await eventually(`${name} is served`, async () =>
      (await client.get(CustomResourceDefinition, name))?.status?.conditions?.some(
        ({ type, status }) => type === "Established" && status === "True",
      ),
    );
  }
});

after(async () => {
  if (!crdsPresent) return;
  await client.close();
  await engine.stop();
  rmSync(join(dataDir, ".."), { recursive: true, force: true });
});

const app = { kind: "Postgres", name: "db" };
const ports = [
  {
    ports: [
      { port: "443", protocol: "tcp" },
      { port: "", protocol: "" },
      { port: "http-alt", protocol: "Any" },
    ],
  },
];
const rows: readonly { why: string; spec: Group["spec"] }[] = [
  { why: "no rules", spec: {} },
  { why: "attachments alone", spec: { attachments: [app] } },
  {
    why: "groups and applications",
    spec: { ingress: [{ fromApp: [app], fromSG: ["a"] }], egress: [{ toApp: [app], toSG: ["a"] }] },
  },
  {
    why: "bare addresses and prefixes",
    spec: { ingress: [{ fromCIDR: ["192.0.2.1", "2001:db8::1", "192.0.2.0/24"] }], egress: [{ toCIDR: ["::/0"] }] },
  },
  { why: "names in both forms", spec: { egress: [{ toFQDNs: [{ matchName: "a.org", matchPattern: "*.a.org" }] }] } },
  {
    why: "ports in every notation",
    spec: { ingress: [{ fromSG: ["a"], toPorts: ports }], egress: [{ toSG: ["a"], toPorts: ports }] },
  },
  { why: "ports alone", spec: { ingress: [{ toPorts: ports }], egress: [{ toPorts: ports }] } },
  {
    why: "all at once",
    spec: {
      attachments: [app],
      ingress: [{ fromApp: [app], fromSG: ["a"], fromCIDR: ["192.0.2.1"], toPorts: ports }],
      egress: [{ toApp: [app], toSG: ["a"], toCIDR: ["192.0.2.1"], toFQDNs: [{ matchName: "a.org" }], toPorts: ports }],
    },
  },
  { why: "rules that say nothing", spec: { ingress: [{}], egress: [{}, { toPorts: [{}] }] } },
];
for (const { why, spec } of rows) {
  test(`Cilium's definition takes the policy of a group with ${why}`, { skip }, async () => {
    const group = await client.create(
      SecurityGroup,
      SecurityGroup("g", { namespace: "tenant-a", ...(spec === undefined ? {} : { spec }) }),
      { dryRun: true },
    );
    const stored = await client.apply(
      CiliumNetworkPolicy,
      policyOf({ ...group, metadata: { ...group.metadata, uid: "u" } }),
      {
        dryRun: true,
        fieldValidation: "Strict",
      },
    );
    assert.ok(stored.spec?.ingress !== undefined);
  });
}

const db = {
  "apps.cozystack.io/application.group": "apps.cozystack.io",
  "apps.cozystack.io/application.kind": "Postgres",
  "apps.cozystack.io/application.name": "db",
};
const owner = (uid: string, controller = true) => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  name: "s",
  uid,
  controller,
});
const pods: readonly {
  why: string;
  namespace?: string;
  labels?: Readonly<Record<string, string>>;
  owners?: readonly ReturnType<typeof owner>[];
  groups: readonly string[];
}[] = [
  { why: "of an attached application is a member of all its groups", labels: db, groups: ["both", "one"] },
  {
    why: "of another application is of none",
    labels: { ...db, "apps.cozystack.io/application.name": "other" },
    groups: [],
  },
  { why: "of another kind is of none", labels: { ...db, "apps.cozystack.io/application.kind": "Redis" }, groups: [] },
  { why: "without labels is of none", groups: [] },
  { why: "of another namespace is of none", namespace: "tenant-b", labels: db, groups: [] },
  {
    why: "that the maker of members makes is a member, whatever its template says",
    labels: { app: "x" },
    owners: [owner("set-1")],
    groups: ["one"],
  },
  { why: "whose maker only owns it, without control, is of none", owners: [owner("set-1", false)], groups: [] },
  { why: "that another makes is of none", owners: [owner("set-2")], groups: [] },
];

test("membership policies are applied where they are served, and once", { skip }, async () => {
  const finalizers = [FINALIZER];
  const make = async (name: string, metadata: object, spec: NonNullable<Group["spec"]>) => {
    await client.create(SecurityGroup, SecurityGroup(name, { metadata: { ...metadata, namespace: "tenant-a" }, spec }));
  };
  await make("one", { finalizers }, { attachments: [app] });
  await make("both", { finalizers }, { attachments: [{ kind: "Redis", name: "x" }, app] });
  await make("unready", {}, { attachments: [app] });
  await make("going", { finalizers }, { attachments: [app] });
  await client.delete(SecurityGroup, "going", "tenant-a");
  await client.mergePatch(
    SecurityGroup,
    "one",
    "tenant-a",
    { status: { podOwners: ["set-1"] } },
    { subresource: "status" },
  );
  assert.equal(await keepAtAdmission(client, AbortSignal.timeout(10_000)), true);
  const written = client.counters.writes();
  assert.equal(await keepAtAdmission(client, AbortSignal.timeout(10_000)), true);
  assert.equal(client.counters.writes(), written);
});

for (const { why, namespace = "tenant-a", labels = {}, owners = [], groups } of pods) {
  test(`with membership policies a pod ${why}, when it is stored (feature 85)`, { skip }, async () => {
    const pod = Pod("p", {
      namespace,
      labels,
      metadata: { ownerReferences: owners },
      spec: {
        automountServiceAccountToken: false,
        containers: [{ name: "a", image: "example.com/a:1" }],
      },
    });
    // The API server takes a moment to know a new policy.
    const [first] = pods;
    if (why === first?.why) await eventually("the policy is in force", async () => (await memberships(pod)).length > 0);
    assert.deepEqual(await memberships(pod), groups);
  });
}

async function memberships(pod: PodObject): Promise<readonly string[]> {
  const stored = await client.create(Pod, pod, { dryRun: true });
  const prefix = "securitygroup.sdn.cozystack.io/";
  return Object.keys(stored.metadata.labels ?? {})
    .filter((label) => label.startsWith(prefix))
    .map((label) => label.slice(prefix.length))
    .sort();
}
