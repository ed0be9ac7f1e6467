/** What the machines of tenants' Kubernetes clusters run. */

/** Version of the specification -> version of control plane and kubelets. */
export const kubernetesVersions = {
  "v1.35": "v1.35.6",
  "v1.34": "v1.34.9",
  "v1.33": "v1.33.13",
  "v1.32": "v1.32.13",
  "v1.31": "v1.31.14",
} as const satisfies Record<string, string>;

export type KubernetesVersion = keyof typeof kubernetesVersions;

export const talosDefaults = {
  version: "v1.13.6",
  schematicID: "ce4c980550dd2ab1b17bbf2b08801c7eb59418eafe8f279833297925d67c7515",
  imageFactoryURL: "https://factory.talos.dev",
  installerRepository: "factory.talos.dev/installer",
} as const;

/** Addresses inside every tenant's cluster. */
export const podSubnet = "10.243.0.0/16";
export const serviceSubnet = "10.95.0.0/16";
