/** What pods beside the cluster have in common: they wait for its kubeconfig, and reach it by that. */
import type { Container, PodSpec } from "../../contracts/pod.ts";
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

/** Of each controller that runs beside the cluster, but for containers and volumes. */
export function controllerPod(input: Pick<Input, "spec">, serviceAccountName: string): Omit<PodSpec, "containers"> {
  return {
    serviceAccountName,
    enableServiceLinks: false,
    initContainers: [waitForKubeconfig(input)],
    tolerations: [
      { key: "CriticalAddonsOnly", operator: "Exists" },
      { key: "node-role.kubernetes.io/control-plane", operator: "Exists", effect: "NoSchedule" },
    ],
  };
}

/** Of a Job's container that needs nothing but the kubeconfig. */
export const confined = {
  runAsNonRoot: true,
  runAsUser: 65_532,
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
} as const;
