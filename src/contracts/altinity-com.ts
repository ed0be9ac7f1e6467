/**
 * What the two groups of the Altinity operator, ClickHouse and its Keeper, have in common.
 */
import { Type } from "typebox";
import type { AccessMode } from "../kube/kinds/storage.ts";
import { open, some, text, texts } from "./fields.ts";

/**
 * Settings, users, files and the like. Keys are paths in ClickHouse's configuration (`readonly/readonly`); values are
 * scalars or lists of them.
 */
export function altinitySettings() {
  return open<Readonly<Record<string, string | number | readonly (string | number)[]>>>();
}

/** A pod's spec inside a template. The operator does not check it before it makes the StatefulSet. */
export interface TemplatePodSpec {
  readonly containers: readonly object[];
  readonly affinity?: object;
  readonly securityContext?: object;
  readonly volumes?: readonly object[];
  readonly topologySpreadConstraints?: readonly object[];
  readonly [field: string]: unknown;
}

export interface TemplateServiceSpec {
  readonly type?: string;
  readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort?: number | string }[];
  readonly [field: string]: unknown;
}

export interface TemplateClaimSpec {
  readonly accessModes: readonly AccessMode[];
  readonly resources: { readonly requests: { readonly storage: string | number } };
  readonly storageClassName?: string;
}

export interface TemplateMetadata {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export function altinityTemplates() {
  return some({
    podTemplates: Type.Array(
      Type.Object({
        name: text(),
        metadata: Type.Optional(open<TemplateMetadata>()),
        spec: open<TemplatePodSpec>(),
      }),
    ),
    serviceTemplates: Type.Array(
      Type.Object({
        name: text(),
        generateName: Type.Optional(text()),
        metadata: Type.Optional(open<TemplateMetadata>()),
        spec: open<TemplateServiceSpec>(),
      }),
    ),
    volumeClaimTemplates: Type.Array(
      Type.Object({
        name: text(),
        metadata: Type.Optional(open<TemplateMetadata>()),
        reclaimPolicy: Type.Optional(Type.Enum(["", "Retain", "Delete"])),
        spec: open<TemplateClaimSpec>(),
      }),
    ),
  });
}

export function altinityDefaults() {
  return some({
    templates: some({
      podTemplate: text(),
      serviceTemplate: text(),
      dataVolumeClaimTemplate: text(),
      logVolumeClaimTemplate: text(),
    }),
  });
}

/** `status` is `Completed` when the operator has carried out the spec; its own observed generation is not reported. */
export function altinityStatus() {
  return some({
    status: text(),
    error: text(),
    errors: texts(),
    action: text(),
    clusters: Type.Integer(),
    shards: Type.Integer(),
    replicas: Type.Integer(),
    hosts: Type.Integer(),
    hostsCompleted: Type.Integer(),
    pods: texts(),
    fqdns: texts(),
    endpoint: text(),
    endpoints: texts(),
    taskID: text(),
  });
}
