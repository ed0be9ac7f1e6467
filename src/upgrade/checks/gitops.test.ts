import assert from "node:assert/strict";
import { test } from "node:test";
import type { ManagedFieldsEntry, ObjectMeta } from "../../kube/object.ts";
import { revertersOf } from "./gitops.ts";

const holding = (manager: string, field = "f:version"): ManagedFieldsEntry => ({
  manager,
  operation: "Apply",
  fieldsV1: { "f:spec": { [field]: {} } },
});

const rows: readonly {
  readonly why: string;
  readonly metadata: Partial<ObjectMeta>;
  readonly is: readonly string[];
}[] = [
  {
    why: "Flux by its manager",
    metadata: { managedFields: [holding("kustomize-controller")] },
    is: ["Flux (field manager kustomize-controller)"],
  },
  {
    why: "Argo CD by its manager, and once where it left a mark as well",
    metadata: {
      managedFields: [holding("argocd-controller")],
      annotations: { "argocd.argoproj.io/tracking-id": "apps:x" },
    },
    is: ["Argo CD (field manager argocd-controller)"],
  },
  {
    why: "Argo CD by its mark alone, as on what upstream serves",
    metadata: { annotations: { "argocd.argoproj.io/tracking-id": "apps:x" } },
    is: ["Argo CD (argocd.argoproj.io/tracking-id: apps:x)"],
  },
  {
    why: "Flux by its label",
    metadata: { labels: { "kustomize.toolkit.fluxcd.io/name": "tenants" } },
    is: ["Flux (kustomize.toolkit.fluxcd.io/name: tenants)"],
  },
  {
    why: "a tool that holds another field",
    metadata: { managedFields: [holding("kustomize-controller", "f:host")] },
    is: [],
  },
  { why: "people", metadata: { managedFields: [holding("kubectl-edit"), holding("kubectl")] }, is: [] },
  {
    why: "a manager that nobody knows",
    metadata: { managedFields: [holding("our-robot")] },
    is: ["field manager our-robot"],
  },
  {
    why: "whoever writes the status",
    metadata: { managedFields: [{ ...holding("kustomize-controller"), subresource: "status" }] },
    is: [],
  },
  { why: "nobody", metadata: {}, is: [] },
];

for (const { why, metadata, is } of rows)
  test(`who would put a field back: ${why} (feature 39)`, () => {
    const object = {
      apiVersion: "apps.cozystack.io/v1alpha1",
      kind: "Kubernetes",
      metadata: { name: "x", ...metadata },
    };
    assert.deepEqual(revertersOf(object, "spec", "version"), is);
  });
