/**
 * P3: bootstrap templates of tenants' clusters that Helm would delete while machines are being made from them.
 */
import type { UnknownObject } from "../../kube/object.ts";
import { type Classified, defineCheck } from "./check.ts";
import { isKept } from "./installation.ts";
import { listOf, type Resource, resourceText, valueIn } from "./source.ts";

const group = "bootstrap.cluster.x-k8s.io";
const templates: Resource = { group, plural: "kubeadmconfigtemplates" };
const configs: Resource = { group, plural: "kubeadmconfigs" };

interface Pinned {
  readonly namespace: string;
  readonly name: string;
  /** Made by Helm, not by Cluster API for a single machine. */
  readonly ofHelm: boolean;
  readonly kept: boolean;
}

function pinOf(object: UnknownObject): Pinned {
  const { namespace = "", name, labels } = object.metadata;
  return { namespace, name, ofHelm: labels?.["app.kubernetes.io/managed-by"] === "Helm", kept: isKept(object) };
}

export const keepPinCheck = defineCheck({
  id: "P3",
  title: "Keep pins on bootstrap templates",
  severity: "blocking",
  why: "1.6 has no KubeadmConfigTemplate any more: Helm deletes one that is not kept, while the machines made from it are still being replaced.",
  remedy: [
    `kubectl annotate ${resourceText(templates)} -A -l app.kubernetes.io/managed-by=Helm helm.sh/resource-policy=keep --overwrite`,
  ],
  sources: {
    templates: listOf(templates, pinOf, { metadataOnly: true }),
    configs: listOf(configs, pinOf, { metadataOnly: true }),
  },
  classify({ templates: ofTemplates, configs: ofConfigs }): Classified {
    const found = [
      ...valueIn(ofTemplates, []).map((pin) => ({ ...pin, kind: "KubeadmConfigTemplate", resource: templates })),
      ...valueIn(ofConfigs, []).map((pin) => ({ ...pin, kind: "KubeadmConfig", resource: configs })),
    ].filter(({ ofHelm }) => ofHelm);
    return {
      applies: found.length > 0,
      findings: found
        .filter(({ kept }) => !kept)
        .map(({ kind, namespace, name, resource }) => ({
          object: { group, kind, namespace, name },
          severity: "blocking",
          what: "is not kept: it would be deleted when 1.6 is applied",
          remedy: [
            `kubectl annotate ${resourceText(resource)} ${name} -n ${namespace} helm.sh/resource-policy=keep --overwrite`,
          ],
        })),
    };
  },
});
