/**
 * What every rendered object of an application carries and must be: its labels, its name, being there only once.
 */
import { formatRef, type KubeObject, refOf } from "../kube/object.ts";
import { refuse } from "./errors.ts";
import type { Manifest } from "./manifest.ts";
import { checkName, type NameForm } from "./names.ts";

/** Which application an object belongs to, as labels that upstream's admission set and people select by. */
export function lineageLabels(application: { readonly group: string; readonly kind: string; readonly name: string }) {
  return {
    "apps.cozystack.io/application.group": application.group,
    "apps.cozystack.io/application.kind": application.kind,
    "apps.cozystack.io/application.name": application.name,
    "internal.cozystack.io/managed-by-cozystack": "true",
  } as const;
}

/** The object with `labels` on its own metadata; labels that it has win. */
export function withLabels(object: KubeObject, labels: Readonly<Record<string, string>>): KubeObject {
  return { ...object, metadata: { ...object.metadata, labels: { ...labels, ...object.metadata.labels } } };
}

/** Kinds with names shorter or simpler than a DNS-1123 subdomain. */
const forms: Readonly<Record<string, readonly [form: NameForm, limit: number]>> = {
  "/Service": ["DNS-1035 label", 63],
  "/Namespace": ["DNS-1123 label", 63],
  // Their controllers put the name and a hash of eleven characters into a label.
  "apps/StatefulSet": ["DNS-1123 subdomain", 52],
  "batch/CronJob": ["DNS-1123 subdomain", 52],
  "batch/Job": ["DNS-1123 subdomain", 63],
};

/** Names that may hold colons and upper case. */
const free: ReadonlySet<string> = new Set(["rbac.authorization.k8s.io"]);

/** Refuses names Kubernetes would refuse, and an object rendered twice. */
export function checkObjects(manifests: readonly Manifest[], namespace: string): void {
  const seen = new Set<string>();
  for (const { object } of manifests) {
    const ref = refOf(object, object.metadata.namespace ?? namespace);
    const key = formatRef({ ...ref });
    if (seen.has(key)) {
      refuse({
        code: "DuplicateObject",
        field: "spec",
        message: `${object.kind} ${ref.name} would be rendered twice`,
        remedy: "Give the users, disks or other entries that share this name different names.",
      });
    }
    seen.add(key);
    if (free.has(ref.group)) continue;
    const [form, limit] = forms[`${ref.group}/${object.kind}`] ?? ["DNS-1123 subdomain", 253];
    checkName(ref.name, form, `the name of ${object.kind}`, "metadata.name", limit);
  }
}
