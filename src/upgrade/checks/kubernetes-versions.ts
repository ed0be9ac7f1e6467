/**
 * P11: versions of Kubernetes that are too old for 1.6: of this cluster, and of tenants' clusters in which Flux runs.
 */
import { valueAt } from "../../kube/json.ts";
import { oldestKubernetes } from "../../platform/kubernetes-version.ts";
import { type Classified, defineCheck, type Finding } from "./check.ts";
import { installationSource } from "./installation.ts";
import { type Cluster, clusterRef, clustersSource } from "./kubernetes-clusters.ts";
import { type Answer, defineSource, read, type Source, unreadableOf, valueIn } from "./source.ts";

/** Below it, rules that keep objects from being deleted are not there at all. */
const oldestGuarded = 30;

/** A version of Kubernetes as far as it matters. */
interface Minor {
  readonly text: string;
  readonly minor: number;
}

function minorOf(text: string): Minor | undefined {
  const [, major, minor] = /^v(\d+)\.(\d+)/.exec(text) ?? [];
  return major === "1" && minor !== undefined ? { text, minor: Number(minor) } : undefined;
}

/** The version of this cluster. One that cannot be understood is none. */
const serverSource: Source<Minor> = defineSource(["/version"], async (reader): Promise<Answer<Minor>> => {
  const answer = await reader.raw("/version");
  if (answer.is !== "read") return answer;
  const told = valueAt(answer.value, "gitVersion");
  const minor = typeof told === "string" ? minorOf(told) : undefined;
  return minor === undefined ? unreadableOf("/version", "it says no version of Kubernetes") : read(minor);
});

function serverFindings({ text, minor }: Minor): readonly Finding[] {
  if (minor >= oldestKubernetes) return [];
  const unguarded = minor < oldestGuarded ? "; nothing keeps the platform's own objects from being deleted either" : "";
  return [
    {
      object: { group: "", kind: "Service", namespace: "default", name: "kubernetes" },
      severity: "blocking",
      what: `the cluster runs ${text}, and 1.${oldestKubernetes} is the oldest that will do${unguarded}`,
      remedy: [`Upgrade it to 1.${oldestKubernetes} or newer, one minor version at a time.`],
    },
  ];
}

function tenantFindings(cluster: Cluster): readonly Finding[] {
  const minor = minorOf(cluster.version ?? "");
  if (!cluster.flux || minor === undefined || minor.minor >= oldestKubernetes) return [];
  return [
    {
      object: clusterRef(cluster),
      severity: "blocking",
      what: `Flux runs in it, and it is on ${minor.text}: the new Flux needs v1.${oldestKubernetes}`,
      remedy: [
        `kubectl patch kuberneteses.apps.cozystack.io ${cluster.name} -n ${cluster.namespace} --type merge -p '{"spec":{"version":"v1.${oldestKubernetes}"}}'`,
      ],
    },
  ];
}

export const kubernetesVersionCheck = defineCheck({
  id: "P11",
  title: "Versions of Kubernetes",
  severity: "blocking",
  why: "Since 1.5 the platform needs Kubernetes 1.33, and so does Flux in a tenant's cluster. On an older one parts of it are accepted and then do nothing.",
  remedy: ["Upgrade to Kubernetes 1.33 or newer, one minor version at a time."],
  sources: { installation: installationSource, server: serverSource, clusters: clustersSource },
  classify({ installation, server, clusters }): Classified {
    const there = valueIn(installation, undefined)?.present ?? false;
    const version = valueIn(server, undefined);
    if (!there) return { applies: false };
    return {
      findings: [
        ...(version === undefined ? [] : serverFindings(version)),
        ...valueIn(clusters, []).flatMap(tenantFindings),
      ],
      notes: version === undefined ? [] : [`the cluster runs ${version.text}`],
    };
  },
});
