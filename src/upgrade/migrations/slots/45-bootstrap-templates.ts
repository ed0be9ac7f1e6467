/**
 * 45: what machines of tenants' clusters were bootstrapped from, until the last of them is gone.
 */
import { keep } from "../keep.ts";
import { KubeadmConfig, KubeadmConfigTemplate } from "../kinds.ts";
import { type Migration, whereServed } from "../migration.ts";
import { editEach, noticedByNobody } from "../steps.ts";

/** What Cluster API makes of a template has not this label, and is left alone. */
const labelSelector = "app.kubernetes.io/managed-by=Helm";
const rules = noticedByNobody;

export const bootstrapTemplates: Migration = {
  id: 45,
  title: "keep the kubeadm templates of tenants' clusters until their machines are replaced",
  why: "Helm would delete them with the chart that no longer has them, while machine sets still refer to them",
  where: "KubeadmConfigTemplates and KubeadmConfigs that Helm manages",
  fails: { reads: "closed", writes: "closed" },
  onceDone: { is: "looksAgain", because: "slot 45 of 1.5.4 is another one" },
  precondition: whereServed(KubeadmConfigTemplate, KubeadmConfig),
  steps: [
    editEach({
      title: "keep templates",
      kind: KubeadmConfigTemplate,
      labelSelector,
      edits: keep,
      because: "machine sets refer to it",
      rules,
    }),
    editEach({
      title: "keep configurations",
      kind: KubeadmConfig,
      labelSelector,
      edits: keep,
      because: "machines refer to it",
      rules,
    }),
  ],
};
