/**
 * What people define an application by that the program does not know: a chart, the schema of its values, and what its
 * tenants see of it. Cluster-scoped, so that no tenant can write one.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { conditions, int32, int64, oneOf, type ReadonlyStatic, some, text, textMap, texts } from "./fields.ts";

const selector = () =>
  Type.Object(
    {
      matchLabels: Type.Optional(textMap()),
      matchExpressions: Type.Optional(
        Type.Array(
          Type.Object({
            key: text(),
            operator: text(),
            values: Type.Optional(Type.Array(Type.String(), { "x-kubernetes-list-type": "atomic" })),
          }),
          { "x-kubernetes-list-type": "atomic" },
        ),
      ),
      resourceNames: Type.Optional(
        Type.Array(Type.String(), {
          description: "Names, in which {{ .name }}, {{ .kind }} and {{ .namespace }} stand for the application's own.",
        }),
      ),
    },
    {
      description: "Matches by labels and, where given, by names; both must fit.",
      "x-kubernetes-map-type": "atomic",
    },
  );

/** What tenants see of one kind of object. */
const shown = () =>
  Type.Optional(
    some({
      exclude: Type.Array(selector(), { description: "What is never shown." }),
      include: Type.Array(selector(), { description: "What is shown, unless it is excluded." }),
    }),
  );

const schema = Type.Object({
  spec: Type.Object({
    application: Type.Object({
      kind: Type.String({ description: "Kind under which tenants order it, such as Guestbook." }),
      plural: Type.String({ description: "Plural of the kind, in lower case." }),
      singular: Type.String({ description: "The kind in lower case." }),
      openAPISchema: Type.String({ description: "JSON schema of the chart's values; empty: any values." }),
    }),
    release: Type.Object({
      chartRef: Type.Object({
        apiVersion: Type.Optional(text()),
        kind: oneOf("OCIRepository", "HelmChart", "ExternalArtifact"),
        name: Type.String({ minLength: 1, maxLength: 253 }),
        namespace: Type.Optional(Type.String({ minLength: 1, maxLength: 63 })),
      }),
      prefix: Type.String({
        description: "Put before the application's name; together they are the release's.",
        pattern: "^[a-z0-9-]*$",
      }),
      labels: Type.Optional(textMap()),
      waitStrategy: Type.Optional(oneOf("poller", "legacy")),
      healthCheckExprs: Type.Optional(
        Type.Array(
          Type.Object({
            apiVersion: text(),
            kind: text(),
            current: text(),
            failed: Type.Optional(text()),
            inProgress: Type.Optional(text()),
          }),
        ),
      ),
    }),
    secrets: shown(),
    services: shown(),
    ingresses: shown(),
    dashboard: Type.Optional(
      Type.Object({
        singular: text(),
        plural: text(),
        category: text(),
        name: Type.Optional(text()),
        singularResource: Type.Optional(Type.Boolean()),
        weight: Type.Optional(Type.Integer()),
        description: Type.Optional(text()),
        icon: Type.Optional(text()),
        tags: Type.Optional(texts()),
        tabs: Type.Optional(Type.Array(oneOf("workloads", "ingresses", "services", "secrets", "yaml"))),
        keysOrder: Type.Optional(Type.Array(texts())),
        module: Type.Optional(Type.Boolean()),
      }),
    ),
  }),
  status: Type.Optional(
    some({
      observedGeneration: int64(),
      /** Applications that keep a definition from being deleted; only while it is. */
      instances: int32(),
      conditions: conditions(true),
    }),
  ),
});

export const ApplicationDefinition = defineContract({
  group: "cozystack.io",
  version: "v1alpha1",
  kind: "ApplicationDefinition",
  plural: "applicationdefinitions",
  namespaced: false,
  columns: [
    { name: "Kind", type: "string", jsonPath: ".spec.application.kind" },
    { name: "Chart", type: "string", jsonPath: ".spec.release.chartRef.name" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Reason", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].reason' },
    { name: "Age", type: "date", jsonPath: ".metadata.creationTimestamp" },
  ],
  schema,
  impact: { otherwise: "inPlace" },
});

/** One entry of a list of what is shown or excluded. */
export type ResourceSelector = ReadonlyStatic<ReturnType<typeof selector>>;
export type Definition = ReturnType<typeof ApplicationDefinition>;
