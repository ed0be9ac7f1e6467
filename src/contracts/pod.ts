/**
 * The parts of a pod that workloads share: the fields that applications write.
 */

type Texts = Readonly<Record<string, string>>;
type Quantity = string | number;

export interface LabelSelector {
  readonly matchLabels?: Texts;
  readonly matchExpressions?: readonly LabelExpression[];
}

export interface LabelExpression {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  readonly values?: readonly string[];
}

export interface ResourceRequirements {
  readonly limits?: Readonly<Record<string, Quantity>>;
  readonly requests?: Readonly<Record<string, Quantity>>;
}

export interface LocalReference {
  readonly name: string;
}

export interface KeySelector {
  readonly name: string;
  readonly key: string;
  readonly optional?: boolean;
}

export interface EnvVar {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly secretKeyRef?: KeySelector;
    readonly configMapKeyRef?: KeySelector;
    readonly fieldRef?: { readonly fieldPath: string; readonly apiVersion?: string };
    readonly resourceFieldRef?: {
      readonly resource: string;
      readonly containerName?: string;
      readonly divisor?: Quantity;
    };
  };
}

export interface EnvFromSource {
  readonly prefix?: string;
  readonly secretRef?: { readonly name: string; readonly optional?: boolean };
  readonly configMapRef?: { readonly name: string; readonly optional?: boolean };
}

export interface ContainerPort {
  readonly containerPort: number;
  readonly name?: string;
  readonly protocol?: Protocol;
  readonly hostPort?: number;
}

export type Protocol = "TCP" | "UDP" | "SCTP";

export interface Probe {
  readonly httpGet?: {
    readonly path?: string;
    readonly port: number | string;
    readonly scheme?: "HTTP" | "HTTPS";
    readonly host?: string;
  };
  readonly tcpSocket?: { readonly port: number | string };
  readonly exec?: { readonly command: readonly string[] };
  readonly grpc?: { readonly port: number; readonly service?: string };
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
}

export interface Capabilities {
  readonly add?: readonly string[];
  readonly drop?: readonly string[];
}

export interface SeccompProfile {
  readonly type: "RuntimeDefault" | "Unconfined" | "Localhost";
  readonly localhostProfile?: string;
}

export interface SecurityContext {
  readonly allowPrivilegeEscalation?: boolean;
  readonly capabilities?: Capabilities;
  readonly privileged?: boolean;
  readonly readOnlyRootFilesystem?: boolean;
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly seccompProfile?: SeccompProfile;
}

export interface PodSecurityContext {
  readonly fsGroup?: number;
  readonly fsGroupChangePolicy?: "OnRootMismatch" | "Always";
  readonly runAsUser?: number;
  readonly runAsGroup?: number;
  readonly runAsNonRoot?: boolean;
  readonly supplementalGroups?: readonly number[];
  readonly seccompProfile?: SeccompProfile;
  readonly sysctls?: readonly { readonly name: string; readonly value: string }[];
}

export interface VolumeMount {
  readonly name: string;
  readonly mountPath: string;
  readonly subPath?: string;
  readonly readOnly?: boolean;
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly imagePullPolicy?: "Always" | "IfNotPresent" | "Never";
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly env?: readonly EnvVar[];
  readonly envFrom?: readonly EnvFromSource[];
  readonly ports?: readonly ContainerPort[];
  readonly resources?: ResourceRequirements;
  readonly volumeMounts?: readonly VolumeMount[];
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly startupProbe?: Probe;
  readonly lifecycle?: {
    readonly preStop?: Pick<Probe, "exec" | "httpGet"> & { readonly sleep?: { readonly seconds: number } };
    readonly postStart?: Pick<Probe, "exec" | "httpGet">;
  };
  readonly securityContext?: SecurityContext;
  readonly restartPolicy?: "Always";
}

interface VolumeItems {
  readonly items?: readonly { readonly key: string; readonly path: string; readonly mode?: number }[];
  readonly defaultMode?: number;
  readonly optional?: boolean;
}

export interface Volume {
  readonly name: string;
  readonly secret?: VolumeItems & { readonly secretName: string };
  readonly configMap?: VolumeItems & { readonly name: string };
  readonly emptyDir?: { readonly medium?: string; readonly sizeLimit?: Quantity };
  readonly persistentVolumeClaim?: { readonly claimName: string; readonly readOnly?: boolean };
  readonly hostPath?: { readonly path: string; readonly type?: string };
  readonly projected?: { readonly sources: readonly object[]; readonly defaultMode?: number };
}

export interface Toleration {
  readonly key?: string;
  readonly operator?: "Exists" | "Equal";
  readonly value?: string;
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export interface NodeSelectorTerm {
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist" | "Gt" | "Lt";
    readonly values?: readonly string[];
  }[];
}

export interface PodAffinityTerm {
  readonly topologyKey: string;
  readonly labelSelector?: LabelSelector;
  readonly namespaces?: readonly string[];
}

interface PodAffinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodAffinityTerm[];
  readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
    readonly weight: number;
    readonly podAffinityTerm: PodAffinityTerm;
  }[];
}

export interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms: readonly NodeSelectorTerm[];
    };
    readonly preferredDuringSchedulingIgnoredDuringExecution?: readonly {
      readonly weight: number;
      readonly preference: NodeSelectorTerm;
    }[];
  };
  readonly podAffinity?: PodAffinity;
  readonly podAntiAffinity?: PodAffinity;
}

export interface TopologySpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly whenUnsatisfiable: string;
  readonly labelSelector?: LabelSelector;
  readonly minDomains?: number;
  readonly matchLabelKeys?: readonly string[];
  readonly nodeAffinityPolicy?: string;
  readonly nodeTaintsPolicy?: string;
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly restartPolicy?: "Always" | "OnFailure" | "Never";
  readonly terminationGracePeriodSeconds?: number;
  readonly activeDeadlineSeconds?: number;
  readonly nodeSelector?: Texts;
  readonly nodeName?: string;
  readonly tolerations?: readonly Toleration[];
  readonly affinity?: Affinity;
  readonly topologySpreadConstraints?: readonly TopologySpreadConstraint[];
  readonly priorityClassName?: string;
  readonly schedulerName?: string;
  readonly hostNetwork?: boolean;
  readonly hostPID?: boolean;
  readonly hostname?: string;
  readonly subdomain?: string;
  readonly dnsPolicy?: string;
  readonly imagePullSecrets?: readonly LocalReference[];
  readonly enableServiceLinks?: boolean;
  readonly shareProcessNamespace?: boolean;
  readonly securityContext?: PodSecurityContext;
  readonly readinessGates?: readonly { readonly conditionType: string }[];
}

/** Metadata of the pods or claims that a controller makes. */
export interface TemplateMetadata {
  readonly name?: string;
  readonly labels?: Texts;
  readonly annotations?: Texts;
}

export interface PodTemplateSpec {
  readonly metadata?: TemplateMetadata;
  readonly spec: PodSpec;
}

export interface ClaimSpec {
  readonly accessModes?: readonly string[];
  readonly resources?: ResourceRequirements;
  readonly storageClassName?: string;
  readonly volumeMode?: "Filesystem" | "Block";
  readonly volumeName?: string;
  readonly selector?: LabelSelector;
  readonly dataSource?: { readonly apiGroup?: string; readonly kind: string; readonly name: string };
}

/** A condition of a kind that Kubernetes itself serves. */
export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}
