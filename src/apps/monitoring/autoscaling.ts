/** What the storages' pods ask for follows from what they use, within bounds. */
import { VerticalPodAutoscaler } from "../../contracts/autoscaling-k8s-io.ts";
import type { Rendered } from "../../sdk/manifest.ts";

interface Amounts {
  readonly cpu?: string | number;
  readonly memory?: string | number;
}

export interface Bounds {
  readonly minAllowed?: Amounts;
  readonly maxAllowed?: Amounts;
}

const small = { cpu: "25m", memory: "64Mi" };
const large = { cpu: "4000m", memory: "8Gi" };

/** By part of a storage: which workload it is, and how little and how much it asks for unless told otherwise. */
const parts = {
  vminsert: { kind: "Deployment", min: small, max: { cpu: "2000m", memory: "4Gi" } },
  vmselect: { kind: "StatefulSet", min: { cpu: "200m", memory: "512Mi" }, max: large },
  vmstorage: { kind: "StatefulSet", min: { cpu: "200m", memory: "512Mi" }, max: large },
  vlinsert: { kind: "Deployment", min: small, max: { cpu: "2000m", memory: "4Gi" } },
  vlselect: { kind: "Deployment", min: small, max: large },
  vlstorage: { kind: "StatefulSet", min: small, max: large },
} as const;

/** Only pods that start are given other requests: nothing is evicted for them. */
export function autoscaler(part: keyof typeof parts, storage: string, bounds: Bounds = {}): Rendered {
  const { kind, min, max } = parts[part];
  const name = `${part}-${storage}`;
  return VerticalPodAutoscaler(`vpa-${name}`, {
    spec: {
      targetRef: { apiVersion: "apps/v1", kind, name },
      updatePolicy: { updateMode: "Initial" },
      resourcePolicy: {
        containerPolicies: [
          {
            containerName: part,
            minAllowed: { ...min, ...bounds.minAllowed },
            maxAllowed: { ...max, ...bounds.maxAllowed },
          },
        ],
      },
    },
  });
}
