import assert from "node:assert/strict";
import { test } from "node:test";
import { gizmo } from "../../../test/support/synthetic-app.ts";
import { Pod, Secret } from "../../contracts/core.ts";
import { type KubeObject, refOf } from "../../kube/object.ts";
import { OWNER_ANNOTATION, ownerToken } from "../../reconcile/owner.ts";
import type { Exposure } from "../../sdk/app.ts";
import { Instances, instanceOf } from "./instances.ts";
import { LINEAGE_ANNOTATION, lineageMark, relabelled, wantedLabels } from "./labels.ts";
import { provenOwner } from "./proof.ts";

const object = (kind: string, name: string, namespace: string, uid: string): KubeObject => ({
  apiVersion: "apps.cozystack.io/v1alpha1",
  kind,
  metadata: { name, namespace, uid },
});
const gizmoA = instanceOf(gizmo, object("Gizmo", "a", "tenant-a", "u1"));
const identity = (name = "a") => ({
  "apps.cozystack.io/application.group": "apps.cozystack.io",
  "apps.cozystack.io/application.kind": "Gizmo",
  "apps.cozystack.io/application.name": name,
  "internal.cozystack.io/managed-by-cozystack": "true",
});
const hidden = { "internal.cozystack.io/tenantresource": "false" };
const visible = { "internal.cozystack.io/tenantresource": "true" };
const secret = (labels = {}, annotations = {}) =>
  Secret("s", { namespace: "tenant-a", labels, annotations, metadata: { uid: "s1" } });

const rows: readonly { why: string; exposure: Exposure | undefined; object: KubeObject; labels: object }[] = [
  { why: "hidden without a word", exposure: {}, object: secret(), labels: { ...identity(), ...hidden } },
  { why: "shown by name", exposure: { secrets: ["s"] }, object: secret(), labels: { ...identity(), ...visible } },
  {
    why: "what was shown once is hidden when the exposure changes",
    exposure: {},
    object: secret(visible),
    labels: { ...identity(), ...hidden },
  },
  {
    why: "while the exposure cannot be told, what is shown stays shown",
    exposure: undefined,
    object: secret(visible),
    labels: { ...identity(), ...visible },
  },
  {
    why: "and what says nothing, or nonsense, is hidden",
    exposure: undefined,
    object: secret({ "internal.cozystack.io/tenantresource": "yes" }),
    labels: { ...identity(), ...hidden },
  },
  {
    why: "a pod is never shown",
    exposure: { secrets: ["p"] },
    object: Pod("p", { spec: { containers: [] } }),
    labels: { ...identity(), ...hidden },
  },
];
for (const { why, exposure, object: one, labels } of rows) {
  test(`labels: ${why}`, () => assert.deepEqual(wantedLabels(gizmoA, exposure, one), labels));
}

test("a group longer than a label's value is cut to an alphanumeric end", () => {
  const app = { ...gizmo, group: `${"a".repeat(62)}.example.org` };
  const labels = wantedLabels(instanceOf(app, gizmoA.object), {}, secret());
  assert.equal(labels["apps.cozystack.io/application.group"], "a".repeat(62));
});

test("the body is the labels and our mark for one very object, and nothing where all is there", () => {
  const patch = relabelled(gizmoA, {}, secret({ other: "1" }), false);
  const mark = lineageMark(gizmoA, refOf(secret()));
  assert.deepEqual(patch, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name: "s",
      namespace: "tenant-a",
      uid: "s1",
      labels: { ...identity(), ...hidden },
      annotations: { [LINEAGE_ANNOTATION]: mark },
    },
  });
  assert.equal(
    relabelled(gizmoA, {}, secret({ ...identity(), ...hidden }, { [LINEAGE_ANNOTATION]: mark }), false),
    undefined,
  );
});

test("what was rendered has its own proof and gets no mark", () => {
  assert.equal(relabelled(gizmoA, {}, secret({ ...identity(), ...hidden }), true), undefined);
});

test("forged labels are put right, and copied marks do not count", () => {
  const copied = lineageMark(gizmoA, refOf(Secret("other", { namespace: "tenant-a" })));
  const patch = relabelled(
    gizmoA,
    {},
    secret({ ...identity("b"), ...hidden }, { [LINEAGE_ANNOTATION]: copied }),
    false,
  );
  assert.equal(patch?.metadata.labels?.["apps.cozystack.io/application.name"], "a");
  assert.notEqual(patch?.metadata.annotations?.[LINEAGE_ANNOTATION], copied);
});

const tenant = instanceOf({ ...gizmo, kind: "Tenant" }, object("Tenant", "b", "tenant-a", "t1"));
const elsewhere = instanceOf(gizmo, object("Gizmo", "far", "tenant-z", "u9"));
const proofs: readonly {
  why: string;
  uid: string;
  namespace: string;
  labels?: Readonly<Record<string, string>>;
  by: string | undefined;
}[] = [
  { why: "of an instance in the same namespace", uid: "u1", namespace: "tenant-a", by: "u1" },
  { why: "whatever its labels claim", uid: "u1", namespace: "tenant-a", labels: identity("nobody"), by: "u1" },
  { why: "of the tenant that made the namespace", uid: "t1", namespace: "tenant-a-b", by: "t1" },
  {
    why: "of an instance elsewhere, when the labels name it",
    uid: "u9",
    namespace: "tenant-a",
    labels: identity("far"),
    by: "u9",
  },
  { why: "of nobody who is there", uid: "gone", namespace: "tenant-a", by: undefined },
];
for (const { why, uid, namespace, labels = {}, by } of proofs) {
  test(`proof ${why}`, () => {
    const instances = new Instances();
    for (const each of [gizmoA, tenant, elsewhere]) instances.set(each);
    const bare = Secret("s", { namespace, labels });
    const marked = {
      ...bare,
      metadata: { ...bare.metadata, annotations: { [OWNER_ANNOTATION]: ownerToken(uid, refOf(bare)) } },
    };
    assert.equal(provenOwner(marked, namespace, instances)?.uid, by);
    const renamed = { ...marked, metadata: { ...marked.metadata, name: "another" } };
    assert.equal(
      provenOwner(renamed, namespace, instances),
      undefined,
      "on another object the annotation says nothing",
    );
    for (const each of [gizmoA, tenant, elsewhere]) instances.remove(each.uid);
    assert.equal(provenOwner(marked, namespace, instances), undefined);
  });
}
