/**
 * 49: namespaces of tenants say by labels below whom they are.
 */
import { Namespace } from "../../../contracts/core.ts";
import type { KubeObject } from "../../../kube/object.ts";
import { everywhere, type Migration } from "../migration.ts";
import { editEach, label, noticedByNobody } from "../steps.ts";
import type { Edit } from "../writes.ts";

const root = "tenant-root";

/** `tenant-a-b` is below `tenant-root` and `tenant-a`, and is itself. */
function chainOf(namespace: string): readonly string[] {
  const parts = namespace.split("-");
  return [root, ...parts.slice(1).map((_, index) => parts.slice(0, index + 2).join("-"))];
}

function edits(namespace: KubeObject): readonly Edit[] {
  const { name } = namespace.metadata;
  if (!name.startsWith("tenant-") || name === root) return [];
  return chainOf(name).flatMap((each) => label(namespace, `tenant.cozystack.io/${each}`, ""));
}

export const ancestorLabels: Migration = {
  id: 49,
  title: "label tenants' namespaces with those above them",
  why: "until a tenant is reconciled, policies that select by these labels do not reach it",
  where: "namespaces named tenant-*, but for tenant-root",
  fails: { reads: "open", writes: "open" },
  onceDone: { is: "looksAgain", because: "upstream takes no notice of failures" },
  precondition: everywhere,
  steps: [
    editEach({
      title: "label namespaces",
      kind: Namespace,
      edits,
      because: "it does not say below whom it is",
      rules: noticedByNobody,
    }),
  ],
};
