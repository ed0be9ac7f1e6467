/**
 * The kinds whose application is still to come. Their names are those they will keep.
 */

export interface PendingKind {
  readonly kind: string;
  readonly plural: string;
  /** Release prefix; empty for modules and for kinds whose objects are named as their user names them. */
  readonly release: string;
  readonly category: "Administration" | "IaaS" | "NaaS" | "Networking" | "PaaS";
  readonly title: string;
  readonly summary: string;
  readonly tags?: readonly string[];
  readonly weight?: number;
  readonly module?: true;
}

export const pendingKinds: readonly PendingKind[] = [
  // Modules of a tenant.
  // Databases, brokers and other services.
  // Compute and networks.
  {
    kind: "Kubernetes",
    plural: "kuberneteses",
    release: "kubernetes-",
    category: "IaaS",
    title: "Kubernetes",
    weight: 40,
    tags: ["compute"],
    summary: "Managed Kubernetes service",
  },
  {
    kind: "KubernetesNodes",
    plural: "kubernetesnodeses",
    release: "kubernetes-nodes-",
    category: "IaaS",
    title: "Kubernetes Nodes",
    weight: 41,
    tags: ["compute"],
    summary: "Worker nodes of a managed Kubernetes cluster",
  },
];
