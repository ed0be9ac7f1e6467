/**
 * Kinds that extend the API server: definitions, aggregated APIs, admission.
 */
import { defineKind } from "../define-kind.ts";
import type { KubeObject } from "../object.ts";
import type { StructuralSchema } from "../structural-types.ts";
import type { Condition, LabelSelector } from "./common-fields.ts";

const admission = { group: "admissionregistration.k8s.io", version: "v1", namespaced: false } as const;

export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly schema?: { readonly openAPIV3Schema?: StructuralSchema };
  readonly subresources?: {
    readonly status?: object;
    readonly scale?: {
      readonly specReplicasPath: string;
      readonly statusReplicasPath: string;
      readonly labelSelectorPath?: string;
    };
  };
  readonly additionalPrinterColumns?: readonly {
    readonly name: string;
    readonly type: string;
    readonly jsonPath: string;
    readonly format?: string;
    readonly description?: string;
    readonly priority?: number;
  }[];
  readonly selectableFields?: readonly { readonly jsonPath: string }[];
}

export interface CustomResourceDefinition extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly scope: "Namespaced" | "Cluster";
    readonly names: {
      readonly kind: string;
      readonly plural: string;
      readonly singular?: string;
      readonly listKind?: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly versions: readonly DefinitionVersion[];
    readonly conversion?: { readonly strategy: "None" | "Webhook"; readonly webhook?: object };
    readonly preserveUnknownFields?: false;
  };
  readonly status?: {
    readonly conditions?: readonly Condition[];
    readonly storedVersions?: readonly string[];
    readonly acceptedNames?: { readonly kind?: string; readonly plural?: string };
  };
}
export const CustomResourceDefinition = defineKind<CustomResourceDefinition>({
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
  plural: "customresourcedefinitions",
  namespaced: false,
});

export interface APIService extends KubeObject {
  readonly spec: {
    readonly group: string;
    readonly version: string;
    readonly groupPriorityMinimum: number;
    readonly versionPriority: number;
    /** Absent: served by the API server itself. */
    readonly service?: { readonly namespace: string; readonly name: string; readonly port?: number };
    /** Base64 of PEM. */
    readonly caBundle?: string;
    readonly insecureSkipTLSVerify?: boolean;
  };
  readonly status?: { readonly conditions?: readonly Condition[] };
}
export const APIService = defineKind<APIService>({
  group: "apiregistration.k8s.io",
  version: "v1",
  kind: "APIService",
  plural: "apiservices",
  namespaced: false,
});

export interface RuleWithOperations {
  readonly apiGroups?: readonly string[];
  readonly apiVersions?: readonly string[];
  readonly operations?: readonly ("CREATE" | "UPDATE" | "DELETE" | "CONNECT" | "*")[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly scope?: "Cluster" | "Namespaced" | "*";
}

export interface MatchResources {
  readonly resourceRules?: readonly RuleWithOperations[];
  readonly excludeResourceRules?: readonly RuleWithOperations[];
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly matchPolicy?: "Exact" | "Equivalent";
}

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

export interface ValidatingAdmissionPolicy extends KubeObject {
  readonly spec: {
    readonly failurePolicy?: "Fail" | "Ignore";
    readonly matchConstraints?: MatchResources;
    readonly matchConditions?: readonly MatchCondition[];
    readonly paramKind?: { readonly apiVersion: string; readonly kind: string };
    readonly variables?: readonly { readonly name: string; readonly expression: string }[];
    readonly validations?: readonly {
      readonly expression: string;
      readonly message?: string;
      readonly messageExpression?: string;
      readonly reason?: string;
    }[];
    readonly auditAnnotations?: readonly { readonly key: string; readonly valueExpression: string }[];
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
    readonly typeChecking?: {
      readonly expressionWarnings?: readonly { readonly fieldRef: string; readonly warning: string }[];
    };
  };
}
export const ValidatingAdmissionPolicy = defineKind<ValidatingAdmissionPolicy>({
  ...admission,
  kind: "ValidatingAdmissionPolicy",
  plural: "validatingadmissionpolicies",
});

export interface ValidatingAdmissionPolicyBinding extends KubeObject {
  readonly spec: {
    readonly policyName: string;
    readonly validationActions: readonly ("Deny" | "Warn" | "Audit")[];
    readonly matchResources?: MatchResources;
    readonly paramRef?: {
      readonly name?: string;
      readonly namespace?: string;
      readonly selector?: LabelSelector;
      readonly parameterNotFoundAction?: "Allow" | "Deny";
    };
  };
}
export const ValidatingAdmissionPolicyBinding = defineKind<ValidatingAdmissionPolicyBinding>({
  ...admission,
  kind: "ValidatingAdmissionPolicyBinding",
  plural: "validatingadmissionpolicybindings",
});

export interface Webhook {
  readonly name: string;
  readonly clientConfig: {
    readonly url?: string;
    readonly service?: {
      readonly namespace: string;
      readonly name: string;
      readonly path?: string;
      readonly port?: number;
    };
    /** Base64 of PEM. */
    readonly caBundle?: string;
  };
  readonly rules?: readonly RuleWithOperations[];
  readonly sideEffects: "None" | "NoneOnDryRun";
  readonly admissionReviewVersions: readonly string[];
  readonly failurePolicy?: "Fail" | "Ignore";
  readonly matchPolicy?: "Exact" | "Equivalent";
  readonly matchConditions?: readonly MatchCondition[];
  readonly namespaceSelector?: LabelSelector;
  readonly objectSelector?: LabelSelector;
  readonly timeoutSeconds?: number;
}

export interface ValidatingWebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly Webhook[];
}
export const ValidatingWebhookConfiguration = defineKind<ValidatingWebhookConfiguration>({
  ...admission,
  kind: "ValidatingWebhookConfiguration",
  plural: "validatingwebhookconfigurations",
});

export interface MutatingWebhookConfiguration extends KubeObject {
  readonly webhooks?: readonly (Webhook & { readonly reinvocationPolicy?: "Never" | "IfNeeded" })[];
}
export const MutatingWebhookConfiguration = defineKind<MutatingWebhookConfiguration>({
  ...admission,
  kind: "MutatingWebhookConfiguration",
  plural: "mutatingwebhookconfigurations",
});
