/**
 * Our own kinds in `cozystack.io`: platform packages, and how healthy an application's workloads are. These schemas
 * are served as they stand here on every cluster, so they say all that the API has ever promised.
 */
import { Type } from "typebox";
import { ApplicationDefinition } from "./application-definition.ts";
import { defineContract } from "./contract.ts";
import { anything, conditions, some, text, textMap, texts } from "./fields.ts";

const group = "cozystack.io";
const version = "v1alpha1";

export const Package = defineContract({
  group,
  version,
  kind: "Package",
  plural: "packages",
  shortNames: ["pkg", "pkgs"],
  namespaced: false,
  columns: [
    { name: "Variant", type: "string", jsonPath: ".spec.variant" },
    { name: "Ready", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: "Status", type: "string", jsonPath: '.status.conditions[?(@.type=="Ready")].message' },
  ],
  schema: Type.Object({
    spec: Type.Optional(
      some({
        variant: text(),
        ignoreDependencies: texts(),
        /** By component name. */
        components: Type.Record(Type.String(), some({ enabled: Type.Boolean(), values: anything() })),
      }),
    ),
    status: Type.Optional(
      some({
        conditions: conditions(),
        dependencies: Type.Record(Type.String(), Type.Object({ ready: Type.Boolean() })),
      }),
    ),
  }),
  impact: { otherwise: "inPlace" },
});

export const WorkloadMonitor = defineContract({
  group,
  version,
  kind: "WorkloadMonitor",
  plural: "workloadmonitors",
  namespaced: true,
  columns: [
    { name: "Kind", type: "string", jsonPath: ".spec.kind" },
    { name: "Type", type: "string", jsonPath: ".spec.type" },
    { name: "Version", type: "string", jsonPath: ".spec.version" },
    { name: "Replicas", type: "integer", jsonPath: ".spec.replicas" },
    { name: "MinReplicas", type: "integer", jsonPath: ".spec.minReplicas" },
    { name: "Available", type: "integer", jsonPath: ".status.availableReplicas" },
    { name: "Observed", type: "integer", jsonPath: ".status.observedReplicas" },
    { name: "Operational", type: "boolean", jsonPath: ".status.operational" },
  ],
  schema: Type.Object({
    spec: Type.Optional(
      Type.Object({
        /** Labels of the pods, volumes, Services and buckets that count, in the monitor's namespace. */
        selector: textMap(),
        kind: Type.Optional(text()),
        type: Type.Optional(text()),
        version: Type.Optional(text()),
        replicas: Type.Optional(Type.Integer({ format: "int32", minimum: 0 })),
        /** Fewer available pods than this: not operational. Absent: always operational. */
        minReplicas: Type.Optional(Type.Integer({ format: "int32", minimum: 0 })),
      }),
    ),
    status: Type.Optional(
      some({
        operational: Type.Boolean(),
        availableReplicas: Type.Integer({ format: "int32" }),
        observedReplicas: Type.Integer({ format: "int32" }),
      }),
    ),
  }),
  impact: { otherwise: "inPlace" },
});

/** One counted object of a monitor. Its status is written with the object: there is no subresource. */
export const Workload = defineContract({
  group,
  version,
  kind: "Workload",
  plural: "workloads",
  namespaced: true,
  statusSubresource: false,
  columns: [
    { name: "Kind", type: "string", jsonPath: ".status.kind" },
    { name: "Type", type: "string", jsonPath: ".status.type" },
    { name: "CPU", type: "string", jsonPath: ".status.resources.cpu" },
    { name: "Memory", type: "string", jsonPath: ".status.resources.memory" },
    { name: "Operational", type: "boolean", jsonPath: ".status.operational" },
  ],
  schema: Type.Object({
    status: Type.Optional(
      Type.Object({
        kind: text(),
        type: Type.Optional(text()),
        resources: Type.Record(Type.String(), quantity()),
        operational: Type.Optional(Type.Boolean()),
      }),
    ),
  }),
  impact: { otherwise: "inPlace" },
});

function quantity() {
  return Type.Unsafe<string | number>({
    "x-kubernetes-int-or-string": true,
    anyOf: [{ type: "integer" }, { type: "string" }],
    pattern:
      "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$",
  });
}

export const cozystackContracts = [ApplicationDefinition, Package, WorkloadMonitor, Workload] as const;
