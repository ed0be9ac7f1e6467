/** What pods beside the cluster have in common: they wait for its kubeconfig, and reach it by that. */
import { Deployment } from "../../contracts/apps.ts";
import type { Container, PodSpec } from "../../contracts/pod.ts";
import type { Rendered } from "../../sdk/manifest.ts";
import { kubeconfigFile, kubeconfigFolder, kubeconfigSecret } from "./names.ts";
import type { Input } from "./spec.ts";
import { images } from "./versions.ts";

export const kubeconfigMount = { name: "kubeconfig", mountPath: kubeconfigFolder, readOnly: true } as const;

/** Optional: without it the pod would not start before Kamaji has made it. */
export const kubeconfigVolume = (release: string) => ({
  name: "kubeconfig",
  secret: { secretName: kubeconfigSecret(release), optional: true },
});

const waitSeconds = 600;

const waiting = `waited=0
until [ -s ${kubeconfigFile} ]; do
  if [ "$waited" -ge ${waitSeconds} ]; then
    echo "no kubeconfig after ${waitSeconds} seconds" >&2
    exit 1
  fi
  sleep 5
  waited=$((waited + 5))
done
`;

/** Goes on once the kubeconfig is there. */
export const waitForKubeconfig = ({ spec }: Pick<Input, "spec">): Container => ({
  name: "wait-for-kubeconfig",
  image: spec.images.waitForKubeconfig || images.waitForKubeconfig,
  command: ["sh", "-c", waiting],
  volumeMounts: [kubeconfigMount],
});

/** Of each main container. */
export const containerResources = {
  requests: { cpu: "125m", memory: "128Mi" },
  limits: { cpu: "512m", memory: "512Mi" },
} as const;

export const allowToApiServer = { "policy.cozystack.io/allow-to-apiserver": "true" } as const;

interface Controller {
  /** What its pods are found by. */
  readonly labels: Readonly<Record<string, string>>;
  readonly serviceAccountName: string;
  /** Containers, volumes, and what is particular to this one. */
  readonly pod: PodSpec;
}

/** A controller that runs beside the cluster, once. */
export function controllerDeployment(
  name: string,
  input: Pick<Input, "spec">,
  { labels, serviceAccountName, pod }: Controller,
): Rendered {
  return Deployment(name, {
    labels,
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: { ...labels, ...allowToApiServer } },
        spec: {
          serviceAccountName,
          enableServiceLinks: false,
          initContainers: [waitForKubeconfig(input)],
          tolerations: [
            { key: "CriticalAddonsOnly", operator: "Exists" },
            { key: "node-role.kubernetes.io/control-plane", operator: "Exists", effect: "NoSchedule" },
          ],
          ...pod,
        },
      },
    },
  });
}

/** A rule of a controller's Role. */
export const rule = (group: string, resources: readonly string[], verbs: readonly string[]) => ({
  apiGroups: [group],
  resources: [...resources],
  verbs: [...verbs],
});

/** Of a Job's container that needs nothing but the kubeconfig. */
export const confined = {
  runAsNonRoot: true,
  runAsUser: 65_532,
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
} as const;
