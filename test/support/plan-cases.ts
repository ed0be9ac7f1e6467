/**
 * Objects and the planning of them, for the tests of src/reconcile/plan*.ts.
 */
import type { KubeObject, ObjectRef } from "../../src/kube/object.ts";
import { bodyOf } from "../../src/reconcile/body.ts";
import { digestOf } from "../../src/reconcile/digest.ts";
import { emptyRecord, type InventoryEntry, withEntries } from "../../src/reconcile/inventory-record.ts";
import { planOfInstance } from "../../src/reconcile/plan.ts";
import { acceptedDigest } from "../../src/reconcile/plan-manifest.ts";
import type { InstancePlan, Known, PlanInput, Wanted } from "../../src/reconcile/plan-types.ts";
import type { Manifest, Policy } from "../../src/sdk/manifest.ts";

export const owner = { group: "apps.cozystack.io", kind: "Redis", namespace: "tenant-a", name: "db", uid: "u1" };
export const ns = "tenant-a";

export const configMap = (data: Record<string, string>, name = "conf"): KubeObject & { data: unknown } => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: ns },
  data,
});
export const refTo = (kind: string, name: string, group = ""): ObjectRef => ({ group, kind, namespace: ns, name });
export const conf = refTo("ConfigMap", "conf");

export const want = (object: KubeObject, policy: Policy = "managed", more: Partial<Manifest> = {}): Wanted => ({
  manifest: { object, policy, wave: 1, ...more },
  ref: refTo(
    object.kind,
    object.metadata.name,
    object.apiVersion.split("/")[1] === undefined ? "" : (object.apiVersion.split("/")[0] ?? ""),
  ),
  generated: false,
});

export const live = (body: KubeObject, metadata: Partial<KubeObject["metadata"]> = {}): Known => ({
  is: "full",
  object: {
    ...body,
    metadata: { ...body.metadata, uid: `uid-${body.metadata.name}`, resourceVersion: "7", ...metadata },
  },
});

export const ours = (object: KubeObject, metadata: Partial<KubeObject["metadata"]> = {}): Known =>
  live(bodyOf(object, refTo(object.kind, object.metadata.name), { ownerUid: "u1" }), metadata);

/** What a test gives to planning; the rest is empty. */
export interface Case {
  readonly wanted?: readonly Wanted[];
  readonly known?: Readonly<Record<string, Known>>;
  readonly entries?: readonly InventoryEntry[];
  readonly formerUids?: readonly string[];
  readonly consent?: string;
  readonly onUnowned?: PlanInput["onUnowned"];
  readonly otherwise?: "inPlace" | "losesData" | "replaces";
}

/** Plans a case. */
export function plan(given: Case): InstancePlan {
  return planOfInstance({
    instance: owner,
    wanted: given.wanted ?? [],
    inventory: { ...withEntries(emptyRecord(owner), given.entries ?? []), formerUids: given.formerUids ?? [] },
    known: (ref) => given.known?.[ref.name] ?? { is: "absent" },
    rules: () => ({ otherwise: given.otherwise ?? "inPlace" }),
    onUnowned: given.onUnowned ?? (() => "refuse"),
    manager: "cozystack",
    ...(given.consent === undefined ? {} : { consent: given.consent }),
  });
}

export const entry = (ref: ObjectRef, more: Partial<InventoryEntry> = {}): InventoryEntry => ({
  ref,
  policy: "managed",
  ...more,
});
export const settled = (object: KubeObject, name = object.metadata.name): InventoryEntry => {
  const body = bodyOf(object, refTo(object.kind, name), { ownerUid: "u1" });
  return entry(
    { ...refTo(object.kind, name), uid: `uid-${name}` },
    { desired: digestOf(body), accepted: acceptedDigest(body, body) },
  );
};

export const shape = (value: InstancePlan) =>
  value.steps.map((step) => `${step.write.do} ${step.change.action} ${step.change.object.name} ${step.change.impact}`);

export const secret = (data: Record<string, string>): KubeObject => ({
  ...{ apiVersion: "v1", kind: "Secret", metadata: { name: "auth", namespace: ns } },
  ...{ stringData: data },
});
export const storedSecret = (data: Record<string, string>): KubeObject =>
  bodyOf(secret(data), refTo("Secret", "auth"), { ownerUid: "u1" });

export const job = (name: string): KubeObject => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name, namespace: ns },
});
export const jobRef = (name: string) => refTo("Job", name, "batch");
export const jobLive = (name: string, done = false): Known =>
  live({
    ...bodyOf(job(name), jobRef(name), { ownerUid: "u1" }),
    ...(done ? { status: { conditions: [{ type: "Complete", status: "True" }] } } : {}),
  });
