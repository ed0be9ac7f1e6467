/**
 * From an application's schema and rules to the CustomResourceDefinition that serves its kind.
 */
import Type, { type TObject, type TProperties } from "typebox";
import { CustomResourceDefinition } from "../kube/core-kinds.ts";
import { type StructuralSchema, structuralSchema } from "../kube/structural-schema.ts";
import type { PlacedRule } from "./rules.ts";
import { withRules } from "./structural-rules.ts";

/** What the definition of an application says about its kind. */
export interface ServedKind {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly summary: string;
  readonly schema: TObject;
  readonly rules: readonly PlacedRule[];
  readonly statusFields: TProperties;
  /** A sentence on what becomes of fields that the schema does not name. Default: nothing. */
  readonly unknownFields?: string;
  /** Columns of `kubectl get` besides those of every application. */
  readonly columns?: readonly PrinterColumn[];
}

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: "string" | "integer" | "boolean" | "date";
  readonly jsonPath: string;
  readonly description: string;
}

const columns = [
  {
    name: "READY",
    type: "string",
    jsonPath: '.status.conditions[?(@.type=="Ready")].status',
    description: "Whether the application serves.",
  },
  {
    name: "AGE",
    type: "date",
    jsonPath: ".metadata.creationTimestamp",
    description: "Time since the application was ordered.",
  },
  {
    name: "VERSION",
    type: "string",
    jsonPath: ".status.version",
    description: "Version of the application's definition.",
  },
];

const condition = Type.Object({
  type: Type.String(),
  status: Type.Enum(["True", "False", "Unknown"], { type: "string" }),
  reason: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
  lastTransitionTime: Type.Optional(Type.String({ format: "date-time" })),
  observedGeneration: Type.Optional(Type.Integer({ format: "int64" })),
});

function statusSchema(fields: TProperties): StructuralSchema {
  return structuralSchema(
    Type.Object({
      conditions: Type.Optional(
        Type.Array(condition, {
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["type"],
          description: "What is known of the application; Ready sums it up.",
        }),
      ),
      observedGeneration: Type.Optional(
        Type.Integer({ format: "int64", description: "Generation of the spec that the conditions are about." }),
      ),
      version: Type.Optional(
        Type.String({ description: "Version of the application's definition that was applied last." }),
      ),
      effective: Type.Optional(
        Type.Object(
          {},
          {
            description: "Values in force that the spec leaves to the platform.",
            "x-kubernetes-preserve-unknown-fields": true,
          },
        ),
      ),
      ...Type.Partial(Type.Object(fields)).properties,
    }),
  );
}

/** The definition, guarded against deletion: with it would go every object of the kind. */
export function crdOf(served: ServedKind): CustomResourceDefinition {
  const { group, kind, plural, singular } = served;
  const schema: StructuralSchema = {
    type: "object",
    description: served.summary,
    properties: {
      appVersion: { type: "string", description: "Ignored; accepted because older manifests carry it." },
      spec: {
        ...withRules(served.schema, structuralSchema(served.schema), served.rules),
        description: `What is ordered. ${served.unknownFields ?? "Fields that are not known are kept and have no effect."}`,
      },
      status: { ...statusSchema(served.statusFields), description: "What is known of it." },
    },
  };
  return CustomResourceDefinition(`${plural}.${group}`, {
    labels: { "platform.cozystack.io/no-delete": "true" },
    spec: {
      group,
      names: { kind, listKind: `${kind}List`, plural, singular },
      scope: "Namespaced",
      versions: [
        {
          name: "v1alpha1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: schema },
          subresources: { status: {} },
          additionalPrinterColumns: [...columns, ...(served.columns ?? [])],
        },
      ],
    },
  });
}
