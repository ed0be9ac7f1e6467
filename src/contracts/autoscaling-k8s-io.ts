/**
 * The vertical pod autoscaler: what containers ask for follows from what they use.
 */
import { Type } from "typebox";
import { defineContract } from "./contract.ts";
import { oneOf, quantityMap, some, text, texts } from "./fields.ts";

const containerPolicy = some({
  containerName: text(),
  mode: oneOf("Auto", "Off"),
  controlledResources: texts(),
  controlledValues: oneOf("RequestsAndLimits", "RequestsOnly"),
  minAllowed: quantityMap(),
  maxAllowed: quantityMap(),
});

export const VerticalPodAutoscaler = defineContract({
  group: "autoscaling.k8s.io",
  version: "v1",
  kind: "VerticalPodAutoscaler",
  plural: "verticalpodautoscalers",
  namespaced: true,
  shortNames: ["vpa"],
  schema: Type.Object({
    spec: Type.Object({
      targetRef: Type.Object({ kind: text(), name: text(), apiVersion: Type.Optional(text()) }),
      updatePolicy: Type.Optional(some({ updateMode: oneOf("Off", "Initial", "Recreate", "Auto") })),
      resourcePolicy: Type.Optional(some({ containerPolicies: Type.Array(containerPolicy) })),
    }),
    status: Type.Optional(some({})),
  }),
  impact: { otherwise: "inPlace" },
});

export const autoscalingContracts = [VerticalPodAutoscaler] as const;
