/** Volumes and pod placement, alike for servers and Keepers. */
import type { Input } from "./spec.ts";

/** The claim templates of a running object of the operator. */
export type ClaimTemplates = readonly {
  readonly name: string;
  readonly spec: { readonly storageClassName?: string };
}[];

/** On claims and pods; what is deleted with the application is found by it. */
export const instanceLabel = (release: string) => ({ "app.kubernetes.io/instance": release });

/**
 * Upstream asked for a storage class and used none. A running installation keeps it so: its claims cannot move, and another
 * template would only make the operator restart the servers.
 */
function storageClass(name: string, wanted: string, live: ClaimTemplates) {
  const running = live.find((template) => template.name === name);
  const keepsDefault = running !== undefined && running.spec.storageClassName === undefined;
  return wanted === "" || keepsDefault ? {} : { storageClassName: wanted };
}

export function claimTemplate(name: string, size: string | number, { release, spec }: Input, live: ClaimTemplates) {
  return {
    name,
    metadata: { labels: instanceLabel(release) },
    // Otherwise the operator deletes the claims with its object.
    ...(spec.reclaimPolicy === "Retain" ? { reclaimPolicy: "Retain" as const } : {}),
    spec: {
      accessModes: ["ReadWriteOnce" as const],
      resources: { requests: { storage: String(size) } },
      ...storageClass(name, spec.storageClass, live),
    },
  };
}

/** One pod per node. */
export function antiAffinity(key: string, value: string) {
  return {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        {
          labelSelector: { matchExpressions: [{ key, operator: "In", values: [value] }] },
          topologyKey: "kubernetes.io/hostname",
        },
      ],
    },
  };
}
