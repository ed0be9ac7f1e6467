/**
 * Fields that several core kinds share.
 */
import type { ObjectMeta } from "../object.ts";

/** `500m`, `1Gi`, 2. */
export type Quantity = string | number;

export type Strings = Readonly<Record<string, string>>;
export type Quantities = Readonly<Record<string, Quantity>>;

export interface LabelSelectorRequirement {
  readonly key: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  readonly values?: readonly string[];
}

export interface LabelSelector {
  readonly matchLabels?: Strings;
  readonly matchExpressions?: readonly LabelSelectorRequirement[];
}

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

/** Names an object of the same namespace. */
export interface LocalObjectReference {
  readonly name: string;
}

/** Names an object anywhere. */
export interface ObjectReference {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly fieldPath?: string;
}

/** The metadata of a template: what it makes gets its own name. */
export type TemplateMetadata = Partial<Pick<ObjectMeta, "name" | "labels" | "annotations" | "finalizers">>;

export interface ResourceRequirements {
  readonly requests?: Quantities;
  readonly limits?: Quantities;
}
